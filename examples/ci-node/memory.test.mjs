import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

// One Cairn for the tests of this file: in memory, on a free port, gone with them.
/** @type {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, null>} */
let cairn;
/** @type {string} */
let api;

before(async () => {
  const flags = ["serve", "--ephemeral", "--port", "0", "--ready-json", "--log-level", "error"];
  cairn = spawn("cairn", flags, { stdio: ["ignore", "pipe", "inherit"] });
  const failed = once(cairn, "exit").then(([code]) => {
    throw new Error(`Cairn did not start; its exit code is ${code}.`);
  });
  const [line] = await Promise.race([once(createInterface(cairn.stdout), "line"), failed]);
  failed.catch(() => {}); // From here on it ends when after() stops it.
  api = `${JSON.parse(line).url}/api/v1`;
});

after(async () => {
  const ended = once(cairn, "exit");
  if (cairn.kill()) await ended;
});

/** @type {(path: string, body: object) => Promise<any>} */
const post = async (path, body) => {
  const headers = { "content-type": "application/json" };
  return (
    await fetch(`${api}${path}`, { method: "POST", redirect: "error", headers, body: JSON.stringify(body) })
  ).json();
};

test("what was saved is found in other words", async () => {
  await post("/memories", { content: "The staging database is reset every night at two." });
  const { items } = await post("/search", { query: "when is staging wiped?", top_k: 1 });
  assert.match(items[0].content, /every night at two/);
});

test("a newer statement takes the place of an older one", async () => {
  const { id } = await post("/memories", { content: "Invoices are sent on the first of the month." });
  await post(`/memories/${id}/correct`, { content: "Invoices are sent on the fifth of the month." });
  const { items } = await post("/search", { query: "when are invoices sent?", top_k: 1 });
  assert.match(items[0].content, /the fifth/);
});
