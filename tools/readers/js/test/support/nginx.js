// nginx on loopback, as a server that nobody here wrote: it serves folders, and in some places as servers do that are set up otherwise.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const NGINX = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].find(existsSync);
export const NO_NGINX = NGINX ? false : "nginx is not here";

/**
 * Serves `folders`, a map from places such as "/books/" to paths, by two servers: `url`, and `other`, another origin. Places of each folder's files:
 * as they are; under /single one range a request at most; under /whole none; under /gzip as NAME.gz beside them; under /moved behind a redirect. `other` allows
 * pages of all origins under /open, shows them ETag and Content-Range as well under /shown, and doesn't allow them elsewhere. `log()` are its requests.
 */
export async function startNginx(folder, folders) {
  mkdirSync(folder, { recursive: true });
  const [port, otherPort] = [await freePort(), await freePort()], log = join(folder, "access.log");
  writeFileSync(join(folder, "nginx.conf"), configuration(folder, folders, port, otherPort, log));
  const server = spawn(NGINX, ["-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")], { stdio: "ignore" });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  process.on("exit", () => server.kill());
  await Promise.all([port, otherPort].map((one) => waitFor(one, server)));
  return {
    url: `http://127.0.0.1:${port}`,
    other: `http://127.0.0.1:${otherPort}`,
    log: () => readFileSync(log, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line)),
    async close() {
      server.kill("SIGTERM");
      await ended;
    },
  };
}

function configuration(folder, folders, port, otherPort, log) {
  const places = (prefix, extra = "") => Object.entries(folders).map(([place, path]) =>
    `location ${prefix}${place} { alias ${path.replace(/\/?$/, "/")}; ${extra} }`).join("\n");
  const open = "add_header Access-Control-Allow-Origin *;", shown = "add_header Access-Control-Expose-Headers 'ETag, Content-Range';";
  return `
    ${process.getuid() === 0 ? "user root;" : ""} daemon off; worker_processes 1; pid ${folder}/pid;
    events {}
    http {
      types { text/html html; text/javascript js; text/css css; application/json json; }
      default_type application/octet-stream;
      log_format ranges escape=json '{"path":"$uri","status":$status,"bytes":$bytes_sent,"body":$body_bytes_sent,"range":"$http_range","method":"$request_method"}';
      access_log ${log} ranges;
      ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) => `${one}_temp_path ${folder}/${one};`).join(" ")}
      server {
        listen 127.0.0.1:${port};
        location = /blank.html { return 200 "<!doctype html><title>blank</title>"; }
        location = /favicon.ico { return 204; }
        location /moved/ { rewrite ^/moved(/.*)$ $1 redirect; }
        ${places("")} ${places("/single", "max_ranges 1;")} ${places("/whole", "max_ranges 0;")} ${places("/gzip", "gzip_static always;")}
      }
      server {
        listen 127.0.0.1:${otherPort};
        ${places("")} ${places("/open", open)} ${places("/shown", open + shown)}
      }
    }`;
}

async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Waits until a server listens; fails if it has ended. */
async function waitFor(port, server) {
  for (;;) {
    if (server.exitCode !== null) throw new Error("nginx ended: see error.log in its folder");
    const listens = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.end());
    });
    if (listens) return;
    await sleep(20);
  }
}
