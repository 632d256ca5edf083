#!/usr/bin/env python3
"""make_seeds.py FOLDER writes the seeds of each target into FOLDER/TARGET: what a fuzzer would take
long to come upon. What it found itself is in corpus/."""

import bz2
import gzip
import io
import struct
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GOLDEN = HERE.parent / "format-spec" / "golden"


def put(target, name, content):
    folder = Path(sys.argv[1]) / target
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        content = content.encode()
    (folder / f"seed-{name}").write_bytes(content)


# --- book: kind, mend, then see fuzz_targets/book.rs and src/mend.rs
GOLDENS = 18  # as many as src/lib.rs has
for index in range(GOLDENS):
    put("book", f"golden-{index}", bytes([2, 0, index]))
put("book", "raw-text", b"\0\0this is no book\n")
put("book", "raw-golden-cut", b"\0\0" + (GOLDEN / "one-row.tabia").read_bytes()[:4500])
put("book", "raw-golden", b"\1\0" + (GOLDEN / "one-row.tabia").read_bytes())
EDITS = {
    "header-byte": [0, *struct.pack("<I", 30), 7, *struct.pack("<Q", 1)],
    "section-field": [1, 0, 7, *struct.pack("<h", -1)],
    "section-value": [2, 1, 1, *struct.pack("<Q", 1 << 40)],
    "sequence": [3, 11, 0],
    "slot-key": [4, 13, 0, 0],
    "slot-bytes": [5, 0, 0, 8, 3, 1, 2, 3, 4],
    "slot-copy": [6, 0, 0, 0, 1],
    "slot-empty": [7, 0, 0],
    "fill": [8, *struct.pack("<I", 8192), 200, 0xff],
    "cut": [9, *struct.pack("<I", 9000)],
    "extend": [10, *struct.pack("<H", 4096), 0],
    "resize": [11, 0, *struct.pack("<h", 24), 0xff],
    "resize-sources": [11, 4, *struct.pack("<h", 4000), 0],
    "insert": [12, 2, 1, *struct.pack("<H", 100), 9],
    "stretch-table": [13, 0, 9, 0, 4],
    "stretch-table-far": [13, 0, 9, 0, 40],
    "stretch-sources": [13, 4, 9, 0, 40],
    "plain": [14, 2, 0, 8, 1, 0, 0, 0, 0, 0, 0, 0],
    "share": [3, 5, 1, 3, 12, 1],
}
for name, edit in EDITS.items():
    for mend in (0, 0xc0, 0xff):
        put("book", f"{name}-{mend:02x}", bytes([2, mend, 1, *edit]))
# Of the golden book with all columns, the eleventh: its cells.
CELLS = {"cell-bytes": [5, 3, 0, 8, 3, 1, 2, 3, 4], "cell-copy": [6, 4, 0, 4, 1], "cell-empty": [7, 5, 0], "stretch-column": [13, 8, 9, 0, 4]}
for name, edit in CELLS.items():
    put("book", f"{name}-00", bytes([2, 0, 11, *edit]))


def rows(load, tables, positions, moves):
    out = struct.pack("<HBBB", load, tables, len(positions), len(moves))
    return out + b"".join(map(bytes, positions)) + b"".join(map(bytes, moves))


POSITIONS = [[1, 2, 3, 5, 2, 1, key] for key in (0, 1, 12, 13, 14, 16, 17, 18, 60, 61, 62, 63)]
MOVES = [[1, 2, 3, 1, key, code] for key in (0, 13, 16) for code in range(4)]
put("book", "rows", bytes([3, 0]) + rows(300, 0, POSITIONS, MOVES))
put("book", "rows-tight", bytes([3, 0]) + rows(480, 2, POSITIONS, []) + bytes([0]))
for columns in range(1, 8):
    put("book", f"rows-columns-{columns}", bytes([3, 0]) + rows(300, columns * 32, POSITIONS, [move[:6] + [5] * 6 for move in MOVES]))
