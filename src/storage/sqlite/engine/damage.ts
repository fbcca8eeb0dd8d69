import { AppError } from "../../../core/kernel/errors.ts";
import type { DamageState, Inspection } from "../../../core/ports/storage.ts";
import type { Damaged } from "../../../core/schema/integrity.ts";
import { nameOf } from "../../integrity/tally.ts";
import { forgetDamage, rememberDamage, rememberedDamage } from "./damage-file.ts";

/** Whether the data file is damaged, as far as anyone came upon it. */
export interface DamageWatch {
  state(): DamageState;
  /** Takes notice of an error: one that speaks of damage has the pages looked at, and stops writes until that is done. */
  notice(error: unknown): void;
  /** Takes notice of what a check of the pages found. */
  found(inspection: Inspection): void;
  /** Throws UNAVAILABLE while it is in doubt what the rows are. */
  requireSound(): void;
}

const SOUND: DamageState = { seen: false, in_doubt: false, damaged: [] };

/** Watches over a data folder, or a store in memory; `look` checks all pages, on a thread of its own. */
export function watchDamage(folder: string | null, look: () => Promise<Inspection>): DamageWatch {
  let state = folder === null ? SOUND : stateOf(rememberedDamage(folder));
  let isLooking = false;
  const found = ({ damaged }: Inspection) => {
    state = stateOf(damaged);
    if (folder === null) return;
    if (state.seen) rememberDamage(folder, damaged);
    else forgetDamage(folder);
  };
  const lookOnce = async () => {
    if (isLooking || state.damaged.length > 0) return;
    isLooking = true;
    try {
      const inspection = await look();
      found(inspection);
      // Something was damaged, although the pages are as they should be: a check of everything tells more.
      if (inspection.damaged.length === 0) state = { ...SOUND, seen: true };
    } catch {
      // What cannot even be looked at stays in doubt.
    } finally {
      isLooking = false;
    }
  };
  return {
    state: () => state,
    notice: (error) => {
      const reason = error instanceof AppError ? error.details?.reason : undefined;
      if (reason !== "sqlite_corrupt" && reason !== "vector_index") return;
      if (reason === "sqlite_corrupt" && !state.seen) state = { seen: true, in_doubt: true, damaged: [] };
      void lookOnce();
    },
    found,
    requireSound: () => {
      if (!state.in_doubt) return;
      const names = state.damaged.map(nameOf).join(", ") || "what of it is being looked at";
      throw new AppError(
        "UNAVAILABLE",
        `The data file is damaged (${names}): nothing was written. Stop the server and run \`cairn rebuild\`, which saves what can be read. Reads go on where they can.`,
        { reason: "data_file_damaged" },
      );
    },
  };
}

const stateOf = (damaged: readonly Damaged[]): DamageState => ({
  seen: damaged.length > 0,
  in_doubt: damaged.some(({ derived }) => !derived),
  damaged,
});

/** A store whose every call has its errors noticed; callers get them as before. */
export function reportingErrors<T extends object>(store: T, notice: (error: unknown) => void): T {
  return new Proxy(store, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, given);
        if (answer instanceof Promise) answer.catch(notice);
        return answer;
      };
    },
  });
}
