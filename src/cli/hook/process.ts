import { z } from "zod";
import { systemClock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { within } from "../../core/kernel/event-loop.ts";
import { newId } from "../../core/kernel/ids.ts";
import { describeCause } from "../../core/kernel/log.ts";
import { shownOnOneLine } from "../../core/kernel/quoting/unseen.ts";
import { nearestWord } from "../../core/kernel/text.ts";
import { ProjectError } from "../../projects/folder/error.ts";
import type { Gathered } from "../../projects/folder/evidence.ts";
import type { WorkInHand } from "../../projects/folder/work-in-hand.ts";
import { Refused } from "../call.ts";
import type { Remote } from "../connect.ts";
import { connectTo, Unreachable } from "../connect.ts";
import { print, printError } from "../print.ts";
import { HOOK_EVENTS } from "../setup/part.ts";
import { askTrusted } from "../which-project.ts";
import type { ToldMemory } from "./compose.ts";
import type { HookCall } from "./harness.ts";
import { HARNESSES, readCall } from "./harness.ts";
import { DEFAULT_LEVEL, FLOORS, HOOK_LEVELS } from "./level.ts";
import type { HookTools } from "./run.ts";
import { runHook, toldUnread } from "./run.ts";

/** Milliseconds after the start of this process at which it ends, whatever it waits for. */
const END_MS = 250;
/** The same where a person waits to be told why. */
const DEBUG_END_MS = 10_000;
/** What of it the server needs to search by what it has then, and this process to tell it. */
const ANSWER_MS = 110;
/** Counting what was told may take as long once the harness has its answer, which waits for the end of this process. */
const RECORD_MS = 60;
/** What of it reading a transcript may take. */
const READ_MS = 30;
/** A model that is loaded answers within these even if this process began slowly. */
const WAIT_MIN_MS = 20;

/** What the process needs to know of the machine around it. */
export interface HookPlace {
  /** Null where none runs. */
  readonly server: Remote | null;
  /** Whether a person gave the key: then it may say who the caller is. */
  readonly has_key: boolean;
  /** Folder of what sessions were told. */
  readonly folder: string;
  /** What a folder says of its project. Throws ProjectError. */
  readonly evidenceOf: (folder: string) => Gathered;
  /** What is in hand in the repository of a folder; null for none. */
  readonly workIn: (folder: string) => WorkInHand | null;
}

/** The command as it was written. */
export interface HookOptions {
  readonly harness?: string;
  readonly budget?: string;
  readonly level?: string;
  readonly debug?: boolean;
}

const Asked = z.object({
  event: z.enum(HOOK_EVENTS),
  harness: z.enum(HARNESSES).optional(),
  budget: z.coerce.number().int().min(1).optional(),
  level: z.enum(HOOK_LEVELS).default(DEFAULT_LEVEL),
});

/**
 * `cairn hook EVENT`: answers the harness that started this process, and ends it within 300 ms. Whatever goes wrong, it
 * exits 0 and says nothing, for a harness shows failures or stops its user's prompt over them; `debug` tells them on
 * standard error. Only a session that starts where there is a server is told that its rules could not be read. Throws
 * BAD_REQUEST for a command that is written wrongly.
 */
export async function hookProcess(
  event: string,
  { debug, ...options }: HookOptions,
  open: () => Promise<HookPlace>,
): Promise<never> {
  const asked = askedOf({ event, ...options });
  const say = (why: string): void => {
    if (debug) printError(`cairn hook ${event}: ${shownOnOneLine(why)}\n`);
  };
  let asking: HookCall | null = null;
  const late = () => say(`no answer within ${END_MS} ms, after which a harness is told nothing of it`);
  const untold = (why: "late" | "refused") => {
    const word = asking === null ? "" : toldUnread(asking, why);
    if (word !== "") print(word);
  };
  after(END_MS, debug ? late : () => end(() => untold("late")));
  after(DEBUG_END_MS, () => end(() => {}));
  try {
    const place = await open();
    const told = readCall(asked.event, await Bun.stdin.text(), asked.harness);
    if (place.server !== null) asking = told;
    const { answer, record } = await answerOf(told, asked, place, debug ? say : undefined);
    asking = null;
    if (answer === "") say("nothing to say");
    else print(answer);
    // A person who asks why is no session.
    if (!debug) await within(record().catch(silent), RECORD_MS, silent);
    return end(silent);
  } catch (error) {
    return end(() => {
      say(error instanceof AppError ? error.message : describeCause(error));
      untold("refused");
    });
  }
}

/** Runs something so many milliseconds after the start of this process. */
const after = (ms: number, run: () => void) => setTimeout(run, Math.max(0, ms - performance.now()));

function end(last: () => unknown): never {
  last();
  process.exit(0);
}

async function answerOf(
  told: HookCall,
  { budget, level }: Pick<z.infer<typeof Asked>, "budget" | "level">,
  place: HookPlace,
  explain: HookTools["explain"],
): Promise<{ answer: string; record: () => Promise<void> }> {
  const { server, has_key, folder, evidenceOf, workIn } = place;
  const call = server ? connectTo(server).call : nobody;
  const named = await projectIn(told.folder, evidenceOf, { call, explain });
  if (named.fault !== null) explain?.(named.fault);
  const wait_ms = () => Math.round(Math.max(WAIT_MIN_MS, END_MS - ANSWER_MS - performance.now()));
  const teller = newId(systemClock);
  const work = () => (told.folder === null ? null : workIn(told.folder));
  const memories: ToldMemory[] = [];
  const tools = {
    floor: FLOORS[level],
    onTold: (some: readonly ToldMemory[]) => void memories.push(...some),
    work,
    call,
    has_key,
    ...named,
    folder,
    clock: systemClock,
    wait_ms,
    teller,
    explain,
  };
  const answer = await runHook(told, budget === undefined ? tools : { ...tools, budget });
  const hasTime = () => performance.now() < END_MS - READ_MS;
  const record = async () => {
    // The words that it knows are not loaded before there is an answer.
    const { recordTold } = await import("./told/record.ts");
    return recordTold(told, memories, { ...tools, hasTime });
  };
  return { answer, record };
}

/** The project of a folder, or why it cannot be told: whatever lies in a folder, it silences no rule that binds all. */
async function projectIn(
  folder: string | null,
  evidenceOf: HookPlace["evidenceOf"],
  { call, explain }: Pick<HookTools, "call" | "explain">,
): Promise<Pick<HookTools, "project" | "fault">> {
  if (folder === null) return { project: null, fault: null };
  try {
    const { evidence, warnings } = evidenceOf(folder);
    for (const warning of warnings) explain?.(warning);
    const answered = await askTrusted(call, { save: false }, evidence);
    for (const warning of answered.warnings) explain?.(warning);
    return { project: answered.project, fault: null };
  } catch (error) {
    if (!(error instanceof ProjectError || error instanceof Refused)) throw error;
    return { project: null, fault: error.message };
  }
}

const silent = () => {};

const nobody = () => Promise.reject(new Unreachable("No server runs on this data folder."));

const NAMED = ["event", "harness", "level"] as const;
const KNOWN: Readonly<Record<(typeof NAMED)[number], readonly string[]>> = {
  event: HOOK_EVENTS,
  harness: HARNESSES,
  level: HOOK_LEVELS,
};

function askedOf(written: Readonly<Record<string, string | undefined>>): z.infer<typeof Asked> {
  const asked = Asked.safeParse(written);
  if (asked.success) return asked.data;
  const name = NAMED.find((one) => one === asked.error.issues[0]?.path[0]) ?? "event";
  if (asked.error.issues[0]?.path[0] === "budget")
    throw new AppError("BAD_REQUEST", "--budget is a number of characters.");
  const known = KNOWN[name];
  const near = nearestWord(written[name] ?? "", known);
  const meant = near === null ? "" : ` Did you mean '${near}'?`;
  throw new AppError("BAD_REQUEST", `There is no ${name} '${written[name]}'.${meant} Known are ${known.join(", ")}.`);
}
