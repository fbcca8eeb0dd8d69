import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

// One Cairn for the tests of this file: in memory, on a free port, gone with them.
let cairn;
let api;

before(async () => {
  const flags = ["serve", "--ephemeral", "--port", "0", "--ready-json", "--log-level", "error"];
  cairn = spawn("cairn", flags, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(cairn.stdout), "line");
  api = `${JSON.parse(line).url}/api/v1`;
});

after(async () => {
  cairn.kill();
  await once(cairn, "exit");
});

const post = async (path, body) => {
  const headers = { "content-type": "application/json" };
  return (await fetch(`${api}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
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