put("book", "rows-swap", bytes([3, 0]) + rows(0, 1, [], MOVES) + bytes([0, 6, 0, 1, 0, 2]))

# --- journal: book, below 64 as it is, else described: see src/journal.rs
for path in sorted(GOLDEN.glob("*.tabia-journal")):
    content = path.read_bytes()
    if 0 < len(content) <= 512:
        put("journal", path.name.removesuffix(".tabia-journal"), bytes([0, 0]) + content)
ADD, PUT, DELETE = 0, 16, 24
ROW = [1, 2, 3, 5, 2, 1]
FRAME = [0, 3, ADD, 1, *ROW, ADD + 3, 15, 1, 0, 2, 7, 1, 7, 9, 4, *b"a.pg"]
for book in range(GOLDENS):
    put("journal", f"described-{book}", bytes([book, 64, 0, 0, *FRAME, *FRAME]))
put("journal", "put-delete", bytes([1, 64, 0, 0, 0, 2, PUT, 0, *ROW, PUT + 3, 0, 1, 0, 2, 7, 1, 1, 2, DELETE, 0, *ROW, DELETE + 3, 0, 1, 0, 2, 7, 1]))
put("journal", "held", bytes([0, 64, 0, 2, *FRAME, *FRAME, *FRAME]))
put("journal", "stale", bytes([0, 64, 0, 3, *FRAME]))
put("journal", "torn", bytes([0, 64, 0, 0, *FRAME, 200, *FRAME[1:], 40]))
put("journal", "zeros", bytes([0, 64, 0, 0, *FRAME, 220, *struct.pack("<I", 77)]))
for spoil in range(8):
    put("journal", f"spoilt-{spoil}", bytes([0, 64, 0, 0, *FRAME, 230, spoil, 50, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8]))
    put("journal", f"header-{spoil}", bytes([0, 64, 192 + spoil, 0, *FRAME, 0, 0, 0, 0, 0, 0, 0, 1]))

# --- merge: books, tables, loads, order, then rows
for books in range(4):
    some = b"".join(bytes([kind, key, 1, 2, 250, 3, 2, 5]) for kind in range(8) for key in (0, 13, 16))
    for tables in (0, 1, 2, 9, 21, 42, 63):
        put("merge", f"{books}-{tables}", struct.pack("<BBIB", books, tables, 0x2040_80ff, 0x31 + books) + some)

# --- pgn
GAME = '[Event "Ours"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4 7. Nxd4 c5 1-0\n'
PGN = {
    "plain": GAME + "\n" + GAME.replace("1-0", "0-1"),
    "crlf-bom": "\ufeff" + GAME.replace("\n", "\r\n"),
    "comments": '[Result "1/2-1/2"]\n\n1. e4! {best (by test)} e5?! $1 (1... c5 2. Nf3 {Open} (2. c3 d5) 2... d6) 2. Nf3 ; rest\n2... Nc6 1/2-1/2\n',
    "fen": '[FEN "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n[Result "*"]\n\n1. e4 Kd4 2. e5 Kxe5 1/2-1/2\n',
    "960": '[Variant "Chess960"]\n[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]\n[Result "0-1"]\n\n9. O-O O-O 0-1\n',
    "variant": '[Variant "Atomic"]\n[Result "1-0"]\n\n1. e4 1-0\n',
    "no-tags": "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4 *\n",
    "broken": '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n\n[Event "y"]\n[Result "1-0"]\n\n1. e4 {never closed\n\n[Event "z"]\n[Result "0-1"]\n\n1. -- e5 0-1\n\n[Event "cut"]\n[Result "0-1"]\n\n1. e4 e',
    "again": '[Result "1/2-1/2"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1!? Ng8 1/2-1/2\n',
    "promotion": '[FEN "8/P6k/8/8/8/8/p6K/8 w - - 0 1"]\n[Result "1-0"]\n\n1. a8=Q a1=N 2. Qa7+ Kh8 3. h2g1 1-0\n',
    "en-passant": '[Result "1-0"]\n\n1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 4. a2a4 b5 5. axb5 axb5 6. Rxa8 1-0\n',
    "spellings": '[Result "0-1"]\n\n1. e2-e4 e7e5 2. Ng1-f3 Nb8c6 3. Bf1b5 Ng8f6 4. 0-0 Nf6:e4 5. R1 0-1\n',
    "percent": '% a line\n[Event "x"]\n%another\n[Result "1-0"]\n\n1. e4\n% in between\ne5 1-0\n',
    "glued": '[Result "0-1"]\n\n1.f3 e5 2.g4 Qh4#0-1\n',
}
for name, text in PGN.items():
    put("pgn", name, text)
