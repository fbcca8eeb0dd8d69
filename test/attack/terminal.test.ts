import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import type { Server } from "../fault/server.ts";
import { aFolder, cleanUp, spawnServer } from "../fault/server.ts";
import { cairnIn } from "../support/command-line.ts";

// What strangers stored, printed by commands: whether a terminal or a program reads it, nothing in it is obeyed.

/** Against a hang alone. */
setDefaultTimeout(180_000);
afterAll(cleanUp);

/** Controls of both sets, turns of direction, tags, ends of lines that JSON leaves as they are, blank letters, selectors. */
const HIDDEN =
  "\x1b[8m \x9b31m \x7f \x85 \u202e \u2066 \u200b \ufeff \u{e0041}\u{e0042} \u2028 \u2029 \u3164 \ufe0f \u2060";
const OBEYED =
  /(?![\n\t])\p{Cc}|[\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\ufeff\u2060\u3164\u{e0000}-\u{e007f}]|(?<!\p{Extended_Pictographic})\ufe0f/u;
const content = `The heron logs ${HIDDEN} are kept. می‌خواهم 👩‍🚀`;
const name = `ada ${HIDDEN}`;

const data = aFolder();
const cairn = cairnIn(data, aFolder());
let server: Server;
let id = "";
beforeAll(async () => {
  server = await spawnServer({ folder: data });
  const { client } = server;
  const metadata = { [name]: [name], title: name };
  const body = { content, metadata, agent_id: name, fleet_id: name, source_uri: name, visibility: "scope_org" };
  id = (await client.ok(z.looseObject({ id: z.string() }), "POST", "/api/v1/memories", { body })).id;
  const document = { collection: name, doc_id: name, agent_id: name, data: { [name]: name, summary: content } };
  await client.ok(z.unknown(), "POST", "/api/v1/documents", { body: document });
  const rule = { doc_id: "rule", title: name, content, scope: "tenant", weight: "high" };
  await client.ok(z.unknown(), "POST", "/api/v1/keystones", { body: rule });
  const key = { tenant_id: "default", agent_id: name, label: name };
  await client.ok(z.unknown(), "POST", "/api/v1/keys", { body: key });
});

const COMMANDS: readonly (readonly string[])[] = [
  ["list"],
  ["search", "heron logs"],
  ["recall", "heron logs"],
  ["get", "ID"],
  ["history", "ID"],
  ["keystones", "list"],
  ["docs", "collections"],
  ["docs", "list", name],
  ["docs", "get", name, name],
  ["docs", "search", "heron logs"],
  ["agents", "list"],
  ["agents", "show", name],
  ["keys", "list"],
  ["settings", "get"],
  ["status"],
  ["contradictions"],
  ["docs", "get", name, `no ${name}`],
  ["list", "--type", name],
];

test.each(COMMANDS)("cairn %s %s shows what is hidden, and obeys none of it", async (...given) => {
  const words = given.map((word) => (word === "ID" ? id : word));
  const [plain, json] = [await cairn(words), await cairn([...words, "--json"])];
  for (const { out, err } of [plain, json]) expect([OBEYED.exec(out), OBEYED.exec(err)]).toEqual([null, null]);
  expect([plain.code, typeof JSON.parse(json.out)]).toEqual([json.code, "object"]);
});

test("JSON says with its escapes exactly what was stored, also in an export", async () => {
  const whole = z.looseObject({ content: z.string(), agent_id: z.string() });
  expect(whole.parse(JSON.parse((await cairn(["get", id, "--json"])).out))).toMatchObject({ content, agent_id: name });
  const { out } = await cairn(["export", "-", "--all-projects"]);
  expect(OBEYED.exec(out)).toBeNull();
  expect(out.split("\n").map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ content, metadata: { [name]: [name], title: name } }),
  );
});

test("texts stay readable in their language", async () => {
  const { out } = await cairn(["get", id]);
  expect(out).toContain("می‌خواهم 👩‍🚀");
});
