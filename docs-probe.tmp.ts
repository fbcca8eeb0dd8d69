import { operations } from "./src/http/routes/all.ts";
import { createServer } from "./src/http/server.ts";
import type { Services } from "./src/ports/context.ts";

const t0 = performance.now();
const server = createServer(
  {
    log: { info() {}, error() {}, warn() {}, debug() {} },
    standalone: true,
    clock: { now: () => Date.now() },
  } as unknown as Services,
  operations,
);
server.listen({ port: 4599, hostname: "127.0.0.1" });
console.log("listening", performance.now() - t0);
