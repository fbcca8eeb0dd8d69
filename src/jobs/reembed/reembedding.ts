import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { describeCause } from "../../core/kernel/log.ts";
import type { Services } from "../../core/ports/context.ts";
import type { Generation, ModelSpace } from "../../core/ports/keeping/generations.ts";
import type { Models, Reembedding } from "../../core/ports/keeping/reembedding.ts";
import type { OtherModel } from "../../core/schema/keeping/reembed.ts";
import { checkGeneration } from "./check.ts";
import { readAll } from "./read.ts";

export interface ReembedParts {
  services(): Services;
  readonly clock: Clock;
  /** Names of the models that can be chosen. */
  names(): string[];
  /** The models that answer. */
  current(): Models;
  /** Other models, loaded and checked. Throws AppError. */
  another(name: string): Promise<Models>;
  /** Has everything answered by these from now on. */
  take(models: Models, storage: Services["storage"]): void;
}

/** Rounds of reading what was written since the round before; rows still unread after so many are left to the jobs. */
const ROUNDS_MAX = 20;
/** How often it is looked whether a rebuild has ended. */
const LOOK_MS = 200;
/** How long what was counted of all rows is told again while rows are being read: counting a million takes a part of a second. */
const COUNTED_MS = 2_000;

/** Keeps the change to another model of a process; what of it must outlive the process lies in the storage. */
export function createReembedding({ services, clock, names, current, another, take }: ReembedParts): Reembedding {
  let work: { readonly stopping: AbortController; readonly done: Promise<void> } | null = null;
  let step: OtherModel["step"] = null;
  let pace = { rows: 0, since: 0 };
  let counted: { readonly done: number; readonly total: number; readonly at: number } | null = null;
  const generations = () => services().storage.generations;
  const otherOf = async (): Promise<Generation | null> => (await generations().list()).other;

  async function progress(): Promise<{ readonly done: number; readonly total: number }> {
    const now = clock.now();
    if (step !== "reading" || counted === null || now - counted.at >= COUNTED_MS || now < counted.at)
      counted = { ...(await generations().progress()), at: now };
    return counted;
  }

  async function run(other: Generation, models: Models, signal: AbortSignal): Promise<void> {
    requireSame(other, models);
    pace = { rows: 0, since: clock.now() };
    counted = null;
    const tell = (rows: number) => {
      pace = { ...pace, rows: pace.rows + rows };
    };
    const read = () => readAll({ generations: generations(), models, signal, tell });
    step = "reading";
    await read();
    step = "checking";
    await checkGeneration(services().storage, models, signal);
    step = "switching";
    const storage = await generations().open();
    for (let round = 1; ; round++) {
      // A rebuild goes through the rows of the model that answers.
      while (services().indexMaintenance.latest(null)?.state === "running") await Bun.sleep(LOOK_MS);
      signal.throwIfAborted();
      const mayLack = round > ROUNDS_MAX;
      const left = await generations().switchTo(storage, mayLack, () => take(models, storage));
      if (left.memories + left.documents === 0) break;
      await read();
    }
    services().log.info("model changed", { model: models.name, embedder_id: models.embedder.id });
    await services().storage.jobs.addReembedding(models.embedder.id, clock.now());
  }

  /** Goes on with the other model, or with taking it out, until that is done or told to stop. */
  function goOn(other: Generation, opened: Models | null): void {
    const stopping = new AbortController();
    const { signal } = stopping;
    const isGoing = other.state === "dropping";
    const body = async () => {
      step = isGoing ? null : "loading";
      if (isGoing) return dropAll(generations(), signal);
      await run(other, opened ?? (await another(other.model)), signal);
    };
    const done = body()
      .catch((error: unknown) => (signal.aborted ? undefined : fail(isGoing ? "dropping" : "failed", error)))
      .finally(() => {
        step = null;
        if (work?.stopping === stopping) work = null;
      });
    work = { stopping, done };
  }

  async function fail(state: "dropping" | "failed", error: unknown): Promise<void> {
    const cause = describeCause(error);
    services().log.warn("re-embedding failed", { cause });
    const message = error instanceof AppError ? error.message : "It failed; the log has the cause.";
    await generations()
      .change(state, message)
      .catch(() => undefined);
  }

  async function halt(): Promise<void> {
    work?.stopping.abort(new Error("It was told to stop."));
    await work?.done;
  }
  async function require(states: readonly Generation["state"][], what: string): Promise<Generation> {
    const other = await otherOf();
    if (other && states.includes(other.state)) return other;
    const now = other ? `${other.model} is ${other.state}` : "there is no other model";
    throw new AppError("CONFLICT", `Nothing to ${what}: ${now}.`);
  }
  const beginWith = async (models: Models) => {
    await generations().begin(spaceOf(current()), spaceOf(models));
    const other = await otherOf();
    if (other) goOn(other, models);
  };
  const goBackTo = async (other: Generation) => {
    const models = await another(other.model).catch((error: unknown) => {
      throw error instanceof AppError ? new AppError("CONFLICT", `${error.message} ${endOf(other)}.`) : error;
    });
    requireSame(other, models);
    await beginWith(models);
  };
  const drop = async (other: Generation) => {
    await generations().change("dropping");
    goOn({ ...other, state: "dropping" }, null);
  };
  const orders: Omit<Reembedding, "state" | "start" | "stop"> = {
    async begin(name) {
      const other = await otherOf();
      if (current().name === name) throw new AppError("CONFLICT", `${name} answers already.`);
      if (other) throw new AppError("CONFLICT", inTheWay(other, name));
      await beginWith(await another(name));
    },
    async pause() {
      await require(["building"], "pause");
      await halt();
      // It may have become the one that answers meanwhile.
      await require(["building"], "pause");
      await generations().change("paused");
    },
    async resume() {
      const other = await require(work ? ["paused", "failed"] : ["paused", "failed", "building"], "resume");
      await goBackTo(other);
    },
    async rollback() {
      await goBackTo(await require(["previous"], "go back to"));
    },
    async cancel() {
      await require(["building", "paused", "failed"], "cancel");
      await halt();
      const other = await require(["building", "paused", "failed"], "cancel");
      if (other.has_answered) await generations().change("previous");
      else await drop(other);
    },
    async dropOld() {
      await drop(await require(work ? ["previous"] : ["previous", "dropping"], "take out"));
    },
  };
  let isOrdered = false;
  /** One order at a time: each looks first at what there is. */
  const alone = async (carryOut: () => Promise<void>): Promise<void> => {
    if (isOrdered) throw new AppError("CONFLICT", "Another change of the model is being asked for. Try again.");
    isOrdered = true;
    try {
      await carryOut();
    } finally {
      isOrdered = false;
    }
  };
  return {
    begin: (model) => alone(() => orders.begin(model)),
    pause: () => alone(orders.pause),
    resume: () => alone(orders.resume),
    rollback: () => alone(orders.rollback),
    cancel: () => alone(orders.cancel),
    dropOld: () => alone(orders.dropOld),
    async state() {
      const { name, embedder } = current();
      const other = await otherOf();
      const answering = { model: name, embedder_id: embedder.id, models: names() };
      if (!other) return { ...answering, other: null };
      const { has_answered: _kept, state, ...told } = other;
      const { done, total } = await progress();
      const seconds = (clock.now() - pace.since) / 1000;
      const isReading = step === "reading" && pace.rows > 0 && seconds > 0;
      const per_second = isReading ? Math.round((10 * pace.rows) / seconds) / 10 : null;
      const seconds_left = per_second ? Math.ceil(Math.max(0, total - done) / per_second) : null;
      // What is active is nobody's other.
      if (state === "active") return { ...answering, other: null };
      return {
        ...answering,
        other: { ...told, state, step, done: Math.min(done, total), total, per_second, seconds_left },
      };
    },
    async start() {
      await generations().renew(spaceOf(current()));
      const other = await otherOf();
      if (other && !work && (other.state === "building" || other.state === "dropping")) goOn(other, null);
    },
    stop: halt,
  };
}

