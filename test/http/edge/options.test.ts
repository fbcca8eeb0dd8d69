import { afterAll, beforeAll, expect, test } from "bun:test";
import { z } from "zod";
import type { TestApp } from "../../support/app.ts";
import { startApp } from "../../support/app.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});

afterAll(() => app.stop());

test("OPTIONS tells the methods that the document has for an address, and no others", async () => {
  const { paths } = await app.client.ok(
    z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }),
    "GET",
    "/api/openapi.json",
  );
  const told: Record<string, string[]> = {};
  const documented: Record<string, string[]> = {};
  for (const [path, methods] of Object.entries(paths)) {
    const { status, headers } = await app.client.refused("OPTIONS", path.replace(/\{\w+\}/g, "x"));
    expect(status).toBe(405);
    told[path] = (headers.get("Allow") ?? "").split(", ").sort();
    documented[path] = Object.keys(methods)
      .map((method) => method.toUpperCase())
      .sort();
  }
  expect(Object.keys(told).length).toBeGreaterThan(30);
  expect(told).toEqual(documented);
});
