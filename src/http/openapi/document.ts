import { STATUS_CODES } from "node:http";
import type { z } from "zod";
import type { ErrorCode } from "../../core/kernel/errors.ts";
import { ERROR_STATUS } from "../../core/kernel/errors.ts";
import { JSON_MAX_DEPTH } from "../../core/kernel/json-measure.ts";
import { Problem, ValidationProblem } from "../../core/schema/problem.ts";
import { API_VERSION } from "../../version.ts";
import { BODY_MAX_BYTES } from "../body.ts";
import type { Operation } from "../operation.ts";
import { EXAMPLES } from "./examples.ts";
import type { JsonSchema, Named, SchemaSet } from "./schemas.ts";
import { convertSchemas, resolve } from "./schemas.ts";

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: Named<unknown> & { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly Named<readonly string[]>[];
  readonly paths: Named<Named<OperationObject>>;
  readonly components: { readonly schemas: Named<JsonSchema>; readonly securitySchemes: Named<unknown> };
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** Only on open operations, where it is empty; the others follow the document's. */
  readonly security?: readonly [];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Named<ResponseObject>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Named<{ readonly description: string; readonly schema: JsonSchema }>;
  readonly content?: ReplyContent;
}

type Content = { readonly "application/json": Media };
type ReplyContent = Content | { readonly [type in NonNullable<Operation["replyType"]>]?: Media };
interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Named<{ readonly value: unknown }>;
}

const MEBIBYTE = 1024 * 1024;
const DESCRIPTION =
  "Agent memory in one executable: write a statement, find it by meaning, keyword and entity. " +
  "In standalone mode no key is needed. Every refusal carries `error.code`, which never changes its meaning.\n\n" +
  "A text may hold any character but NUL, wherever it stands; no object may have the key `__proto__`. A body is JSON of at " +
  `most ${BODY_MAX_BYTES / MEBIBYTE} MiB and ${JSON_MAX_DEPTH} levels.\n\n` +
  "Every operation has an example that succeeds when they are executed from top to bottom; ids in them are those of what " +
  "was last written on this page. What each error code means stands after the operations, at the schema `ErrorCode`.";

const SECURITY_SCHEMES = {
  ApiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
  Bearer: { type: "http", scheme: "bearer", description: "The same key as in X-API-Key." },
};

/** The OpenAPI description of a list of operations. */
export function openApiDocument(operations: readonly Operation[]): OpenApiDocument {
  const schemas = convertSchemas(requestSchemas(operations), replySchemas(operations));
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation, schemas),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Cairn",
      version: API_VERSION,
      description: DESCRIPTION,
    },
    servers: [{ url: "/" }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    paths,
    components: { schemas: schemas.components, securitySchemes: SECURITY_SCHEMES },
  };
}

const PARTS = ["params", "query", "headers", "body"] as const;
type RequestPart = (typeof PARTS)[number];

const requestKey = ({ id }: Operation, part: RequestPart): string => `${id} ${part}`;

function requestSchemas(operations: readonly Operation[]): Record<string, z.ZodType> {
  const schemas: Record<string, z.ZodType> = {};
  for (const operation of operations) {
    for (const part of PARTS) {
      const schema = operation[part];
      if (schema) schemas[requestKey(operation, part)] = schema;
    }
  }
  return schemas;
}

const PROBLEM = "a problem";
const VALIDATION_PROBLEM = "a validation problem";

function replySchemas(operations: readonly Operation[]): Record<string, z.ZodType> {
  const schemas: Record<string, z.ZodType> = { [PROBLEM]: Problem, [VALIDATION_PROBLEM]: ValidationProblem };
  for (const { id, reply } of operations) if (reply) schemas[id] = reply;
  return schemas;
}

function describeOperation(operation: Operation, schemas: SchemaSet): OperationObject {
  const parameters = [
    ...parametersIn("path", operation, schemas),
    ...parametersIn("query", operation, schemas),
    ...parametersIn("header", operation, schemas),
    ...(operation.idempotent ? [IDEMPOTENCY_KEY] : []),
  ];
  const bodyKey = requestKey(operation, "body");
  const body = schemas.requests[bodyKey];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.open ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined
      ? {}
      : { requestBody: { required: schemas.required.has(bodyKey), content: requestContent(operation, body) } }),
    responses: responsesOf(operation, schemas),
  };
}