async function dropAll(generations: Services["storage"]["generations"], signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await generations.drop())) await Bun.sleep(0);
}

const spaceOf = ({ name, embedder }: Models): ModelSpace => ({ model: name, embedder });

/** Throws where a model reads otherwise than it did when it made its vectors: those of both are never compared. */
function requireSame(other: Generation, { embedder }: Models): void {
  const { model, embedder_id } = other;
  if (embedder.id === embedder_id) return;
  throw new AppError(
    "CONFLICT",
    `The vectors of ${model} were made by another release, which read in another way (${embedder_id}) than this one (${embedder.id}). ${endOf(other)}, and have everything read anew with \`cairn reembed --model ${model}\`.`,
  );
}

/** How vectors that cannot answer any more are taken out. */
const endOf = ({ state }: Generation): string =>
  state === "previous"
    ? "Take its vectors out with `cairn reembed --drop-old`"
    : "Give its vectors up with `cairn reembed --cancel`";

function inTheWay({ model, state }: Generation, wanted: string): string {
  if (state === "previous" && model === wanted)
    return `${model} is kept from before. Go back to it with \`cairn reembed --rollback\`.`;
  if (state === "previous") return `${model} is kept from before. Take it out first with \`cairn reembed --drop-old\`.`;
  if (state === "dropping") return `${model} is being taken out. Wait until that is done.`;
  return `${model} is being prepared (${state}). Wait, or give it up with \`cairn reembed --cancel\`.`;
}
