import { expect, test } from "bun:test";
import { z } from "zod";
import { ImportResult } from "../../../src/core/schema/keeping/import.ts";
import { entitiesApi } from "../../support/api/entities.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";

const Lines = z.array(z.looseObject({ record: z.string() }));

test("names that were merged and changed lead to the same entities elsewhere", async () => {
  await using there = await opened();
  await using here = await opened();
  const { entities, memories } = there;
  await memories.write({ content: "Anna Keller moved from Berlin to Rome." });
  await memories.write({ content: "Annika Weber flew to Oslo." });
  await memories.write({ content: "Bertram Nowak flew to Lima." });
  await there.settle();
  const idOf = async (name: string) => (await entities.list({ search: name }))[0]?.id ?? "none";
  const [anna, bertram] = [await idOf("Annika Weber"), await idOf("Bertram Nowak")];
  await entities.merge(anna, await idOf("Anna Keller"));
  await entities.change(bertram, { canonical_name: "Bert Novak" });
  const records = (await there.client.ok(Lines, "GET", "/api/v1/export")).slice(1, -1);
  const { results } = await here.client.ok(ImportResult, "POST", "/api/v1/import", { body: { records } });
  expect(results.filter(({ outcome }) => outcome !== "created")).toEqual([]);
  await here.settle();
  expect(await here.entities.counts()).toEqual(await entities.counts());
  for (const id of [anna, bertram]) {
    const [was, is] = [await entities.get(id), await here.entities.get(id)];
    expect([is.canonical_name, is.aliases.toSorted()]).toEqual([was.canonical_name, was.aliases.toSorted()]);
  }
  await here.memories.write({ content: "They saw Anna Keller and Bertram Nowak." });
  await here.settle();
  expect(await here.entities.counts()).toMatchObject({ "Annika Weber": 3, "Bert Novak": 2 });
});

interface Opened extends AsyncDisposable, Pick<InProcess, "client" | "settle"> {
  readonly entities: ReturnType<typeof entitiesApi>;
  readonly memories: ReturnType<typeof memoriesApi>;
}

async function opened(): Promise<Opened> {
  const { app, client, settle } = await openApp();
  return {
    client,
    settle,
    entities: entitiesApi(client),
    memories: memoriesApi(client),
    [Symbol.asyncDispose]: () => app.stop(),
  };
}
