import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { ERROR_STATUS, ERRORS } from "../../../src/core/kernel/errors.ts";
import { Warning } from "../../../src/core/schema/common.ts";
import type { OperationObject } from "../../../src/http/openapi/document.ts";
import { openApiDocument } from "../../../src/http/openapi/document.ts";
import type { Operation } from "../../../src/http/operation.ts";
import { operation } from "../../../src/http/operation.ts";
import { operations } from "../../../src/http/routes/all.ts";

const document = openApiDocument(operations);
const described = (of: Operation, from = document): OperationObject => {
  const found = from.paths[of.path]?.[of.method.toLowerCase()];
  if (!found) throw new Error(`${of.method} ${of.path} is not in the document`);
  return found;
};

/** Every object of the document with its place in it. */
function* objectsOf(value: unknown, at = "#"): Generator<readonly [at: string, object: object]> {
  if (typeof value !== "object" || value === null) return;
  yield [at, value];
  for (const [key, member] of Object.entries(value)) yield* objectsOf(member, `${at}/${key}`);
}

test("the document names its version of OpenAPI and of the interface", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.info).toMatchObject({ title: "Cairn", version: "2.27.0" });
});

test("every reference leads to a schema of the document", () => {
  const places = new Map(objectsOf(document));
  const references = [...places.values()].flatMap((object) =>
    "$ref" in object && typeof object.$ref === "string" ? [object.$ref] : [],
  );
  expect(references.length).toBeGreaterThan(0);
  expect(references.filter((reference) => !places.has(reference))).toEqual([]);
});

test("nothing of zod's own leaks into the document", () => {
  const text = JSON.stringify(document);
  for (const word of ["$defs", "__schema", "_zod", '"~standard"', '"$schema"']) expect(text).not.toContain(word);
});

test("no two operations share an id, and no two parameters of one a name", () => {
  const ids = operations.map((one) => described(one).operationId);
  expect(new Set(ids).size).toBe(operations.length);
  for (const one of operations) {
    const names = (described(one).parameters ?? []).map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(names).size).toBe(names.length);
  }
});

