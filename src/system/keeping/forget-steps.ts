import { actorOf } from "../../access/actor.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import { decodeCursor, encodeCursor } from "../../core/kernel/cursor.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { mapCooperatively, yieldToEventLoop } from "../../core/kernel/event-loop.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { HeldText, Holder, Traces } from "../../core/ports/keeping/forgetting.ts";
import { HOLDERS } from "../../core/ports/keeping/forgetting.ts";
import type { MemoryFilter } from "../../core/ports/memory-filter.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { ForgetCounts, ForgetRequest } from "../../core/schema/keeping/forget.ts";
import { sumOfCounts } from "../../core/schema/keeping/forget.ts";
import { saidBy, textMatch } from "../../text/words/text-match.ts";

/** What a step did, and where the next one of its kind goes on: null where there is none. */
export interface Stepped {
  readonly counts: Partial<ForgetCounts>;
  readonly at: string | null;
}

/** What is asked for; a fleet of null is none. */
export interface Asked extends Omit<ForgetRequest, "fleet_id" | "shared_only"> {
  readonly fleet_id?: string | null | undefined;
}

/** Something that is gone through in small steps. */
export interface ForgetStep {
  readonly name: string;
  /** Whether it has anything to do with what was asked. */
  isAsked(request: Asked): boolean;
  /** `at` is where the step before ended; empty to begin. Throws BAD_REQUEST where no step ends there. */
  run(ctx: Ctx, request: Asked, at: string): Promise<Stepped>;
}

/** Memories read at once, and erased in one transaction: some milliseconds each. */
const MEMORIES_PER_STEP = 100;
const BYTES_PER_STEP = 1024 * 1024;
const MEMORIES_PER_ERASURE = 5;

/** Those of some rows that hold the text that is asked for; all where none is. */
async function meantOf<T>({ match }: Asked, rows: readonly T[], textOf: (row: T) => string): Promise<T[]> {
  if (match === undefined) return [...rows];
  const isHeld = textMatch(match);
  const held = await mapCooperatively(rows, (row) => isHeld(textOf(row)));
  return rows.filter((_, i) => held[i]);
}

/** Whether all of an agent is meant. */
const ofAgentAlone = ({ agent_id, fleet_id, before, match }: Asked): boolean =>
  agent_id !== undefined && [fleet_id, before, match].every((filter) => filter === undefined);

/** First, so that it writes no more with a key. */
const agentStep: ForgetStep = {
  name: "agent",
  isAsked: ofAgentAlone,
  run: async (ctx, { tenant_id, agent_id = "", dry_run }) => {
    const counts = await ctx.storage.agents.known(tenant_id, agent_id);
    if (!dry_run) await ctx.storage.agents.erase({ tenant_id, agent_id }, actorOf(ctx));
    return { counts, at: null };
  },
};

/** Once more when no memory is its own, so that its row goes. */
const agentRowStep: ForgetStep = {
  name: "agent_row",
  isAsked: (request) => ofAgentAlone(request) && !request.dry_run,
  run: async (...asked) => ({ ...(await agentStep.run(...asked)), counts: {} }),
};

const memoryStep: ForgetStep = {
  name: "memories",
  isAsked: () => true,
  run: async (ctx, request, at) => {
    const after = at === "" ? null : (decodeCursor(at) ?? unknownPlace());
    const bounds = { limit: MEMORIES_PER_STEP, bytes: BYTES_PER_STEP };
    const order = { sort: "created_at", order: "desc", after, offset: 0 } as const;
    const page = await ctx.storage.memories.page({ filter: filterOf(request), ...order, ...bounds });
    const meant = await meantOf(request, page.items, saidBy);
    const rows = meant.map(({ id }) => ({ id, target: id }));
    const counts = { memories: meant.length, ...(await tracesOf(ctx, request, rows)) };
    if (!request.dry_run) await eraseMemories(ctx, request.tenant_id, meant);
    const last = page.items.at(-1);
    return { counts, at: page.more && last ? encodeCursor(last) : null };
  },
};

/** The newest first, so that what is written meanwhile is not gone through. */
const filterOf = ({ tenant_id, agent_id, fleet_id, before }: Asked): MemoryFilter => ({
  tenant_id,
  written_by: agent_id,
  fleets: fleet_id == null ? undefined : { ids: [fleet_id], orShared: false },
  no_fleet: fleet_id === null,
  created_before: before === undefined ? undefined : toTimestamp(Date.parse(before) - 1),
  include_deleted: true,
});

