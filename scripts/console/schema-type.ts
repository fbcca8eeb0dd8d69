import type { JsonSchema } from "../../src/http/openapi/schemas.ts";

const COMPONENTS = "#/components/schemas/";

/** The TypeScript type of a JSON Schema, on one line; named nouns are members of `space`. */
export function typeOf(schema: JsonSchema | boolean, space = "S."): string {
  if (typeof schema === "boolean") return schema ? "unknown" : "never";
  const of = (inner: JsonSchema | boolean) => typeOf(inner, space);
  if (schema.$ref !== undefined) return `${space}${schema.$ref.slice(COMPONENTS.length)}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && schema.properties === undefined) return union(choices.map(of));
  if (schema.allOf) return schema.allOf.map((part) => `(${of(part)})`).join(" & ");
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => of({ ...schema, type })));
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array":
      return arrayType(schema, of);
    case "object":
      return objectType(schema, of);
    default:
      return "unknown";
  }
}

type Inner = (schema: JsonSchema | boolean) => string;

const union = (types: readonly string[]): string => {
  const different = [...new Set(types)];
  return different.length === 1 ? (different[0] ?? "never") : `(${different.join(" | ")})`;
};

function arrayType({ items, prefixItems }: JsonSchema, of: Inner): string {
  if (prefixItems) return `[${prefixItems.map(of).join(", ")}]`;
  return items === undefined || Array.isArray(items) ? "unknown[]" : `(${of(items)})[]`;
}

function objectType({ properties = {}, required = [], additionalProperties }: JsonSchema, of: Inner): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${of(schema)}`,
  );
  const hasRest = additionalProperties !== undefined && additionalProperties !== false;
  // An index signature would have to cover the named members too: it stands alone only where there are none.
  if (fields.length === 0)
    return hasRest ? `{ [name: string]: ${of(additionalProperties)} }` : "{ [name: string]: unknown }";
  return `{ ${fields.join("; ")} }${hasRest ? " & { [name: string]: unknown }" : ""}`;
}
