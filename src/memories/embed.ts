import { isSilent } from "../core/kernel/vectors.ts";
import type { Services } from "../core/ports/context.ts";
import type { Conversation, EmbedOptions, EmbedPriority, TurnVectors } from "../core/ports/embedder.ts";
import type { PendingMemory, PreviousText, RowVectors } from "../core/ports/memory-store.ts";
import type { MemoryKey, StoredMemory } from "../core/ports/stored-memory.ts";
import type { Job } from "../core/schema/job.ts";
import { speakerLabel } from "../text/words/speaker-label.ts";

type EmbedJob = Extract<Job, { kind: "embed_memories" }>;

/** Rows a job embeds at most, so that a lease always outlives its job. */
const ROWS_PER_JOB = 100;
/** Rows embedded and stored at a time: how soon the first rows are found by meaning. */
const ROWS_PER_STEP = 32;
/** Steps in hand at once: the model goes on while rows are stored, on all processors. */
const STEPS_AT_ONCE = 4;

/** The work that gives a vector to each row stored without one. */
export function embedJobs(created: readonly StoredMemory[]): EmbedJob[] {
  return embedJobsOf(created.filter((memory) => memory.embedded_by === null));
}

/** The work that gives a vector to each of these rows of one tenant. */
export function embedJobsOf(pending: readonly MemoryKey[]): EmbedJob[] {
  const jobs: EmbedJob[] = [];
  for (let i = 0; i < pending.length; i += ROWS_PER_JOB) {
    const rows = pending.slice(i, i + ROWS_PER_JOB);
    const tenant_id = rows[0]?.tenant_id ?? "";
    jobs.push({ kind: "embed_memories", payload: { tenant_id, memory_ids: rows.map((row) => row.id) } });
  }
  return jobs;
}

/** How a job is told to stop before it is done. */
interface Stoppable {
  readonly signal?: AbortSignal;
}

/**
 * Job: embeds the rows that still wait, a few at a time. Running it twice changes nothing. Throws when a row is left, after
 * all the others have their vectors. Returns how many rows it embedded.
 */
export async function embedMemories(
  services: Services,
  { payload, signal }: EmbedJob & Stoppable,
  priority: EmbedPriority = "background",
): Promise<number> {
  const { storage, embedder } = services;
  const options: EmbedOptions = { role: "passage", priority, ...(signal ? { signal } : {}) };
  const pending = await storage.memories.pending(payload.tenant_id, payload.memory_ids, embedder.id);
  const refused: PendingMemory[] = [];
  const steps = stepsOf(pending).values();
  const workThrough = async () => {
    for (const rows of steps) if (await embedStep(services, rows, options)) refused.push(...rows);
  };
  await Promise.all(Array.from({ length: STEPS_AT_ONCE }, workThrough));
  // One text that the model refuses fails its whole step; tried alone, only itself.
  let left: Refused | null = null;
  for (const row of refused) left = (await embedStep(services, [row], options)) ?? left;
  if (left) throw left.reason;
  return pending.length;
}

const stepsOf = (rows: readonly PendingMemory[]): PendingMemory[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_STEP) }, (_, i) =>
    rows.slice(i * ROWS_PER_STEP, (i + 1) * ROWS_PER_STEP),
  );

interface Refused {
  readonly reason: unknown;
}

/** Embeds and stores a few rows. Returns why the model refused them, or null. */
async function embedStep(
  services: Services,
  rows: readonly PendingMemory[],
  options: EmbedOptions,
): Promise<Refused | null> {
  const { storage } = services;
  const found = await embedRows(services, rows, options).catch((reason: unknown): Refused => ({ reason }));
  if ("reason" in found) return found;
  const tenant_id = rows[0]?.memory.tenant_id ?? "";
  const filled = rows.flatMap(({ memory: { id, content_hash } }, i) => {
    const vectors = found[i];
    return vectors ? [{ id, content_hash, vectors }] : [];
  });
  await storage.memories.fillVectors(tenant_id, filled);
  return null;
}

/** Rows longer than this, in characters, speak for themselves. */
const CONTEXT_LENGTH_MAX = 500;
/** Characters read of the end of the row before. */
const PREVIOUS_LENGTH_MAX = 400;
/** Turns read together, after the one before them: with three, LoCoMo's R@10 and MRR were .005 lower, with eight .013 and .006. */
const TURNS_AT_ONCE = 2;

/** The vectors of rows: of each text alone, or for short turns of a run, of these as they are read after the row before. */
export async function embedRows(
  services: Pick<Services, "embedder">,
  rows: readonly PendingMemory[],
  options: EmbedOptions,
): Promise<RowVectors[]> {
  const conversations = conversationsOf(rows);
  const alone = rows.filter((row) => previousOf(row) === null);
  const [ofAlone, ofTurns] = await Promise.all([
    services.embedder.embed(contentsOf(alone), options),
    services.embedder.embedTurns(conversations.map(toRead), options),
  ]);
  const own = ofAlone.values();
  const turns = ofTurns.flat().values();
  return rows.flatMap((row) => {
    const previous = previousOf(row);
    const turn = previous && turns.next().value;
    const vector = turn?.own ?? own.next().value;
    return vector ? [{ own: vector, context: previous && turn ? contextOf(turn, previous) : null }] : [];
  });
}

/**
 * What is read of a turn together with the row before: the turn alone where the model cannot read the two together, and null where it
 * cannot read the turn. A turn without it would pass for a note.
 */
const contextOf = ({ own, context }: TurnVectors, { content_hash }: PreviousText): RowVectors["context"] =>
  isSilent(own) ? null : { values: isSilent(context) ? own : context, previous_hash: content_hash };

const contentsOf = (rows: readonly PendingMemory[]): string[] => rows.map(({ memory }) => memory.content);

/** The row that a row is read with: the turn before a turn. Null for a note with a label ("Push: ..."), which speaks for itself. */
function previousOf({ memory: { content }, previous }: PendingMemory): PendingMemory["previous"] {
  if (previous === null || content.length > CONTEXT_LENGTH_MAX) return null;
  return speakerLabel(content) && speakerLabel(previous.content) ? previous : null;
}

/** Rows that are read with the one before them, in order; those that follow each other together. */
function conversationsOf(rows: readonly PendingMemory[]): PendingMemory[][] {
  const conversations: PendingMemory[][] = [];
  for (const [i, row] of rows.entries()) {
    const previous = previousOf(row);
    if (previous === null) continue;
    const open = conversations.at(-1);
    const last = open?.at(-1);
    const follows = last === rows[i - 1] && last?.memory.content_hash === previous.content_hash;
    if (open && follows && open.length < TURNS_AT_ONCE) open.push(row);
    else conversations.push([row]);
  }
  return conversations;
}

const toRead = (turns: readonly PendingMemory[]): Conversation => ({
  before: turns[0]?.previous?.content.slice(-PREVIOUS_LENGTH_MAX) ?? "",
  turns: contentsOf(turns),
});
