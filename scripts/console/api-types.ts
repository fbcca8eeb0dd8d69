// Writes the console's types of the interface anew, from the table of operations. Usage: bun scripts/console/api-types.ts

import type { OpenApiDocument, OperationObject } from "../../src/http/openapi/document.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import type { JsonSchema } from "../../src/http/openapi/schemas.ts";
import { operations } from "../../src/http/routes/all.ts";
import { typeOf } from "./schema-type.ts";

const FOLDER = "src/console/api";
const HEAD = "// Generated from the table of operations: bun scripts/console/api-types.ts\n\n";

/** The files with the types of all operations, by path, as the code has them. */
export function consoleTypes(): ReadonlyMap<string, string> {
  const document = openApiDocument(operations);
  return new Map([
    [`${FOLDER}/schemas.gen.ts`, `${HEAD}${schemaTypes(document)}`],
    [`${FOLDER}/operations.gen.ts`, `${HEAD}${operationTypes(document)}`],
  ]);
}

const schemaTypes = ({ components }: OpenApiDocument): string =>
  Object.entries(components.schemas)
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema, "")};\n`)
    .join("");

function operationTypes({ paths }: OpenApiDocument): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const types = all.map(({ operation }) => `  ${operation.operationId}: ${callType(operation)};\n`).join("");
  const routes = all.map(({ path, method, operation }) => `  ${operation.operationId}: ["${method}", "${path}"],\n`);
  return (
    'import type * as S from "./schemas.gen.ts";\n\n' +
    "/** What each operation takes and gives. */\n" +
    `export interface Operations {\n${types}}\n\n` +
    "/** Method and path of each operation. */\n" +
    `export const ROUTES: Readonly<Record<keyof Operations, readonly [method: string, path: string]>> = {\n${routes.join("")}};\n`
  );
}

function callType({ parameters = [], requestBody, responses }: OperationObject): string {
  const members = (["path", "query"] as const).flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    const fields = own.map(
      ({ name, required, schema }) => `${JSON.stringify(name)}${required ? "" : "?"}: ${typeOf(schema)}`,
    );
    const optional = own.every(({ required }) => !required);
    return own.length === 0 ? [] : [`${place}${optional ? "?" : ""}: { ${fields.join("; ")} }`];
  });
  const body = requestBody?.content["application/json"].schema;
  if (body) members.push(`body${requestBody.required ? "" : "?"}: ${typeOf(body)}`);
  return `{ ${[...members, `reply: ${replyType(responses)}`].join("; ")} }`;
}

/** What a success says, whatever its status; undefined for an empty reply. */
function replyType(responses: OperationObject["responses"]): string {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const media: Record<string, { readonly schema: JsonSchema } | undefined> = { ...success?.content };
  const json = media["application/json"];
  if (json) return typeOf(json.schema);
  return Object.keys(media).length === 0 ? "undefined" : "string";
}

if (import.meta.main) for (const [file, text] of consoleTypes()) await Bun.write(file, text);