describe.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))("%s", (_, one) => {
  const found = described(one);

  test("declares every parameter of its path, and no other", () => {
    const declared = (found.parameters ?? []).filter((parameter) => parameter.in === "path");
    const inPath = [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    expect(declared.map(({ name }) => name).sort()).toEqual(inPath.sort());
    expect(declared.every(({ required }) => required)).toBe(true);
  });

  test("describes its body and each of its replies", () => {
    expect(found.requestBody !== undefined).toBe(one.body !== undefined);
    for (const status of one.statuses) {
      const content = found.responses[status]?.content;
      expect(content === undefined).toBe(one.reply === null);
      for (const { schema } of Object.values(content ?? {})) expect(schema).not.toEqual({});
    }
  });

  test("lists its refusals under their status", () => {
    for (const code of one.refusals ?? []) {
      expect(found.responses[ERROR_STATUS[code]]?.description).toContain(`\`${code}\``);
    }
    for (const status of [429, 500, 503, 504]) expect(found.responses[status]).toBeDefined();
  });

  test("asks for a credential unless it is open", () => {
    // A key that is sent is checked even where none is needed.
    const refusals = found.responses[401]?.description ?? "";
    expect(refusals).toContain("`INVALID_API_KEY`");
    expect(refusals.includes("`UNAUTHORIZED`")).toBe(one.open !== true);
    expect(found.security).toEqual(one.open ? [] : undefined);
  });
});

const Colour = z.object({ name: z.string(), alpha: z.number().default(1) }).meta({ id: "Colour" });
const Palette = z.object({ colours: z.array(Colour), notes: z.array(Warning) }).meta({ id: "Palette" });
const paint = operation({
  method: "PUT",
  path: "/paint/{slug}",
  id: "paint",
  tag: "Test",
  summary: "Paint",
  params: z.object({ slug: z.string().max(5) }),
  query: z.object({ coats: z.int().min(1).default(2).describe("How often."), mode: z.string() }),
  headers: z.object({ "idempotency-key": z.string().optional() }),
  body: Palette.optional(),
  reply: Palette,
  statuses: [200, 503],
  refusals: ["CONFLICT", "DUPLICATE_MEMORY"],
  run: async () => ({ colours: [], notes: [] }),
});

describe("an operation with every part", () => {
  const painted = openApiDocument([paint]);
  const found = described(paint, painted);
  const { schemas } = painted.components;

  test("shows each parameter with its default, bounds and name", () => {
    expect(found.parameters).toEqual([
      { name: "slug", in: "path", required: true, schema: { type: "string", maxLength: 5 } },
      {
        name: "coats",
        in: "query",
        required: false,
        description: "How often.",
        schema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 2 },
      },
      { name: "mode", in: "query", required: true, schema: { type: "string" } },
      { name: "Idempotency-Key", in: "header", required: false, schema: { type: "string" } },
    ]);
  });

  test("keeps a noun that requests and replies read differently apart, with all that refer to it", () => {
    const body = { $ref: "#/components/schemas/PaletteInput" };
    expect(found.requestBody).toEqual({ required: false, content: { "application/json": { schema: body } } });
    expect(schemas.ColourInput?.required).toEqual(["name"]);
    expect(schemas.Colour?.required).toEqual(["name", "alpha"]);
    expect(JSON.stringify(schemas.PaletteInput)).toContain('"#/components/schemas/ColourInput"');
    expect(JSON.stringify(schemas.Palette)).toContain('"#/components/schemas/Colour"');
  });

  test("keeps a noun that both read alike once", () => {
    expect(Object.keys(schemas)).toContain("Warning");
    expect(Object.keys(schemas)).not.toContain("WarningInput");
  });

  test("answers a status that is reply and refusal with either", () => {
    const either = ["Palette", "Problem"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    expect(found.responses[503]?.content).toEqual({ "application/json": { schema: { anyOf: either } } });
  });

  test("groups codes of one status and gives 422 its own shape", () => {
    expect(found.responses[409]?.description).toBe("Conflict: `CONFLICT`, `DUPLICATE_MEMORY`.");
    expect(JSON.stringify(found.responses[422])).toContain("#/components/schemas/ValidationProblem");
  });
});

test("a recursive schema without a name is refused rather than named at random", () => {
  const Tree: z.ZodType = z.object({ children: z.lazy(() => z.array(Tree)) });
  expect(() => openApiDocument([{ ...paint, body: Tree }])).toThrow("give each an id");
});

test("the schema of error codes has the whole table of error codes, each with its status, meaning and next step", () => {
  const rows: string[] = String(document.components.schemas.ErrorCode?.description).match(/^\| [A-Z_]+ \|.*$/gm) ?? [];
  expect(rows).toEqual(
    Object.entries(ERRORS).map(([code, { status, meaning, next }]) => `| ${code} | ${status} | ${meaning} | ${next} |`),
  );
  for (const { meaning, next } of Object.values(ERRORS)) {
    for (const text of [meaning, next]) expect(text).toMatch(/^[A-Z][^|\n]{10,100}\.$/);
  }
});

test("an operation that can be repeated safely says how", () => {
  const repeatable = operations.filter(({ idempotent }) => idempotent === true);
  expect(repeatable.map(({ id }) => id)).toContain("writeMemory");
  for (const one of operations) {
    const names = (described(one).parameters ?? []).map(({ name }) => name);
    expect([one.id, names.includes("Idempotency-Key")]).toEqual([one.id, repeatable.includes(one)]);
  }
});

test("requests are described as narrowly as they are read", () => {
  const { WritableType, MemoryPatch, MemoryWrite, OrgSettingsPatch, DocumentWrite, SkillEdit } =
    document.components.schemas;
  expect(WritableType?.enum).not.toContain("rule");
  expect(MemoryPatch).toMatchObject({ minProperties: 1, dependentRequired: { metadata_mode: ["metadata"] } });
  expect(MemoryWrite?.properties?.content).toMatchObject({ minLength: 10, maxLength: 10_000, pattern: "\\S" });
  expect(MemoryWrite?.properties?.tenant_id).toMatchObject({ minLength: 1, maxLength: 200, pattern: "\\S" });
  expect(DocumentWrite?.properties?.collection).toMatchObject({ pattern: "^[^_]" });
  expect(JSON.stringify(SkillEdit?.properties?.summary)).toContain('"pattern":"\\\\S"');
  expect(OrgSettingsPatch).toMatchObject({ additionalProperties: false, properties: { skills_factory: {} } });
});
