import type { Clock } from "../../../core/kernel/clock.ts";
import { TOLD_MAX } from "../../../core/schema/observing/told.ts";
import type { CallLocal } from "../../call.ts";
import type { ToldMemory } from "../compose.ts";
import type { HookCall } from "../harness.ts";
import type { KeptTellings } from "./kept.ts";
import { forgetTellings, openTellings } from "./kept.ts";
import type { Judging, TakenUp } from "./taken-up.ts";
import { takenUp } from "./taken-up.ts";
import { lengthOf, saidSince } from "./transcript.ts";
import { hasherOf, tellingMarks } from "./words.ts";

/** What a hook needs to count what it told. */
export interface Recording {
  readonly call: CallLocal;
  /** Folder of what sessions were told. */
  readonly folder: string;
  readonly clock: Clock;
  /** Names this process among those that run at the same time. */
  readonly teller: string;
  /** Whether there is time to read a transcript. */
  readonly hasTime: () => boolean;
}

const NOTHING: TakenUp = { watched: [], used: [] };

/**
 * Has counted what a hook has just told, and what was taken up of what the session was told before. It comes after the answer
 * to the harness; what cannot be read or kept is passed over. Throws what the server refuses.
 */
export async function recordTold(hook: HookCall, told: readonly ToldMemory[], recording: Recording): Promise<void> {
  const ids = [...new Set(told.map(({ id }) => id))].slice(0, TOLD_MAX);
  const before = lookedUp(hook, told, recording);
  const report = { told: ids, watched: before.watched.slice(0, TOLD_MAX), used: before.used.slice(0, TOLD_MAX) };
  if (Object.values(report).some((some) => some.length > 0))
    await recording.call("POST", "/api/v1/memories/told", report);
}

/** What became of what was told before; what is told now is kept for the next hook. */
function lookedUp(hook: HookCall, told: readonly ToldMemory[], { folder, teller, clock, hasTime }: Recording): TakenUp {
  const { session, transcript, event } = hook;
  if (session === null || transcript === null) return NOTHING;
  const hashOf = hasherOf(session);
  const kept = openTellings(folder, session, teller);
  try {
    const before = hasTime() ? outcomesOf(kept, transcript, { hashOf, hasTime }) : NOTHING;
    // What comes after is another context, which is told all again.
    if (event === "pre-compact" || event === "session-end") forgetTellings(folder, session);
    const [at, offset] = [clock.now(), told.length === 0 ? 0 : lengthOf(transcript)];
    const fresh = told.map(({ id, content }) => ({
      ...{ id, at, offset },
      marks: new Set(tellingMarks(content, hook.prompt).map(hashOf)),
    }));
    kept.add(fresh.filter(({ marks }) => marks.size > 0));
    return before;
  } catch {
    return NOTHING;
  }
}

function outcomesOf(kept: KeptTellings, transcript: string, how: Omit<Judging, "said">): TakenUp {
  const open = kept.open();
  if (open.length === 0) return NOTHING;
  const said = saidSince(transcript, Math.min(...open.map(({ offset }) => offset)));
  const found = said && takenUp(open, { said, ...how });
  if (found === null) return NOTHING;
  const { watched, used } = found;
  return { watched: kept.claim("watched", watched), used: kept.claim("used", used) };
}
