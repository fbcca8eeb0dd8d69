import { z } from "zod";
import { within } from "../../core/kernel/event-loop.ts";
import { Authorship, RuleText } from "../../core/schema/keystone.ts";
import { KeystoneScope } from "../../core/schema/keystones/place.ts";
import type { WorkInHand } from "../../projects/folder/work-in-hand.ts";
import type { CallLocal } from "../call.ts";
import type { Project } from "../which-project.ts";
import { questionsOf } from "./in-hand.ts";

// What a hook asks the server. A question that is refused counts as one without an answer, unless all are; of the rules that is told.

const Row = z.object({
  id: z.string(),
  content: z.string(),
  created_at: z.string(),
  status: z.string(),
  memory_type: z.string(),
  fleet_id: z.string().nullable(),
  visibility: z.string(),
  expires_at: z.string().nullish(),
  may_have_changed: z.array(z.object({ memory_id: z.string(), content_preview: z.string() })).nullish(),
});
export type Row = z.infer<typeof Row>;
const FIELDS = Object.keys(Row.shape);
const Rows = z.object({ items: z.array(Row) });

const Rule = z.object({
  doc_id: z.string(),
  // A rule is told whatever else of it cannot be.
  fleet_id: z.string().nullable().default(null),
  data: Authorship.extend({
    ...RuleText.pick({ title: true, content: true, agent_id: true }).shape,
    scope: KeystoneScope.default("tenant"),
  }),
});
const Rules = z.object({ count: z.int(), items: z.array(Rule) });
export type Rule = z.infer<typeof Rule>;

const Clashes = z.object({
  contradictions: z.array(
    z.object({ memory_id: z.string(), status: z.string(), content_preview: z.string(), created_at: z.string() }),
  ),
});

/** A memory, and the one that stands against it. */
export interface Clash {
  readonly row: Row;
  readonly other: { readonly id: string; readonly content: string; readonly created_at: string };
}

/** What may bear on the work in hand: the best of each of its questions in turn, and what these went by. */
export interface InHand {
  readonly named: readonly string[];
  readonly rows: readonly Row[];
}

export interface Brief {
  /** Null where they could not be read. */
  readonly rules: readonly Rule[] | null;
  readonly in_hand: InHand;
  readonly decided: readonly Row[];
  readonly clashes: readonly Clash[];
  readonly noted: readonly Row[];
}

const LIVE = ["active", "confirmed", "pending"];
/** Rows asked for: more than are shown, for some are over, or in hand elsewhere. */
const LISTED = 30;
const CLASHES_MAX = 3;

