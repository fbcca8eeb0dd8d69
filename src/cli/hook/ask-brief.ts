import { z } from "zod";
import { within } from "../../core/kernel/event-loop.ts";
import { Authorship, RuleText } from "../../core/schema/keystone.ts";
import { KeystoneScope } from "../../core/schema/keystones/place.ts";
import type { WorkInHand } from "../../projects/folder/work-in-hand.ts";
import type { CallLocal } from "../call.ts";
import type { Project } from "../which-project.ts";
import type { Prompted } from "./ask-prompt.ts";
import { askFitting, TOP_K } from "./ask-prompt.ts";
import { questionsOf } from "./in-hand.ts";
import type { Asked } from "./rows.ts";
import { FIELDS, isSettled, Row, Rows, tenantOf } from "./rows.ts";

// What a hook asks the server at a session's start. A question that is refused counts as one without an answer, unless all are; of the rules that is told.

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
  /** Tasks that nothing ended yet. */
  readonly open: readonly Row[];
  readonly decided: readonly Row[];
  readonly clashes: readonly Clash[];
  readonly noted: readonly Row[];
}

const LIVE = ["active", "confirmed", "pending"];
/** Rows asked for: more than are shown, for some are over, or in hand elsewhere. */
const LISTED = 30;
const CLASHES_MAX = 3;
const LISTED_APART = ["task", "decision"];

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
    open: list({ memory_type: "task" }),
    decided: list({ memory_type: "decision" }),
    clashes: clashes(),
    noted: list({}),
  };
  // Where nothing is answered, there is nobody to tell of.
  await Promise.any(Object.values(asks)).catch(({ errors: [first] }: AggregateError) => {
    throw first;
  });
  const [bound, near, open, decided, clashing, noted] = await Promise.all([
    asks.rules.catch(() => null),
    inHand,
    orNone(asks.open),
    orNone(asks.decided),
    orNone(asks.clashes),
    orNone(asks.noted),
  ]);
  const isLive = (row: Row) => LIVE.includes(row.status);
  const inClash = new Set(clashing.flatMap(({ row, other }) => [row.id, other.id]));
  const in_hand = { ...near, rows: near.rows.filter(({ id }) => !inClash.has(id)) };
  const told = new Set([...inClash, ...in_hand.rows.map(({ id }) => id)]);
  const isUntold = (row: Row) => isLive(row) && !told.has(row.id);
  return {
    rules: bound,
    in_hand,
    open: open.filter(isUntold),
    decided: decided.filter(isUntold),
    clashes: clashing,
    noted: noted.filter((row) => isUntold(row) && !LISTED_APART.includes(row.memory_type)),
  };
}

/** What a list is narrowed to: the project's own rows, outside any what is for everyone. */
const seenIn = (project: Project | null): Record<string, string> =>
  project === null ? { shared_only: "true" } : { fleet_id: project.id };

/** Expired rows are listed, but no longer hold. */
const isOurs = (row: Row, { project, now }: Asked): boolean =>
  isSettled(row, project) && (row.expires_at == null || Date.parse(row.expires_at) > now);

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
