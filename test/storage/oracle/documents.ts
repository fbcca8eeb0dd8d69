import { AppError } from "../../../src/core/kernel/errors.ts";
import { sha256 } from "../../../src/core/kernel/hash.ts";
import { newId } from "../../../src/core/kernel/ids.ts";
import type { JsonObject, JsonValue } from "../../../src/core/kernel/json.ts";
import { canonicalJson } from "../../../src/core/kernel/json.ts";
import type {
  DocumentFilter,
  DocumentKey,
  DocumentPage,
  SkillVisibility,
  StoredDocument,
} from "../../../src/core/ports/document-store.ts";
import { SKILL_UPDATES, SKILLS } from "../../../src/core/schema/skill.ts";
import type { Oracle } from "./oracle.ts";
import type { State } from "./state.ts";
import { compare, note, nowOf } from "./state.ts";

const isCalled = (one: StoredDocument, { tenant_id, collection, doc_id }: DocumentKey): boolean =>
  one.tenant_id === tenant_id && one.collection === collection && one.doc_id === doc_id;

/** By the caller's key, else by the id of the row. */
const found = (state: State, key: DocumentKey): StoredDocument | undefined =>
  state.documents.find((one) => isCalled(one, key)) ??
  state.documents.find((one) => isCalled({ ...one, doc_id: one.id }, key));

const isOfFleets = ({ fleet_id }: StoredDocument, { fleets }: SkillVisibility): boolean =>
  fleets === "all" || fleet_id === null || fleets.includes(fleet_id);

const isOf = (one: StoredDocument, filter: DocumentFilter): boolean =>
  one.tenant_id === filter.tenant_id &&
  one.collection === filter.collection &&
  (filter.fleet_id === undefined || one.fleet_id === filter.fleet_id) &&
  (!filter.skill_visibility || isOfFleets(one, filter.skill_visibility)) &&
  (filter.approved !== true || one.approval !== null) &&
  Object.entries(filter.where ?? {}).every(([name, value]) => {
    const own = one.data[name];
    return own !== undefined && canonicalJson(own) === canonicalJson(value);
  });

/** Types follow each other; within a type values do. */
function sortKey(value: JsonValue): readonly [rank: number, value: number | string] {
  if (value === null) return [0, 0];
  if (typeof value === "boolean") return [value ? 2 : 1, 0];
  if (typeof value === "number") return [3, value];
  return typeof value === "string" ? [4, value] : [5, canonicalJson(value)];
}

/** The documents of a page before it is cut; those without the member to sort by come last whatever the direction. */
function sorted(state: State, { filter, order_by, order }: DocumentPage): StoredDocument[] {
  const all = state.documents.filter((one) => isOf(one, filter));
  if (order_by === undefined) return all.reverse().sort((a, b) => compare(b.updated_at, a.updated_at));
  const keyed = all.flatMap((one) => {
    const value = one.data[order_by];
    return value === undefined ? [] : [{ one, key: sortKey(value) }];
  });
  keyed.sort((a, b) => compare(a.key[0], b.key[0]) || compare(a.key[1], b.key[1]));
  const having = keyed.map(({ one }) => one);
  const without = all.filter((one) => one.data[order_by] === undefined);
  return order === "asc" ? [...having, ...without] : [...having.reverse(), ...without.reverse()];
}

const leaving = (data: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));

interface Noted {
  readonly action: string;
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
  readonly shown?: readonly string[] | undefined;
  readonly reason?: string | undefined;
}

/** What the audit tells of a document: a hash of its data, members that may be shown, and a fleet that changed. */
function noteDocument(state: State, key: DocumentKey, actor: Parameters<typeof note>[1], told: Noted): void {
  const { action, before, after, shown = [], reason = null } = told;
  const hasMoved = before !== null && after !== null && before.fleet_id !== after.fleet_id;
  const noted = (one: StoredDocument | null): JsonObject | null =>
    one && {
      data_hash: sha256(canonicalJson(one.data)),
      ...(hasMoved && { fleet_id: one.fleet_id }),
      ...leaving(
        one.data,
        Object.keys(one.data).filter((name) => !shown.includes(name)),
      ),
    };
  const target_id = `${key.collection}/${key.doc_id}`;
  const event = { tenant_id: key.tenant_id, at: nowOf(state), action, target_id, reason };
  note(state, actor, { ...event, before: noted(before), after: noted(after) });
}

export const documentsOf = (state: State): Oracle["documents"] => ({
  upsert: async (key, actor, decide) => {
    const before = state.documents.find((one) => isCalled(one, key)) ?? null;
    const change = decide(before);
    const limit = change.documents_limit ?? Number.POSITIVE_INFINITY;
    if (!before && state.documents.filter(({ tenant_id }) => tenant_id === key.tenant_id).length >= limit)
      throw new AppError("PLAN_LIMIT_READ_ONLY", "There is no room.");
    const summary = change.searchable?.summary ?? null;
    const keepsVector = change.vector === null && before?.embedded_by != null && before.summary === summary;
    const now = nowOf(state);
    const after: StoredDocument = {
      ...key,
      id: before?.id ?? newId(state.clock),
      fleet_id: change.fleet_id,
      // As it is once it was written as text.
      data: JSON.parse(JSON.stringify(change.data)),
      created_at: before?.created_at ?? now,
      updated_at: now,
      summary,
      embedded_by: keepsVector ? before.embedded_by : change.embedded_by,
      approval: change.approval ?? null,
    };
    if (before) state.documents = state.documents.map((one) => (one === before ? after : one));
    else state.documents.push(after);
    noteDocument(state, key, actor, { ...change, before, after });
    return { before, after };
  },
  remove: async (key, actor, decide) => {
    const before = found(state, key);
    if (!before) return false;
    const action = decide(before);
    state.documents = state.documents.filter((one) => one !== before);
    noteDocument(state, before, actor, { action, before, after: null });
    return true;
  },
  get: async (key) => found(state, key) ?? null,
  list: async (page) =>
    sorted(state, page)
      .slice(page.offset, page.offset + page.limit)
      .map((one) => ({ ...one, data: leaving(one.data, page.without ?? []) })),
  collections: async (tenant_id, fleet_id, skill_visibility) => {
    const seen = state.documents.filter(
      (one) =>
        one.tenant_id === tenant_id &&
        (fleet_id === null || one.fleet_id === fleet_id) &&
        (!skill_visibility ||
          ![SKILLS, SKILL_UPDATES].includes(one.collection) ||
          (one.data.status === "active" && isOfFleets(one, skill_visibility))),
    );
    return [...Map.groupBy(seen, ({ collection }) => collection)]
      .map(([name, own]) => ({ name, count: own.length }))
      .sort((a, b) => compare(a.name, b.name));
  },
});
