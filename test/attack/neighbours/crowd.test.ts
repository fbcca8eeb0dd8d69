import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";
import { as, hasUsers, NEIGHBOUR } from "./users.ts";

// Another account of the machine takes all connections of a server, with requests that never end.

setDefaultTimeout(120_000);
const children = new Set<Bun.Subprocess>();
afterAll(async () => {
  for (const child of children) child.kill();
  await cleanUp();
});

const LIMIT = 100;
const CROWD = 400;
const TRIES = 20;

/** Holds connections with half a request each, and begins those again that are ended. */
const SCRIPT = `const port = Number(process.argv.at(-1));
let begun = 0;
const again = () => setTimeout(begin, 100);
const begin = () => Bun.connect({ hostname: "127.0.0.1", port, socket: {
  open: (socket) => { socket.write("GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nX-A: "); if (++begun === ${CROWD}) console.log("full"); },
  data() {}, close: again, error() {},
} }).catch(again);
for (let i = 0; i < ${CROWD}; i++) begin();`;

async function crowd(user: number, port: number): Promise<void> {
  const child = Bun.spawn(as(user, [process.execPath, "-e", SCRIPT, String(port)]), {
    cwd: tmpdir(),
    env: { HOME: tmpdir(), PATH: process.env.PATH },
    stdout: "pipe",
  });
  children.add(child);
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain("full");
}

/** Answers of the owner, each over a connection of its own. */
async function answers(port: number): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < TRIES; i++) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/health`, { keepalive: false });
    await answer.text();
    all.push(answer.status);
    await Bun.sleep(50);
  }
  return all;
}

describe.skipIf(!hasUsers)("a crowd of connections of another account", () => {
  test("keeps the owner of a server without keys from nothing", async () => {
    const server = await spawnServer({ folder: aFolder(), flags: [`--connections-limit=${LIMIT}`] });
    await crowd(NEIGHBOUR, server.port);
    const told = await answers(server.port);
    expect(told.filter((status) => status !== 200).length).toBeLessThan(TRIES / 5);
    expect(server.log()).toContain("other accounts' connections ended");
  });
});
