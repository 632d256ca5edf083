#!/usr/bin/env python3
"""What a client waits for while others attack the server: attack.py TABIA BOOK [SECONDS].

Three attacks in turn, each from several addresses: 4,200 connections that ask and never read an answer; 1,000 whose heads come a byte a
second; 2,000 that ask for coverage again and again. Meanwhile a client with an address of its own asks for a position twenty times a
second, each time on a new connection. Says its median, 99 of 100 and worst, how many requests failed, and the most memory that the server
and the kernel's sockets had."""
import asyncio, os, re, resource, subprocess, sys, time

resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
# The attackers are processes of their own: attack.py --as ATTACK NUMBER PORT NAME.
if sys.argv[1] == "--as":
    _, _, kind, number, port, name = sys.argv
    number, port = int(number), int(port)
else:
    tabia, book, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 20.0
    server = subprocess.Popen([tabia, "serve", book, "--bind", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", line := server.stderr.readline())):
        if not line:
            sys.exit("the server doesn't start")
    port = int(found[1])
    # Lines of the log are read, or the server would wait for whoever reads them.
    log = subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)
    name = os.path.basename(book).removesuffix(".tabia")


def head(path):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


async def connected(number):
    address = f"127.0.1.{1 + number % 8}"
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), limit=1 << 12)


async def never_read(number):
    reader, writer = await connected(number)
    reader._transport.pause_reading()
    for _ in range(200):
        writer.write(head(f"/v1/chess/explore?book={name}"))
    await asyncio.sleep(3600)


async def slowly(number):
    _, writer = await connected(number)
    for byte in head(f"/v1/chess/explore?book={name}") * 20:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(1)


async def coverage(number):
    ply = number
    while True:
        reader, writer = await connected(number)
        writer.write(head(f"/v1/chess/coverage?book={name}&side=white&plies={10 + ply % 30}").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        while await reader.read(4096):
            pass
        writer.close()
        ply += 1


async def again(attack, number):
    while True:
        try:
            await attack(number)
        except OSError:
            await asyncio.sleep(0.5)


async def once():
    start = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
    writer.write(head(f"/v1/chess/explore?book={name}").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    answer = await reader.read(-1)
    writer.close()
    if not answer.startswith(b"HTTP/1.1 200"):
        raise OSError(answer[:40])
    return time.perf_counter() - start


def memory():
    status = open(f"/proc/{server.pid}/status").read()
    sockets = re.search(r"TCP:.* mem (\d+)", open("/proc/net/sockstat").read())
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024, int(sockets[1]) * resource.getpagesize() / 2**20


async def measured():
    times, failed, most = [], 0, [0, 0]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        try:
            times.append(await asyncio.wait_for(once(), 10))
        except (OSError, asyncio.TimeoutError):
            failed += 1
        most = [max(pair) for pair in zip(most, memory())]
        await asyncio.sleep(0.05)
    times.sort()
    at = lambda part: 1000 * times[min(len(times) - 1, int(len(times) * part))] if times else float("nan")
    return at(0.5), at(0.99), at(1), len(times), failed, *most


async def main():
    for what, kind, number in [("nobody", "", 0), ("never read", "never_read", 4200), ("a byte a second", "slowly", 1000), ("coverage", "coverage", 2000)]:
        attackers = subprocess.Popen([sys.executable, __file__, "--as", kind, str(number), str(port), name]) if kind else None
        await asyncio.sleep(5 if kind else 1)
        half, last, worst, asked, failed, own, kernel = await measured()
        print(f"{what:16} {number:5} clients: median {half:6.1f} ms, 99 % {last:6.1f} ms, worst {worst:7.1f} ms of {asked}, {failed} failed; server {own:.0f} MiB, sockets {kernel:.0f} MiB", flush=True)
        if attackers:
            attackers.kill()
            attackers.wait()
        await asyncio.sleep(2)


async def attack():
    await asyncio.gather(*(again({"never_read": never_read, "slowly": slowly, "coverage": coverage}[kind], one) for one in range(number)))


if sys.argv[1] == "--as":
    asyncio.run(attack())
else:
    try:
        asyncio.run(main())
    finally:
        server.terminate()
        server.wait()
        log.wait()