async function eraseMemories(ctx: Ctx, tenant_id: string, meant: readonly StoredMemory[]): Promise<void> {
  for (let i = 0; i < meant.length; i += MEMORIES_PER_ERASURE) {
    const ids = meant.slice(i, i + MEMORIES_PER_ERASURE).map(({ id }) => id);
    await ctx.storage.memories.erase({ tenant_id, ids, include_deleted: true }, actorOf(ctx), ids.length);
    await yieldToEventLoop();
  }
}

/** What has a fleet and goes as a whole. */
const WHOLE: ReadonlySet<Holder> = new Set(["documents", "entities", "relations"]);

/** What is said of rows, by the audit, replies and labels, is gone through for a text alone; else it goes with the rows. */
function isGoneThrough(holder: Holder, { agent_id, fleet_id, match }: Asked): boolean {
  // Only of a memory it is known who wrote it.
  if (agent_id !== undefined) return false;
  return WHOLE.has(holder) || (match !== undefined && fleet_id === undefined);
}

/** Under what the rows of a holder are counted. */
const COUNTED_AS: Readonly<Record<Holder, keyof ForgetCounts>> = {
  documents: "documents",
  entities: "entities",
  relations: "relations",
  audit_entries: "audit_entries",
  audit_targets: "audit_entries",
  kept_replies: "kept_replies",
  agent_names: "agents",
  key_labels: "keys",
  request_names: "labels",
  kept_texts: "labels",
  rejections: "labels",
  forge_runs: "labels",
  import_sources: "labels",
  empty_collections: "labels",
};

/** What tells of rows; replies that are gone through later are not counted twice. */
async function tracesOf(
  { storage }: Ctx,
  request: Asked,
  rows: readonly Pick<HeldText, "id" | "target">[],
): Promise<Partial<Traces>> {
  const { audit_entries, kept_replies } = await storage.forgetting.traces(request.tenant_id, rows);
  return request.dry_run && isGoneThrough("kept_replies", request)
    ? { audit_entries }
    : { audit_entries, kept_replies };
}

const holderStep = (holder: Holder): ForgetStep => ({
  name: holder,
  isAsked: (request) => isGoneThrough(holder, request),
  run: async (ctx, request, at) => {
    const { forgetting } = ctx.storage;
    const { tenant_id, fleet_id, before } = request;
    const { rows, next } = await forgetting.held(holder, { tenant_id, fleet_id, before }, numberIn(at));
    const meant = await meantOf(request, rows, ({ text }) => text);
    const named = meant.filter(({ target }) => target !== "");
    const counts = named.length > 0 ? await tracesOf(ctx, request, named) : {};
    if (!request.dry_run && meant.length > 0) await forgetting.erase(holder, tenant_id, meant, actorOf(ctx));
    const found = { [COUNTED_AS[holder]]: meant.length };
    return { counts: sumOfCounts([counts, found]), at: next === null ? null : String(next) };
  },
});

/** What was erased leaves nothing in names, keyword indexes, free pages and the log. */
const residueSteps: readonly ForgetStep[] = [
  residueStep("names", async ({ entities }, at) => {
    const next = await entities.deleteOrphanedNames(numberIn(at));
    return next === null ? null : String(next);
  }),
  residueStep("words", async ({ indexes }, at) => ((await indexes.mergeWords(at === "")) ? "on" : null)),
  residueStep("pages", async ({ retention }) => ((await retention.giveBackPages()) ? "on" : null)),
  residueStep("file", async ({ retention }) => {
    await retention.rewrite();
    return null;
  }),
  residueStep("log", async (storage) => {
    try {
      await storage.emptyLog();
      return null;
    } catch (error) {
      // Somebody reads from it, a backup say: it is tried again until that is over.
      if (error instanceof AppError && error.code === "UNAVAILABLE") return "on";
      throw error;
    }
  }),
];

function residueStep(name: string, run: (storage: Ctx["storage"], at: string) => Promise<string | null>): ForgetStep {
  return {
    name,
    isAsked: ({ dry_run }) => !dry_run,
    run: async ({ storage }, _, at) => ({ counts: {}, at: await run(storage, at) }),
  };
}

function numberIn(at: string): number {
  if (/^\d{0,15}$/.test(at)) return Number(at);
  return unknownPlace();
}

/** Throws for a place that no reply told. */
export function unknownPlace(): never {
  throw new AppError("BAD_REQUEST", "`next` is not what the reply before told. Leave it out to begin again.");
}

/** All of them, in the order in which they are done. */
export const FORGET_STEPS: readonly ForgetStep[] = [
  agentStep,
  memoryStep,
  ...HOLDERS.map(holderStep),
  agentRowStep,
  ...residueSteps,
];