export interface Asked {
  /** Where a key may choose among tenants. */
  readonly tenant_id?: string;
  readonly project: Project | null;
  /** Whose own rules apply, too; null where the caller's key says so. */
  readonly agent: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The rules that hold: without a project those of the whole tenant. Throws what the server refuses. */
export async function askRules(call: CallLocal, { project, agent, ...asked }: Asked): Promise<Rule[]> {
  const whose = {
    ...tenantOf(asked),
    ...(project === null ? {} : { fleet_id: project.id }),
    ...(agent === null ? {} : { agent_id: agent }),
  };
  const query = new URLSearchParams({ envelope: "true", ...whose });
  return Rules.parse(await call("GET", `/api/v1/keystones?${query}`)).items;
}

const tenantOf = ({ tenant_id }: Pick<Asked, "tenant_id">) => (tenant_id === undefined ? {} : { tenant_id });

/** What a session begins with. */
export interface Beginning extends Asked {
  /** Null where no repository tells. */
  readonly work: WorkInHand | null;
  /** What a row must score to be told of it. */
  readonly floor: number;
  /** Milliseconds that the server may wait for its models, and that what bears on the work is waited for. */
  readonly wait_ms: number;
}

/** What a session should know before it begins. Throws where every question is refused. */
export async function askBrief(call: CallLocal, asked: Beginning): Promise<Brief> {
  const { project, work, floor, wait_ms } = asked;
  // Whatever comes of these, and when: nothing else waits for them.
  const inHand = within(
    askInHand(call, { ...tenantOf(asked), work, project, floor, wait_ms }).catch(() => NOTHING_IN_HAND),
    wait_ms,
    () => NOTHING_IN_HAND,
  );
  const list = async (filter: Record<string, string>) => {
    const query = { fields: FIELDS.join(), limit: String(LISTED), ...tenantOf(asked), ...seenIn(project) };
    const reply = await call("GET", `/api/v1/memories?${new URLSearchParams({ ...query, ...filter })}`);
    return Rows.parse(reply).items.filter((row) => isOurs(row, asked));
  };
  const clashes = async () => {
    const rows = (await list({ status: "conflicted" })).slice(0, CLASHES_MAX);
    return (await Promise.all(rows.map((row) => orNone(clashesOf(call, row, asked))))).flat();
  };
  const asks = {
    rules: askRules(call, asked),
    decided: list({ memory_type: "decision" }),
    clashes: clashes(),
    noted: list({}),
  };
  // Where nothing is answered, there is nobody to tell of.
  await Promise.any(Object.values(asks)).catch(({ errors: [first] }: AggregateError) => {
    throw first;
  });
  const [bound, near, decided, open, noted] = await Promise.all([
    asks.rules.catch(() => null),
    inHand,
    orNone(asks.decided),
    orNone(asks.clashes),
    orNone(asks.noted),
  ]);
  const isLive = (row: Row) => LIVE.includes(row.status);
  const clashing = new Set(open.flatMap(({ row, other }) => [row.id, other.id]));
  const in_hand = { ...near, rows: near.rows.filter(({ id }) => !clashing.has(id)) };
  const told = new Set([...clashing, ...in_hand.rows.map(({ id }) => id)]);
  const isUntold = (row: Row) => isLive(row) && !told.has(row.id);
  return {
    rules: bound,
    in_hand,
    decided: decided.filter(isUntold),
    clashes: open,
    noted: noted.filter((row) => isUntold(row) && row.memory_type !== "decision"),
  };
}

/** What a list is narrowed to: the project's own rows, outside any what is for everyone. */
const seenIn = (project: Project | null): Record<string, string> =>
  project === null ? { shared_only: "true" } : { fleet_id: project.id };

/** Expired rows are listed, but no longer hold. */
const isOurs = (row: Row, { project, now }: Asked): boolean =>
  isSettled(row, project) && (row.expires_at == null || Date.parse(row.expires_at) > now);

/** Rows of a time when another project of the same name wrote here, too, are told once somebody has said whose they are. */
const isSettled = (row: Row, project: Project | null): boolean =>
  project?.unsettled_before == null || row.fleet_id !== project.id || row.created_at >= project.unsettled_before;

async function clashesOf(call: CallLocal, row: Row, asked: Asked): Promise<Clash[]> {
  const { contradictions } = Clashes.parse(await call("GET", `/api/v1/memories/${row.id}/contradictions`));
  const other = contradictions.find(({ status }) => [...LIVE, "conflicted"].includes(status));
  if (!other) return [];
  // What stands against it may be another project's, where it is not told.
  const theirs = Row.parse(await call("GET", `/api/v1/memories/${other.memory_id}`));
  if (!(isSharedOr(theirs, asked.project) && isOurs(theirs, asked))) return [];
  return [{ row, other: { id: other.memory_id, content: other.content_preview, created_at: other.created_at } }];
}

/** Whether a row is for everyone, or the project's own. */
const isSharedOr = ({ fleet_id, visibility }: Row, project: Project | null): boolean =>
  fleet_id === null || visibility === "scope_org" || fleet_id === project?.id;

const orNone = <T>(asked: Promise<T[]>): Promise<T[]> => asked.catch(() => []);

const TOP_K = 6;
const TOP_K_DOUBTED = 20;

export interface Prompted extends Pick<Asked, "tenant_id"> {
  readonly query: string;
  readonly project: Project | null;
  /** What a row must score to be told. */
  readonly floor: number;
  /** Milliseconds that the server may wait for its models, some of which load again after a while without a question. */
  readonly wait_ms: number;
}

/** The memories that likely answer a prompt, best first, of the project and of what is shared beyond it. */
export async function askFitting(call: CallLocal, prompted: Prompted): Promise<Row[]> {
  const { project, floor } = prompted;
  // What is passed over takes no place of what is told.
  const top_k = project?.unsettled_before == null ? TOP_K : TOP_K_DOUBTED;
  const body = { ...bodyOf(prompted), top_k, min_score: floor, fields: FIELDS };
  const { items } = Rows.parse(await call("POST", "/api/v1/search", body));
  return items.filter((row) => isSettled(row, project)).slice(0, TOP_K);
}

const IN_HAND_MAX = 5;

const NOTHING_IN_HAND: InHand = { named: [], rows: [] };

async function askInHand(
  call: CallLocal,
  { work, ...where }: Omit<Prompted, "query"> & Pick<Beginning, "work">,
): Promise<InHand> {
  if (work === null) return NOTHING_IN_HAND;
  const questions = questionsOf(work);
  const found = await Promise.all(questions.map(({ query }) => askFitting(call, { query, ...where })));
  const inTurn = Array.from({ length: TOP_K }, (_, place) => found.flatMap((rows) => rows[place] ?? [])).flat();
  const rows = [...new Map(inTurn.map((row) => [row.id, row])).values()].slice(0, IN_HAND_MAX);
  return { named: questions.map(({ named }) => named), rows };
}

const Near = z.object({
  items: z.array(z.object({ id: z.string(), content: z.string(), score: z.number().nullable() })),
  warnings: z
    .array(z.object({ message: z.string() }).transform(({ message }) => message))
    .nullish()
    .transform((warnings) => warnings ?? []),
});
/** Memories that are nearest a prompt, whatever they score, and what the server says of its search. */
export type Near = z.infer<typeof Near>;

/** What of memory is nearest a prompt. It is looked at by a person, and counts as no use of it. */
export async function askNear(call: CallLocal, prompted: Prompted): Promise<Near> {
  const body = {
    ...bodyOf(prompted),
    min_score: 0,
    fields: Object.keys(Near.shape.items.element.shape),
    diagnostic: true,
  };
  return Near.parse(await call("POST", "/api/v1/search", body));
}

const bodyOf = ({ query, project, wait_ms, ...asked }: Prompted) => ({
  query,
  ...tenantOf(asked),
  top_k: TOP_K,
  wait_ms,
  ...(project === null ? { shared_only: true } : { fleet_ids: [project.id] }),
});
