import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { peerInTable, peerUser } from "../../../src/core/kernel/sockets/peer-user.ts";
import { aFolder, cleanUp, firstLine, spawnServer, until } from "../../fault/server.ts";
import { REUSE_ADDRESS, rawSocket } from "../support/raw-sockets.ts";
import { as, hasUsers, NEIGHBOUR } from "./users.ts";

// Another account calls a server that asks nobody for a key, and is gone when it is asked who called. Asked for a socket that is no
// more, the kernel tells of another one: of whoever listens at the port that the call came from.

setDefaultTimeout(60_000);
afterAll(cleanUp);

const isLinux = process.platform === "linux";
const HOST = "127.0.0.1";
const OWN = process.getuid?.() ?? -1;
const WAYS = [peerUser, peerInTable];

const SQUATTER = [process.execPath, `${import.meta.dir}/../support/squatter.ts`];

/** Whether some socket is an end of a connection from that port. */
const hasConnectionFrom = (port: number): boolean =>
  readFileSync("/proc/net/tcp", "latin1").includes(
    ` 0100007F:${port.toString(16).toUpperCase().padStart(4, "0")} 0100007F:`,
  );

test.skipIf(!isLinux)("whoever listens where a call came from did not make it", async () => {
  const { port, pid, client } = await spawnServer({ folder: aFolder() });
  const squatter = Bun.spawn(hasUsers ? as(NEIGHBOUR, SQUATTER) : SQUATTER, {
    cwd: tmpdir(),
    env: { HOME: tmpdir(), PATH: process.env.PATH },
    stdin: "pipe",
    stdout: "pipe",
  });
  const taken = Number(await firstLine(squatter.stdout));
  const victim = rawSocket({ waits: false });
  victim.set(REUSE_ADDRESS, 1);
  expect([taken > 0, victim.bind(taken), victim.listen(8)]).toEqual([true, true, true]);
  const body = JSON.stringify({ content: "The night porter wrote this without leave." });
  const head = `Host: ${HOST}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  // A server that has much to do hears of the call when whoever made it is gone.
  process.kill(pid, "SIGSTOP");
  squatter.stdin.write(`${JSON.stringify([port, `POST /api/v1/memories HTTP/1.1\r\n${head}\r\n\r\n${body}`])}\n`);
  await squatter.stdin.end();
  expect(await squatter.exited).toBe(0);
  await until("the call has left", async () => !hasConnectionFrom(taken));
  process.kill(pid, "SIGCONT");
  await Bun.sleep(500);
  const { body: rows } = await client.call("GET", "/api/v1/memories");
  expect(JSON.stringify(rows)).not.toContain("night porter");
  victim.close();
});

test.skipIf(!isLinux)("by either way to ask, no other socket is taken for the one that is gone", async () => {
  const [server, victim] = [rawSocket({ waits: false }), rawSocket({ waits: false })];
  for (const socket of [server, victim]) expect([socket.bind(0), socket.listen(0)]).toEqual([true, true]);
  const own = { address: HOST, port: server.port() };
  for (const ask of WAYS) expect(ask({ address: HOST, port: victim.port() }, own)).toBe("gone");
  // Where nothing more is accepted, the second connection, or the third, is asked for only: so is one that took over the ends of another.
  const connections = Array.from({ length: 4 }, () => rawSocket({ waits: false }));
  for (const one of connections) one.connect(own.port);
  const users = WAYS.map((ask) => connections.map((one) => ask({ address: HOST, port: one.port() }, own)));
  expect(users[0]).toEqual(users[1] ?? []);
  expect([users[0]?.at(0), users[0]?.at(-1)]).toEqual([{ uid: OWN }, "gone"]);
  for (const socket of [server, victim, ...connections]) socket.close();
});

test.skipIf(!isLinux)(
  "a connection is its account's by either way to ask, and by each family of addresses",
  async () => {
    const cases = [
      ["127.0.0.1", "127.0.0.1"],
      ["::1", "::1"],
      ["127.0.0.1", "::ffff:127.0.0.1"],
    ] as const;
    for (const [listens, calls] of cases) {
      const own = Bun.listen({ hostname: listens, port: 0, socket: { data: () => {} } });
      const { promise, resolve } = Promise.withResolvers<number>();
      const socket = await Bun.connect({
        hostname: calls,
        port: own.port,
        socket: { data: () => {}, open: (one) => resolve(one.localPort) },
      });
      const peer = { address: listens, port: await promise };
      for (const ask of WAYS) {
        expect([calls, ask(peer, { address: listens, port: own.port })]).toEqual([calls, { uid: OWN }]);
        expect([calls, ask(peer, { address: listens, port: own.port + 1 })]).toEqual([calls, "gone"]);
        expect([calls, ask({ ...peer, port: 1 }, { address: listens, port: own.port })]).toEqual([calls, "gone"]);
      }
      socket.end();
      own.stop(true);
    }
  },
);
