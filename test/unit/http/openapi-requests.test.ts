import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { KeystoneWrite } from "../../../src/core/schema/keystone.ts";
import { EditBody } from "../../../src/core/schema/skill.ts";
import { openApiDocument } from "../../../src/http/openapi/document.ts";
import { operations } from "../../../src/http/routes/all.ts";

// What a caller reads in the document is what Cairn takes: no more is refused than it says.

type Schema = z.core.JSONSchema.BaseSchema;
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;
const { schemas } = openApiDocument(operations).components;

/** Every bounded text among the fields of a request part, with the schema that reads it. */
function boundedTexts(part: z.ZodType | undefined): (readonly [name: string, field: z.ZodType, max: number])[] {
  if (!(part instanceof z.ZodObject)) return [];
  const fields: [string, z.ZodType][] = Object.entries(part.shape);
  return fields.flatMap(([name, field]) => {
    const schema: Schema = z.toJSONSchema(field, { io: "input" });
    const text = [schema, ...(schema.anyOf ?? []).filter(isSchema)].find(({ maxLength }) => maxLength !== undefined);
    const takesAnyCharacter = text?.format === undefined && new RegExp(text?.pattern ?? "").test("😀");
    return text?.maxLength !== undefined && takesAnyCharacter ? [[name, field, text.maxLength] as const] : [];
  });
}

const TEXTS = operations.flatMap(({ id, params, query, body }) =>
  [params, query, body].flatMap(boundedTexts).map(([name, ...rest]) => [`${name} of ${id}`, ...rest] as const),
);

test("there are bounded texts in paths, queries and bodies", () => {
  for (const name of ["doc_id of getDocument", "run_id of listMemories", "predicate of writeMemory"])
    expect(TEXTS.some(([text]) => text === name)).toBe(true);
});

test.each(TEXTS)("%s counts characters, not the units that store them", (_, field, max) => {
  expect(field.safeParse("😀".repeat(max)).success).toBe(true);
  expect(field.safeParse("😀".repeat(max + 1)).success).toBe(false);
});

/** Whether a body has one of the shapes that a schema documents side by side. */
const hasShape = (noun: Schema | undefined, body: Readonly<Record<string, unknown>>): boolean =>
  (noun?.anyOf ?? []).filter(isSchema).some(({ properties = {}, required = [] }) => {
    const fits = ([name, schema]: [string, unknown]): boolean => {
      const value = body[name];
      if (!isSchema(schema) || !(name in body)) return true;
      return "const" in schema ? schema.const === value : schema.type === (value === null ? "null" : typeof value);
    };
    return required.every((name) => name in body) && Object.entries(properties).every(fits);
  });

/** Every way to leave a field out, to clear it and to fill it. */
const waysToFill = (fields: readonly string[]): Record<string, string | null>[] =>
  fields.reduce<Record<string, string | null>[]>(
    (ways, field) => ways.flatMap((way) => [way, { ...way, [field]: null }, { ...way, [field]: "x" }]),
    [{}],
  );

describe.each(["tenant", "fleet", "agent"])("a rule of scope %s", (scope) => {
  test.each(waysToFill(["fleet_id", "agent_id"]).map((way) => [JSON.stringify(way), way] as const))(
    "is documented with %s just when it is taken",
    (_, binding) => {
      const body = { tenant_id: "default", doc_id: "rule", title: "Ask", content: "Ask first.", weight: "low", scope };
      const sent = { ...body, ...binding };
      expect(hasShape(schemas.KeystoneWrite, sent)).toBe(KeystoneWrite.safeParse(sent).success);
    },
  );
});

test.each(waysToFill(["content", "description", "summary"]).map((way) => [JSON.stringify(way), way] as const))(
  "an edit of a skill is documented as %s just when it is taken",
  (_, sent) => {
    expect(hasShape(schemas.SkillEdit, sent)).toBe(EditBody.safeParse(sent).success);
  },
);