put("pgn", "latin-1", GAME.replace("Ours", "Z\u00fcrich").encode("latin-1"))
put("pgn", "gz", gzip.compress(GAME.encode(), mtime=0))
put("pgn", "bz2", bz2.compress(GAME.encode()))
# A zstd frame of one raw block: magic, single segment with a size of one byte, the block's header, the bytes.
TEXT = PGN["again"].encode()
put("pgn", "zst", b"\x28\xb5\x2f\xfd\x20" + bytes([len(TEXT)]) + struct.pack("<I", len(TEXT) << 3 | 1)[:3] + TEXT)
put("pgn", "zst-cut", b"\x28\xb5\x2f\xfd\x20" + bytes([200]) + struct.pack("<I", 200 << 3 | 1)[:3] + TEXT)

# --- load
DUMP = """#tabia-rows\t1
#game\tchess
#keys\tpolyglot
#keyed\tposition
#load\t0.800
#source\t4401ae48952ec8ab3d0106715c512837\t4\tcaf\u00e9\\t\\\\.pgn
# counts of positions are seen from the side to move
#positions\tkey\twins\tdraws\tlosses\teval\tdepth\tflags
823c9b50fd114196\t1\t0\t2\t-30\t18\t0
463b96181691fc9c\t2\t1\t1\t-\t0\t16
#moves\tkey\twins\tdraws\tlosses\tmove\tmarks
463b96181691fc9c\t2\t0\t1\t796\t1
463b96181691fc9c\t4294967295\t0\t1\t796\t64
#end
"""
put("load", "dump", DUMP)
put("load", "cut", DUMP[:-5])
COLUMNS = "mover_rating_sum\topponent_rating_sum\trated_games\trated_score\tgame\tfirst_year\tlast_year"
PLAYED = "0000000000000001\t7\t5000\t4900\t2\t18446744073709551615\t15e00123456789ab\t1990\t2024\n0000000000000001\t7\t1\t2\t3\t4\tffffffffffffffff\t0\t0\n"
put("load", "columns", f"#share\t1/1\n#fact\t-\tcounts\tlearned\n#fact\t4401ae48952ec8ab3d0106715c512837\tplan.max-ply\t40\n#moves\tkey\tmove\t{COLUMNS}\n{PLAYED}")
put("load", "share", "#share\t4/4\n#positions\tkey\n463b96181691fc9c\n0000000000000000\n")
put("load", "few", "#moves\tmove\tkey\n7\t0000000000000001\n\n7\tFFFFFFFFFFFFFFFF\r\n")
JSON = """{"table":"book","version":1,"game":"chess","keys":"polyglot","keyed":"line","load":0.7,"filter":true,"tables":["positions"]}
{"table":"source","digest":"9a31699e96dea31a473ecb514984ba22","games":1,"name":"\\u00fc.pgn"}
{"table":"positions","key":"463b96181691fc9c","wins":2,"draws":2,"losses":2,"eval":-5,"depth":9,"flags":17}
{"table":"moves","key":"463b96181691fc9c","wins":2,"draws":1,"losses":0,"move":796,"marks":1}
{"table":"end"}
"""
put("load", "json", JSON)
put("load", "json-columns", '{"table":"book","share":"1/1","columns":["years"]}\n{"table":"fact","subject":null,"name":"note","value":"x"}\n'
    '{"key":"0000000000000001","move":7,"game":"15e00123456789ab","rated_score":18446744073709551615}\n')
