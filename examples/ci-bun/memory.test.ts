import { afterAll, beforeAll, expect, test } from "bun:test";

/** One Cairn for the tests of this file: in memory, on a free port, gone with them. */
let cairn: Bun.Subprocess<"ignore", "pipe", "inherit">;
let api: string;

beforeAll(async () => {
  cairn = Bun.spawn(["cairn", "serve", "--ephemeral", "--port", "0", "--ready-json", "--log-level", "error"], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let line = "";
  for await (const chunk of cairn.stdout) {
    line += new TextDecoder().decode(chunk);
    if (line.includes("\n")) break;
  }
  if (!line) throw new Error(`Cairn did not start; its exit code is ${await cairn.exited}.`);
  const { url }: { readonly url: string } = JSON.parse(line);
  api = `${url}/api/v1`;
}, 30_000);

afterAll(async () => {
  cairn.kill();
  await cairn.exited;
});

const post = async (path: string, body: object): Promise<unknown> =>
  (
    await fetch(`${api}${path}`, {
      method: "POST",
      redirect: "error",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  ).json();

test("what was saved is found in other words", async () => {
  await post("/memories", { content: "The staging database is reset every night at two." });
  const found = await post("/search", { query: "when is staging wiped?", top_k: 1 });
  expect(found).toMatchObject({ items: [{ content: "The staging database is reset every night at two." }] });
});

test("a fresh instance holds nothing of another run", async () => {
  const response = await fetch(`${api}/memories/count`);
  expect(await response.json()).toMatchObject({ count: 1 });
});
