import { z } from "zod";
import { quoted } from "../../core/kernel/quoting/quote.ts";
import { JsonRecord } from "../../core/schema/common.ts";
import { placeAmong } from "../../core/schema/keystone.ts";
import { KEYSTONE_SCOPES } from "../../core/schema/keystones/place.ts";
import { Budget } from "../cards.ts";
import { Collections, requireShown, shownAmong } from "../collections.ts";
import { placeName, writtenIn } from "../places/place.ts";
import type { ShownRule } from "../rules.ts";
import { keystonesOf, missingRules, proposedText, removeRule, setBy, setRule } from "../rules.ts";
import { ScopeArguments } from "../scope.ts";
import { asSeen, Version } from "../seen.ts";
import { charactersFor, cutTo, tokensOf } from "../tokens.ts";
import { newFence, Told, told } from "../told.ts";
import type { ToolCall } from "../tool.ts";
import { tool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { writtenBack } from "../written-back.ts";

const SUMMARY_TOKENS = 60;
const Result = z.object({ result: z.unknown(), project: z.string().nullable() });

/** Reads and writes documents. */
export const documents = tool({
  name: "documents",
  title: "Documents",
  description:
    "JSON documents under a collection and an id, for what is kept up to date as a whole: plans, checklists, skills. Of all projects.",
  destroys: true,
  input: z.strictObject({
    op: z.enum(["collections", "search", "query", "read", "write", "delete"]),
    collection: z.string().max(200).optional(),
    doc_id: z.string().max(500).optional(),
    data: JsonRecord.optional().describe("write: the whole document; `summary` is what search reads."),
    query: z.string().max(5_000).optional().describe("search: what to look for."),
    where: JsonRecord.optional().describe("query: members that must be equal."),
    limit: z.int().min(1).max(50).default(10),
    budget_tokens: Budget.describe("Tokens that search and query may take."),
    version: Version.optional().describe("write, delete: as read."),
    ...ScopeArguments,
  }),
  output: Result,
  saves: ({ op }) => op === "write",
  async run(call, input) {
    const result = await documentWork(call, input);
    return { structured: { result, project: placeName(call.scope.place) }, text: Told.json(result) };
  },
});

const Found = z.object({
  collection: z.string(),
  doc_id: z.string(),
  fleet_id: z.string().nullish(),
  data: z.looseObject({ summary: z.string().optional(), description: z.string().optional() }),
  score: z.number().optional(),
});

const Written = z.object({
  collection: z.string(),
  doc_id: z.string(),
  fleet_id: z.string().nullable(),
  updated_at: z.string(),
  version: z.string(),
  indexed: z.boolean(),
});
const UNINDEXED = "Read by its id and in lists; search finds one that has a `summary`.";
const Findings = z.object({ items: z.unknown() });

/** Documents one after the other while there is room; of the others only what they are about. */
function fitting(found: unknown, budget: number): unknown {
  let left = budget;
  return z
    .array(Found)
    .parse(found)
    .map(({ data, fleet_id, ...told }) => {
      const named = { ...told, ...(fleet_id == null ? {} : { project: fleet_id }) };
      const taken = tokensOf(JSON.stringify(data));
      left -= taken;
      if (left >= 0) return { ...named, data };
      const { summary = data.description } = data;
      return {
        ...named,
        ...(summary ? { summary: cutTo(quoted(summary, charactersFor(SUMMARY_TOKENS)), SUMMARY_TOKENS) } : {}),
        cut: `${taken} tokens: read shows them.`,
      };
    });
}

interface DocumentInput {
  readonly op: "collections" | "search" | "query" | "read" | "write" | "delete";
  readonly collection?: string | undefined;
  readonly doc_id?: string | undefined;
  readonly data?: unknown;
  readonly query?: string | undefined;
  readonly where?: unknown;
  readonly limit: number;
  readonly budget_tokens: number;
  readonly version?: string | undefined;
}

async function documentWork(call: ToolCall, input: DocumentInput): Promise<unknown> {
  const { op, query, where, data, limit, budget_tokens, version } = input;
  requireShown(input.collection);
  switch (op) {
    case "collections":
      return listCollections(call);
    case "search": {
      const body = { query: needed(input, "query", query), collection: input.collection, top_k: limit };
      const { items } = Findings.parse(await call.ask("searchDocuments", { body }));
      return fitting(items, budget_tokens);
    }
    case "query": {
      const body = { collection: named(input, "collection"), where: where ?? {}, limit };
      return fitting(await call.ask("queryDocuments", { body }), budget_tokens);
    }
    case "read":
      return call.ask("getDocument", {
        params: { doc_id: named(input, "doc_id") },
        query: { collection: named(input, "collection") },
      });
    case "write": {
      const body = {
        collection: named(input, "collection"),
        doc_id: named(input, "doc_id"),
        data: needed(input, "data", data),
      };
      const { place, agent_id } = call.scope;
      const sent = { ...body, data: await writtenBack(call.ask, body), ...writtenIn(place), agent_id };
      const written = Written.parse(await asSeen(call.ask("writeDocument", { body: sent, version })));
      return written.indexed ? written : { ...written, note: UNINDEXED };
    }
    case "delete": {
      const { collection, doc_id } = { collection: named(input, "collection"), doc_id: named(input, "doc_id") };
      await asSeen(call.ask("removeDocument", { params: { doc_id }, query: { collection }, version }));
      return { deleted: true, collection, doc_id };
    }
    default:
      return op satisfies never;
  }
}

async function listCollections(call: ToolCall): Promise<unknown> {
  const collections = shownAmong(Collections.parse(await call.ask("listCollections", { query: {} })));
  return { collections, count: collections.length };
}

const named = (input: DocumentInput, name: "collection" | "doc_id"): string => needed(input, name, input[name]);

function needed<T>({ op }: { readonly op: string }, name: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new ToolError("INVALID_ARGUMENTS", `${op} needs ${name}.`, { argument: name });
}

/** The rules that bind, and their upkeep. */
export const keystones = tool({
  name: "keystones",
  title: "Keystones",
  description:
    "The mandatory rules for this agent and project: read them before you work. set and remove are for who governs: of others they are proposals to a person.",
  destroys: true,
  input: z.strictObject({
    op: z.enum(["list", "set", "remove"]).default("list"),
    doc_id: z.string().max(100).optional().describe("Short name of the rule, such as no-force-push."),
    title: z.string().max(500).optional(),
    content: z.string().max(10_000).optional(),
    scope: z.enum(KEYSTONE_SCOPES).optional().describe("Whom it binds; fleet, this project, unless given."),
    weight: z.enum(["low", "med", "high"]).default("med"),
    ...ScopeArguments,
  }),
  // Texts; each word of a schema is paid for with every conversation.
  output: Result.extend({ notes: z.unknown().optional() }),
  saves: ({ op }) => op === "set",
  async run(call, { op, doc_id, title, content, scope, weight }) {
    if (op === "list") {
      const result = await keystonesOf(call);
      const notes = missingRules(call.scope);
      const project = placeName(call.scope.place);
      if (notes.length === 0) return { structured: { result, project }, text: rulesTold(result) };
      const text = Told.lines([...notes.map((note) => told`${note}`), rulesTold(result)]);
      return { structured: { result, project, notes }, text };
    }
    const { agent_id } = call.scope;
    const [{ fleet_id: fleet }, project] = [writtenIn(call.scope.place), placeName(call.scope.place)];
    const name = needed({ op }, "doc_id", doc_id);
    const bound = scope ?? (fleet === undefined ? "tenant" : "fleet");
    const place = {
      scope: bound,
      fleet_id: bound === "tenant" ? undefined : fleet,
      agent_id: bound === "agent" ? agent_id : undefined,
    };
    if (op === "remove") {
      const { result, isProposed } = await removeRule(call.ask, name, { ...place, place: true });
      const text = isProposed ? told`${proposedText(name, result)}` : told`Removed ${Told.name(name)}.`;
      return { structured: { result, project }, text };
    }
    const rule = {
      doc_id: name,
      title: needed({ op }, "title", title),
      content: needed({ op }, "content", content),
      weight,
      ...place,
    };
    const { result, isProposed } = await setRule(call.ask, rule);
    const was = Replaced.safeParse(result).success ? " It replaced the rule of this name that stood there." : "";
    const text = isProposed ? told`${proposedText(name, result)}` : told`Set ${Told.name(name)}.${was}`;
    return { structured: { result, project }, text };
  },
});

const Replaced = z.object({ replaced: z.looseObject({}) });

/** Rules as a model reads them: each on a line, or with its lines between two of ours. */
function rulesTold(rules: readonly ShownRule[]): Told {
  if (rules.length === 0) return told`There are no keystones.`;
  const fence = newFence();
  const ofLines = (text: string) => text.trim().includes("\n");
  const lines = rules.map((rule) => {
    const { title, content } = rule.data;
    const head = told`- [${Told.name(rule.doc_id)}${placeAmong(rule, rules)}, ${setBy(rule)}] ${title}:`;
    return ofLines(content) ? Told.lines([head, Told.whole(content, fence)]) : told`${head} ${content}`;
  });
  return Told.lines(
    rules.some(({ data }) => ofLines(data.content))
      ? [told`Between lines "${fence}" stand whole rules.`, ...lines]
      : lines,
  );
}