put("load", "json-few", '{"key":"0000000000000001","move":7}\n{"wins":3,"key":"FFFFFFFFFFFFFFFF","eval":null}\n')
put("load", "line", "#keyed\tline\n#game\tothello\n#load\t0.98\n#positions\tkey\n")
put("load", "bad", "#positions\tkey\tkey\n")
put("load", "values", "chess polyglot sixteen-letters0 0.5 0.98 1e-1 nan inf 2G 512M 64KiB 16m 463b96181691fc9c 99999999999999999999T")
put("load", "moves", "startpos\ne4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4 c5 Ne2 Qxd1 Rxd1")
put("load", "fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\nNf3 Ng8f6 e4-e5 -- f1c4 O-O 0-0")
put("load", "960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\nO-O g8h8 g1h1 f1g1")
put("load", "ep", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1\nexd6 e5d6 a5b5 exd6ep")
put("load", "ep-check", "8/8/8/8/3pP3/8/8/k3K2R b K e3 0 1\ndxe3 a1b2 O-O")
put("load", "check", "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1\nO-O Kxe2 Kd8 Rh8#")
put("load", "promotion", "8/P6k/8/8/8/8/p6K/1N6 w - - 0 1\na8=Q axb1=R a7a8n a8q a8")

# --- sgf: the archive as it is
put("sgf", "game", "(;GM[1]FF[4]SZ[9]RE[B+R]PB[a]PW[b]BR[2000]WR[1900];B[ee];W[cc](;B[gg]TE[1])(;B[dd]))")
put("sgf", "large", "(;RE[W+R]KM[6.5];B[pd];W[dd];B[pq];W[dq];B[fc];W[cf]C[a \\] b])")
put("sgf", "set-up", "(;SZ[9]HA[2]RE[0]AB[cc][gg:gh]AW[aa]AE[cc];W[ee];B[])")
put("sgf", "two", "(;GM[1]SZ[3];B[aa];W[bb];B[];W[])\n(;GM[1]SZ[3]RE[B+1];B[bb]\n(;GM[1]SZ[3]RE[B+1]C[;B[aa])\n(;GM[1]SZ[3]RE[B+1];B[cc])")
put("sgf", "suicide", "(;SZ[3]RU[NZ]RE[B+1];B[];W[ba];B[];W[ab];B[aa];W[bb])")
put("sgf", "setup-text", "3/1X1/O2 w")

# --- archive: the archive as it is
put("archive", "othello-text", "[Black \"A\"]\n[Result \"40-24\"]\n\n1. F5 D6\n2. C3 D3\n\n[FEN \"" + "-" * 27 + "OX------XO" + "-" * 27 + " X\"]\n[Result \"1-0\"]\nf5 f6 1-0\n")
put("archive", "transcripts", "f5d6c3d3c4f4 1-0\nf5f6e6f4 20-44\nf5d6 *\n")
put("archive", "ggf", "(;GM[Othello]PC[x]PB[a]PW[b]RE[+12.000]TY[8]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *]B[f5//1.0]W[d6/2.5]B[c3];)\n")
wthor = bytes([20, 1, 2, 3]) + struct.pack("<IHH", 2, 0, 2001) + bytes([8, 0, 24, 0])
for moves in [(56, 64, 33), (56, 66, 65, 46)]:
    wthor += struct.pack("<HHHBB", 1, 2, 3, 40, 40) + bytes(moves) + bytes(60 - len(moves))
put("archive", "wthor", wthor)
put("archive", "pdn", "[Event \"x\"]\n[Result \"1-0\"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n\n[GameType \"20\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n")
files = io.BytesIO()
with tarfile.open(fileobj=files, mode="w", format=tarfile.GNU_FORMAT) as tar:
    for name, text in [("a.sgf", "(;SZ[9]RE[B+1];B[ee];W[cc])"), ("b.pgn", "[Result \"1-0\"]\n1. e4 e5 1-0\n"), ("README", "x"), ("c.sgf", "")]:
        entry = tarfile.TarInfo(name)
        entry.size = len(text)
        tar.addfile(entry, io.BytesIO(text.encode()))
put("archive", "tar", files.getvalue()[:4096])

# --- lines: the game (an index of all of them), whether keys are those of lines, text
CHESS = "# ours\n\ne4 e5 Nf3 Nc6 Bb5 a6 1-0\r\nf3 e5 g4 Qh4# 0-1 # mate\n"
LINES = {
    "chess": (0, CHESS),
    "bom": (0, "\ufeff" + CHESS),
    "cut": (0, "e4 e5 1-0\ne4 e5 Nf"),
    "faults": (0, "e4 Ke7 1-0\ne4 *\n1/2\ne4 1-0 e5 1-0\n-- 0-1\nhello\n#\n  \t\ne4 e5"),
    "othello": (1, "f5 d6 c3 d3 c4 1-0\nc4 c3 d3 c5 1/2-1/2\nd3 c5 0-1\n"),
    "go": (24, "E5 C3 pass G7 1-0\nE5 G7 0-1\ne5 g3 1/2\npass pass 1-0\npass pass pass 1-0\n"),
    "checkers": (57, "11-15 23-19 8-11 22-17 1-0\n11-15 22-18 15x22 25x18 1/2-1/2\n9-13 24-20 0-1\n"),
    "draughts": (59, "32-28 18-23 28x19 14x23 1-0\n31-26 20-25 1/2\n"),
}
for name, (game, text) in LINES.items():
    for keyed in range(2):
        put("lines", f"{name}-{keyed}", bytes([game, keyed]) + text.encode())

# --- mcst: the board (7: 9x9, + 32: without symmetry, + 64: colors too), text
TREE = "{0 7 15\n{+41 4 9\n{-31 1 2} {-33 1 3} {-pass 0 1}}\n{+1 2 4 {-81 1 2}}\n{+9 2 2 {-73 0 1}}}\n"
MCST = {
    "tree": (7, TREE),
    "apart": (7 + 32, TREE),
    "colors": (7 + 64, TREE),
    "root": (7, "{0 0 0}"),
    "large": (17, "{ 0 1 2 { 181 1 2 { - pass 0 1 { +362 0 1 } } } }"),
    "captures": (0, "{0 0 1{1 1 1{-4 0 1{2 1 1{-3 1 1{+1 0 1{-pass 0 1{+4 1 1}}}}}}}}"),
    "counts": (7, "{0 4294967295 8589934590 {41 4294967295 4294967295} {41 1 1}}"),
    "wins": (7, "{0 2 1}"),
    "side": (7, "{0 1 1 {-41 1 1}}"),
    "number": (7, "{0 1 1 {+99999999999999999999 1 1}}"),
    "open": (7, "{0 1 1 {41 1 1"),
    "behind": (7, "{0 1 1}}"),
}
for name, (board, text) in MCST.items():
    put("mcst", name, bytes([board]) + text.encode())

# --- polyglot: weight, learn, least weight, header (see fuzz_targets/polyglot.rs), then the file
def entry(key, move, weight, learn=0):
    return struct.pack(">QHHI", key, move, weight, learn)


START, AFTER_E4 = 0x463B96181691FC9C, 0x823C9B50FD114196
SMALL = [entry(START, 796, 7, 3 << 16 | 4), entry(START, 731, 4), entry(START, 405, 0), entry(AFTER_E4, 3364, 1, 0xFFFFFFFF)]
HEADED = struct.pack("8x8s8x8s8x8s", b"@PG@\n1.0", b"\n1\nnorma", b"l\nours\0\0")
BOOKS = {
    "small": b"".join(SMALL),
    "empty": b"",
    "cut": b"".join(SMALL)[:-3],
    "unsorted": b"".join(reversed(SMALL)),
    "repeated": b"".join(SMALL + SMALL[-1:] * 3 + SMALL),
    "header": HEADED + b"".join(SMALL),
    "header-many": HEADED.replace(b"\n1\nn", b"\n9\nn"),
    "odd": entry(0, 1, 1) + entry(5, 0, 9) + entry(5, 0xFFFF, 1) + entry(2**64 - 1, 1, 65535),
    "heavy": (entry(7, 1, 65535, 0xFFFFFFFF) + entry(7, 2, 65534)) * 40 + entry(7, 3, 1),
}
for name, content in BOOKS.items():
    for choice in (0, 3, 5, 8, 0x8A, 0xFB):
        put("polyglot", f"{name}-{choice:02x}", bytes([choice]) + content)

# --- abk: a byte, nodes of 28 bytes behind a header, or with an odd byte a whole file
def node(start, to, games, won, lost, child, sibling, promotion=0, priority=5, deleted=0):
    return struct.pack("<BBBBIII4Bii", start, to, promotion, priority, games, won, lost, 0, 0, 0, deleted, child, sibling)


NODES = {
    "small": node(12, 28, 10, 5, 2, 901, 902) + node(52, 36, 6, 2, 2, -1, -1) + node(11, 27, 1, 0, 1, -1, -1, priority=0),
    "games": node(12, 28, 3, 0, 0, -1, -1),
    "cycle": node(6, 21, 1, 1, 0, 901, -1) + node(62, 45, 1, 1, 0, 902, -1) + node(21, 6, 1, 1, 0, 903, -1) + node(45, 62, 1, 1, 0, 900, -1),
    "tangled": node(12, 28, 1, 2, 3, 900, 5000) + node(0, 0, 1, 0, 0, -1, -1),
    "deleted": node(12, 28, 1, 1, 0, 901, 902, deleted=1) + node(52, 36, 1, 1, 0, -1, -1) + node(11, 27, 1, 0, 0, -1, -1, promotion=4),
}
for name, nodes in NODES.items():
    put("abk", name, b"\0" + nodes)
put("abk", "whole", b"\1\3AB2" + bytes(25196) + NODES["small"])


# --- ctg: a byte, the number of positions and these, or with an odd byte a whole file
def position(board, moves=b"", games=1, losses=0, wins=0, draws=0, recommendation=0):
    counts = b"".join(struct.pack(">I", number)[1:] for number in (games, losses, wins, draws))
    return bytes.fromhex(board) + bytes([len(moves) + 1]) + moves + counts + bytes(18) + bytes([recommendation, 0, 0])


START = "56b60f7960f3a60f58b078e0c1e1a60f5960f3b60f7f"
E4 = "56b60f7960f3a60f58b078e0c721a60f5960f3b60f7f"
POSITIONS = {
    "start": [position(START, bytes([95, 0, 230, 1]), 3, 1, 1, 1), position(E4, b"", 2, 1, 1, 0, 128)],
    "games": [position(START, bytes([95, 0xE0]))],
    "moves": [position(START, bytes([2, 0, 107, 0, 95, 0, 95, 0]))],
    "cut": [position(START)[:30]],
}
for name, entries in POSITIONS.items():
    put("ctg", name, bytes([0, len(entries)]) + b"".join(entries))


# --- edax: a byte, records, or with an odd byte a whole file
def record(player, opponent, lines, value, links, leaf):
    head = struct.pack("<QQIIIIhhhBB", player, opponent, *lines, sum(lines), value, value - 1, value + 1, len(links), 21)
    return head + b"".join(struct.pack("<bB", *link) for link in [*links, leaf])


BLACK, WHITE = 0x0000000810000000, 0x0000001008000000
RECORDS = {
    "start": record(BLACK, WHITE, (8, 4, 0), 1, [(1, 19), (1, 26), (1, 37), (1, 44)], (-127, 65)),
    "leaf": record(BLACK, WHITE, (0, 0, 0), 0, [], (0, 37)),
    "pass": record(0x7E, 0x80, (0, 0, 0), -5, [(-5, 64)], (-127, 65)),
    "odd": record(BLACK, WHITE, (0, 0, 1), 300, [(1, 37), (1, 37), (2, 0)], (3, 99)),
    "overlap": record(1, 1, (0, 0, 0), 0, [], (-127, 65)),
}
for name, records in RECORDS.items():
    put("edax", name, b"\0" + records)
put("edax", "whole", b"\1XADEKOOB\4\4" + bytes(28) + struct.pack("<i", 2) + RECORDS["start"] + RECORDS["leaf"])


# --- games: kind, whether sums are mended, see fuzz_targets/games.rs and src/games.rs
for name in ("games", "no-games", "g-14-full"):
    put("games", f"raw-{name}", b"\0\0" + (GOLDEN / f"{name}.tabia-games").read_bytes()[:60000])
put("games", "raw-text", b"\0\1this is no file of games\n")
for index in range(3):
    put("games", f"golden-{index}", bytes([1, 0, index]))
GAME_EDITS = {
    "header": [0, 0, 33, 1],
    "plies": [1, 0, 1],
    "index": [2, 0, 0, 3, 2, 1, 2],
    "index-longer": [3, 0, 0, 10, 10, *range(10), 0],
    "ends-swapped": [4, 0, 1, 0, 4, 0],
    "ends-twice": [4, 0, 1, 0, 4, 1],
    "names-swapped": [4, 0, 2, 0, 1, 0],
    "name-byte": [2, 0, 3, 4, 1, 10],
    "sources-swapped": [4, 0, 4, 0, 1, 0],
    "head-byte": [5, 0, 0, 0, 0, 0, 1, 8],
    "head-longer": [6, 0, 9, 0, 0, 0, 1, 0, 0],
    "moves-cut": [6, 0, 0, 2, 0, 0, 0, 9],
    "frame-cut": [7, 0, 0, 30, 0, 0, 0, 1],
    "frame-first": [7, 0, 1, 1],
    "frame-none": [7, 0, 2],
    "frame-twice": [7, 0, 3],
}
for name, edit in GAME_EDITS.items():
    put("games", f"part-{name}", bytes([1, 0, 0, 1, *edit]))
    put("games", f"bytes-{name}", bytes([1, 1, 0, 1, *edit, 0, 72, 1, 9]))
put("games", "cut", bytes([1, 0, 0, 0, 2, *struct.pack("<I", 36864)]))
put("games", "extended", bytes([1, 0, 0, 0, 3, 0, 16, 0, 0, 0]))


def game(digest, archive=0, names=(1, 2, 3, 0, 0), ratings=(2700, 2600), end=1, code=7, moves=1):
    # In the order in which the fields are read: names, digest, archive, result, ratings, year, set-up, offset, end, moves.
    return bytes([*names, digest, 0, archive, 1]) + struct.pack("<HH", *ratings) + bytes([90, 0]) + struct.pack("<Q", 815) + bytes([end, code, moves])


for name, games in {"one": [game(1)], "few": [game(n, n % 2, end=n % 4, moves=n) for n in range(9)], "frames": [game(n, moves=200) for n in range(6)]}.items():
    put("games", f"named-{name}", bytes([2, 0, len(games)]) + b"".join(games))
    put("games", f"named-{name}-edited", bytes([2, 0, len(games)]) + b"".join(games) + bytes([2, 5, 0, 0, 0, 0, 0, 1, 4, 7, 1, 1, 2]))
