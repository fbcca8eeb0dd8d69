import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { Entity, Graph } from "../../../src/core/schema/entity.ts";
import { ENTITIES, entitiesApi, GRAPH } from "../../support/api/entities.ts";
import type { TestApp } from "../../support/app.ts";
import { startApp, temporaryFolder } from "../../support/app.ts";

const COUNT = 12;
const LARGE = 30_000;
/** Three entities of this size fit. */
const FIT = 3;

const folder = temporaryFolder();
let app: TestApp;
beforeAll(async () => {
  const before = await startApp({ folder: folder.path, flags: ["--metadata-bytes-limit=1000000"] });
  const entities = entitiesApi(before.client);
  const enter = (canonical_name: string, bytes: number) =>
    entities.upsert({ entity_type: "concept", canonical_name, attributes: { text: "x".repeat(bytes) } });
  for (let i = 0; i < COUNT; i++) await enter(`Heron ${String.fromCharCode(97 + i)}`, LARGE);
  await enter("Aardvark", 500_000);
  await before.stop();
  app = await startApp({ folder: folder.path, flags: ["--reply-bytes-limit=100000"] });
});
afterAll(async () => {
  await app.stop();
  folder.remove();
});

describe("however large what was entered is, entities end before a reply grows too large, and", () => {
  test.each([
    ["list", ENTITIES, (body: unknown) => z.array(Entity).parse(body)],
    ["graph", GRAPH, (body: unknown) => Graph.parse(body).nodes],
  ] as const)("a walk of the %s by offset meets each once, one that is larger than a reply alone", async (...given) => {
    const [, path, entitiesOf] = given;
    const pages: string[][] = [];
    let next: string | null = "0";
    while (next !== null && pages.length <= COUNT) {
      const query = { limit: 500, offset: Number(next) };
      const { status, body, headers } = await app.client.call("GET", path, { query });
      expect(status).toBe(200);
      const found = entitiesOf(body);
      expect(found.every(({ attributes }) => String(attributes?.text).length >= LARGE)).toBe(true);
      pages.push(found.map(({ canonical_name }) => canonical_name));
      next = headers.get("X-Next-Offset");
      expect(headers.get("X-Truncated")).toBe(next === null ? null : "true");
    }
    expect(pages.map((page) => page.length)).toEqual([1, FIT, FIT, FIT, FIT]);
    expect(new Set(pages.flat()).size).toBe(COUNT + 1);
  });
});
