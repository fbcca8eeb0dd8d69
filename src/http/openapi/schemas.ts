import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { tenantFields } from "../own-tenant.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Named<T> = Readonly<Record<string, T>>;

/** Every schema of a document: the nouns by name, and what each root became. */
export interface SchemaSet {
  /** Nouns (`.meta({ id })`), to be placed under `components.schemas`. */
  readonly components: Named<JsonSchema>;
  readonly requests: Named<JsonSchema>;
  readonly replies: Named<JsonSchema>;
  /** Requests that may not be left out. */
  readonly required: ReadonlySet<string>;
}

const COMPONENTS = "#/components/schemas/";
const DEFS = "#/$defs/";

/** Converts zod schemas to JSON Schema 2020-12: requests as callers send them, replies as Cairn does. */
export function convertSchemas(requests: Named<z.ZodType>, replies: Named<z.ZodType>): SchemaSet {
  const sent = convert(requests, "input");
  const answered = convert(replies, "output");
  const clashing = clashes(sent.nouns, answered.nouns);
  const inputName = (name: string): string => (clashing.has(name) ? `${name}Input` : name);
  const nouns = { ...renamed(sent.nouns, COMPONENTS, inputName), ...answered.nouns };
  return {
    components: Object.fromEntries(Object.entries(nouns).sort(([a], [b]) => a.localeCompare(b, "en"))),
    requests: withRefs(sent.roots, COMPONENTS, inputName),
    replies: answered.roots,
    required: sent.required,
  };
}

/** The noun a schema refers to, or the schema itself. */
export function resolve(schema: JsonSchema, components: Named<JsonSchema>): JsonSchema {
  const noun = schema.$ref === undefined ? undefined : components[schema.$ref.slice(COMPONENTS.length)];
  return noun ? resolve(noun, components) : schema;
}

interface Converted {
  readonly nouns: Named<JsonSchema>;
  readonly roots: Named<JsonSchema>;
  readonly required: ReadonlySet<string>;
}

/** All roots in one object, so that each noun is converted once. */
function convert(schemas: Named<z.ZodType>, io: "input" | "output"): Converted {
  const {
    $defs = {},
    properties = {},
    required = [],
  } = z.toJSONSchema(z.object(schemas), {
    io,
    override: io === "input" ? asSent : tidy,
  });
  if (Object.keys($defs).some((name) => ANONYMOUS.test(name))) {
    throw new Error("A recursive schema has no name: give each an id with .meta({ id }).");
  }
  return {
    nouns: renamed($defs, DEFS, sameName),
    roots: withRefs(properties, DEFS, sameName),
    required: new Set(required),
  };
}

/** What zod calls a recursive schema without an id. */
const ANONYMOUS = /^__schema\d+$/;
const sameName = (name: string): string => name;

type Override = NonNullable<z.core.ToJSONSchemaParams["override"]>;

/** Leaves out what zod adds of its own: replies closed to later fields, the type of object keys. */
const tidy: Override = ({ zodSchema, jsonSchema }) => {
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema.additionalProperties;
  if (isDeepStrictEqual(jsonSchema.propertyNames, { type: "string" })) delete jsonSchema.propertyNames;
};

/** A request may leave its tenant out, although every verb is handed one. */
const asSent: Override = (context) => {
  tidy(context);
  const { zodSchema, jsonSchema } = context;
  if (!(zodSchema instanceof z.ZodObject) || jsonSchema.required === undefined) return;
  const filledIn = tenantFields(zodSchema);
  const required = jsonSchema.required.filter((name) => !filledIn.includes(name));
  if (required.length > 0) jsonSchema.required = required;
  else delete jsonSchema.required;
};

/** Nouns that read differently in requests and replies: by a default or a transform, or through a noun they refer to. */
function clashes(sent: Named<JsonSchema>, answered: Named<JsonSchema>): ReadonlySet<string> {
  const shared = Object.keys(sent).filter((name) => name in answered);
  const found = new Set(shared.filter((name) => !isDeepStrictEqual(sent[name], answered[name])));
  // A set visits what is added to it on the way, so this follows references to the end.
  for (const clashing of found) {
    const reference = JSON.stringify(`${COMPONENTS}${clashing}`);
    for (const name of shared) if (JSON.stringify(sent[name]).includes(reference)) found.add(name);
  }
  return found;
}

const renamed = (nouns: Named<JsonSchema>, from: string, nameOf: (name: string) => string): Named<JsonSchema> =>
  Object.fromEntries(Object.entries(withRefs(nouns, from, nameOf)).map(([name, schema]) => [nameOf(name), schema]));

type Property = z.core.JSONSchema._JSONSchema;

/** A copy whose references to `from` lead to the document's components. */
function withRefs(schemas: Named<Property>, from: string, nameOf: (name: string) => string): Named<JsonSchema> {
  // Safe: the text is the same schemas written out, a reference is replaced by a reference, and zod writes no property as a boolean.
  return JSON.parse(JSON.stringify(schemas), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? `${COMPONENTS}${nameOf(value.slice(from.length))}` : value,
  );
}
