import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { DocumentWritten } from "../../../src/core/schema/document.ts";
import { OrgSettings } from "../../../src/core/schema/settings.ts";
import { CAIRN } from "../../fault/server.ts";
import { enableFactory } from "../../support/api/skills.ts";
import { startApp, temporaryFolder } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

// The page on skills, and the rules that it tells of.

const PAGE = await Bun.file(resolve(import.meta.dir, "../../../docs/skills.md")).text();
const [, EXAMPLE = ""] = /## What a skill holds\n\n```sh\n([\s\S]*?)```/.exec(PAGE) ?? [];
const [, JSON_TEXT = "{}"] = /<<'END'\n([\s\S]*?)\nEND\n/.exec(EXAMPLE) ?? [];
const data = z.record(z.string(), z.unknown()).parse(JSON.parse(JSON_TEXT));
/** Fields of the table, with what it says of when they are needed. */
const FIELDS = [...PAGE.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| ([\w ]*) \|/gm)].flatMap(([, names = "", when = ""]) =>
  [...names.matchAll(/\w+/g)].map(([name]) => ({ name, when: when.trim() })),
);

const folder = temporaryFolder();
const app = await startApp();
afterAll(async () => {
  await app.stop();
  folder.remove();
});
const write = (fields: Record<string, unknown>) => ({
  body: { tenant_id: TENANT, collection: "skills", doc_id: "cut-release", data: fields },
});

test("the example runs as it stands, and its skill is delivered", async () => {
  const bin = join(folder.path, "bin");
  mkdirSync(bin);
  const words = CAIRN.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "cairn"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, "cairn"), 0o755);
  const ran = Bun.spawnSync(["sh", "-e", "-c", EXAMPLE], {
    cwd: folder.path,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder.path, CAIRN_EMBEDDER: "hash" },
  });
  expect([ran.exitCode, ran.stderr.toString()]).toEqual([0, expect.not.stringContaining("cairn:")]);
  expect(ran.stdout.toString()).toMatch(/cut-release.*yes|yes.*cut-release/);
}, 60_000);

describe("where the factory is on", () => {
  test("the example is taken, and without all that the page requires it is refused, in one answer", async () => {
    const { client } = app;
    await enableFactory(client, {});
    await client.ok(DocumentWritten, "POST", "/api/v1/documents", write(data));
    const required = FIELDS.filter(({ when }) => when === "required").map(({ name }) => name);
    const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !required.includes(name)));
    const { status, body } = await client.refused("POST", "/api/v1/documents", write(rest));
    const places = z.array(z.object({ loc: z.array(z.string()), type: z.literal("missing") })).parse(body.detail);
    expect([status, places.map(({ loc }) => loc.at(-1)).sort()]).toEqual([422, required.toSorted()]);
    const optional = Object.keys(data).filter((name) => !required.includes(name));
    const bare = Object.fromEntries(Object.entries(data).filter(([name]) => !optional.includes(name)));
    await client.ok(DocumentWritten, "POST", "/api/v1/documents", write(bare));
  });

  test("the page names every member that a stored skill has, and the limits as they are", async () => {
    const stored = await app.client.ok(
      z.looseObject({ data: z.record(z.string(), z.unknown()) }),
      "GET",
      "/api/v1/documents/cut-release",
      {
        query: { tenant_id: TENANT, collection: "skills" },
      },
    );
    const named = new Set([...PAGE.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(Object.keys(stored.data).filter((name) => !named.has(name))).toEqual([]);
    const { description_max_bytes, body_max_bytes } = OrgSettings.parse({}).skills_factory;
    expect(PAGE).toContain(`\`description_max_bytes\` (${description_max_bytes}) bytes`);
    expect(PAGE).toContain(`\`body_max_bytes\` (${body_max_bytes.toLocaleString("en")}) bytes`);
  });
});