/** A body with its example, or with each of them by what it shows. */
function requestContent({ id }: Operation, schema: JsonSchema): Content {
  const { body, bodies } = EXAMPLES[id] ?? {};
  const examples = bodies && Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { value }]));
  return {
    "application/json": {
      schema,
      ...(body === undefined ? {} : { example: body }),
      ...(examples === undefined ? {} : { examples }),
    },
  };
}

const IDEMPOTENCY_KEY: ParameterObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Any name for this request: sent again with the same body, it is answered again and not run twice.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const ETAG = {
  description: "The row's `version`, quoted; to be sent back in If-Match.",
  schema: { type: "string" },
} as const;

const PART_OF = { path: "params", query: "query", header: "headers" } as const;

function parametersIn(place: ParameterObject["in"], operation: Operation, schemas: SchemaSet): ParameterObject[] {
  const root = resolve(schemas.requests[requestKey(operation, PART_OF[place])] ?? {}, schemas.components);
  const required = root.required ?? [];
  const example: Readonly<Record<string, unknown>> = {
    ...EXAMPLES[operation.id]?.params,
    ...EXAMPLES[operation.id]?.query,
  };
  return Object.entries(root.properties ?? {}).map(([field, property]) => {
    const { description, ...schema } = typeof property === "object" ? property : {};
    return {
      name: place === "header" ? headerName(field) : field,
      in: place,
      required: place === "path" || required.includes(field),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(place !== "header" && field in example ? { example: example[field] } : {}),
    };
  });
}

/** `idempotency-key` as people write it: `Idempotency-Key`. */
const headerName = (field: string): string => field.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

function responsesOf(operation: Operation, schemas: SchemaSet): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  const reply = schemas.replies[operation.id];
  for (const status of operation.statuses) {
    const description = STATUS_CODES[status] ?? "Success";
    responses[status] = {
      description,
      ...(operation.versioned ? { headers: { ETag: ETAG } } : {}),
      ...(reply === undefined ? {} : { content: replyContent(operation, reply) }),
    };
  }
  for (const [status, codes] of refusalsByStatus(operation)) {
    const problem = schemas.replies[status === 422 ? VALIDATION_PROBLEM : PROBLEM] ?? {};
    const isReplyToo = operation.statuses.includes(status) && reply !== undefined;
    responses[status] = {
      description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
      content: json(isReplyToo ? { anyOf: [reply, problem] } : problem),
    };
  }
  return responses;
}

const replyContent = ({ replyType }: Operation, schema: JsonSchema): ReplyContent =>
  replyType === undefined ? json(schema) : { [replyType]: { schema } };

const json = (schema: JsonSchema): Content => ({ "application/json": { schema } });

function refusalsByStatus(operation: Operation): Map<number, ErrorCode[]> {
  const codes = new Set([...sharedRefusals(operation), ...(operation.refusals ?? [])]);
  return Map.groupBy([...codes].sort(byStatus), (code): number => ERROR_STATUS[code]);
}

const byStatus = (a: ErrorCode, b: ErrorCode): number => ERROR_STATUS[a] - ERROR_STATUS[b] || a.localeCompare(b, "en");

/** What an operation may answer by its shape alone, whatever its verb does. */
function sharedRefusals({ open, idempotent, params, query, headers, body }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ["RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE", "UPSTREAM_TIMEOUT"];
  codes.push("HOST_NOT_ALLOWED", "ORIGIN_NOT_ALLOWED");
  // Open operations need no credential, but one that is sent is checked.
  codes.push("INVALID_API_KEY", "TENANT_MISMATCH");
  if (!open) codes.push("UNAUTHORIZED");
  if (body) codes.push("PAYLOAD_TOO_LARGE", "REQUEST_TIMEOUT", "UNSUPPORTED_MEDIA_TYPE");
  if (idempotent) codes.push("BAD_REQUEST", "CONFLICT");
  if (params || query || headers || body) codes.push("INVALID_ARGUMENTS");
  return codes;
}
