import type { Clock } from "../../core/kernel/clock.ts";
import type { WorkInHand } from "../../projects/folder/work-in-hand.ts";
import type { CallLocal } from "../call.ts";
import type { Project } from "../which-project.ts";
import type { Beginning } from "./ask-brief.ts";
import { askBrief, askRules } from "./ask-brief.ts";
import type { Prompted } from "./ask-prompt.ts";
import { askFitting, askNear, askTold } from "./ask-prompt.ts";
import type { HookBlock, ToldMemory } from "./compose.ts";
import { fitting, itemsOf, render, without } from "./compose.ts";
import { reasonsOf } from "./explain.ts";
import type { HookCall } from "./harness.ts";
import { AGENT_OF, CONTEXT_MAX, compactAnswer, contextAnswer } from "./harness.ts";
import type { Seen } from "./seen.ts";
import { forgetSeen, openSeen, pruneSeen } from "./seen.ts";
import { briefParts, fittingPart, queryOf, rulesPart, unreadLine } from "./tell.ts";
import { forgetTellings } from "./told/kept.ts";

/** What a hook works with. */
export interface HookTools {
  readonly call: CallLocal;
  /** Whether the caller's key says who it is; then its name for itself is not asked about. */
  readonly has_key: boolean;
  readonly project: Project | null;
  /** Why the project cannot be told, where something names it badly: then no memory is, but the rules of all are. */
  readonly fault: string | null;
  /** What is in hand where the session is; looked at when it is to be told. */
  readonly work: () => WorkInHand | null;
  /** Folder of what sessions were told. */
  readonly folder: string;
  /** What a row must score to be told. */
  readonly floor: number;
  /** Characters that may be told; the usual number where absent. */
  readonly budget?: number;
  readonly clock: Clock;
  /** Milliseconds that the server may wait for its models before it answers a prompt. */
  readonly wait_ms: () => number;
  /** Names this process among those that run at the same time. */
  readonly teller: string;
  /** Takes why something is told or not, for whoever asked. */
  readonly explain?: ((why: string) => void) | undefined;
  /** Takes the memories that the answer tells. */
  readonly onTold?: ((memories: readonly ToldMemory[]) => void) | undefined;
}

const START_BUDGET = 3_000;
const PROMPT_BUDGET = 1_500;
/** A hook that stands in two settings files runs twice at once: what the other one has just told is not forgotten. */
const AT_ONCE_MS = 2_000;

/** What to write to a harness for what it told; nothing where there is nothing to say. Throws what the server refuses. */
export async function runHook(told: HookCall, tools: HookTools): Promise<string> {
  switch (told.event) {
    case "session-start":
      return startSession(told, tools);
    case "user-prompt":
      return answerPrompt(told, tools);
    case "pre-compact":
      forget(told, tools);
      return compactAnswer(told);
    case "session-end":
      forget(told, tools);
      return "";
    default:
      return told.event satisfies never;
  }
}

/** What a session is told at its start where a server that there is told nothing, and in which way; nothing at any other event. */
export const toldUnread = (told: HookCall, why: "late" | "refused"): string =>
  told.event === "session-start" ? contextAnswer(told, unreadLine(why)) : "";

async function startSession(told: HookCall, tools: HookTools): Promise<string> {
  const { folder, clock, budget = START_BUDGET } = tools;
  const now = clock.now();
  pruneSeen(folder, now);
  const recent = { now, unless_within_ms: AT_ONCE_MS };
  if (told.session && !told.is_resumed) {
    forgetSeen(folder, told.session, recent);
    forgetTellings(folder, told.session, recent);
  }
  return tell(told, tools, { ...(await brief(told, tools, budget)), budget, unkept: "tell" });
}

/** Told where a session was briefed, rules and all. */
const BRIEFED = "briefed";

/**
 * What fits a prompt. The first prompt of a session that was not briefed, as its harness has no such hook or no server ran yet,
 * gets the brief as well.
 */
async function answerPrompt(told: HookCall, tools: HookTools): Promise<string> {
  const { call, project, folder, teller, explain } = tools;
  const seen = told.session === null ? null : openSeen(folder, told.session, teller);
  const isDue = seen !== null && !seen.has(BRIEFED);
  const prompted = promptedBy(told, tools);
  const [rows, start] = await Promise.all([
    prompted ? askFitting(call, prompted) : [],
    isDue ? brief(told, tools, START_BUDGET) : { parts: [], marks: [] },
  ]);
  const room = tools.budget ?? PROMPT_BUDGET;
  const budget = tools.budget ?? PROMPT_BUDGET + (isDue ? START_BUDGET : 0);
  const parts = [fittingPart(rows, { project }, room), ...start.parts];
  const answer = tell(told, tools, { parts, budget, marks: start.marks, unkept: "be silent" });
  if (explain && prompted) {
    const near = await askNear(call, prompted);
    const ids = near.items.map(({ id }) => id);
    const counts = await askTold(call, ids, prompted);
    const wasTold = (key: string) => seen?.has(key) ?? false;
    for (const why of reasonsOf({ project, near, told: counts, answer, wasTold, floor: tools.floor, room }))
      explain(why);
  } else explain?.("the prompt asks nothing that a memory could answer");
  return answer;
}

/** What to search for a prompt; null where it asks nothing, or nobody knows in which project. */
function promptedBy({ prompt }: HookCall, { project, fault, floor, wait_ms }: HookTools): Prompted | null {
  const query = fault === null ? queryOf(prompt) : null;
  return query === null ? null : { query, project, floor, wait_ms: wait_ms() };
}

/** What a session should know, and what marks that it was told; nothing does while some of the rules may be missing. */
async function brief(
  { harness }: HookCall,
  { call, project, fault, has_key, clock, ...tools }: HookTools,
  budget: number,
): Promise<Pick<Telling, "parts" | "marks">> {
  const agent = has_key ? null : AGENT_OF[harness];
  const asked = { project, agent, now: clock.now() };
  if (fault !== null) return { parts: [rulesPart(await askRules(call, asked), budget, fault)], marks: [] };
  const work = tools.work();
  const known = await askBrief(call, { ...asked, work, floor: tools.floor, wait_ms: tools.wait_ms() });
  return { parts: briefParts(known, { project }, budget), marks: known.rules === null ? [] : [BRIEFED] };
}

/** What a session that begins now is told, in at most so many characters; the usual number where none is given. Throws what the server refuses. */
export async function briefText(call: CallLocal, asked: Beginning, budget = START_BUDGET): Promise<string> {
  const parts = briefParts(await askBrief(call, asked), asked, budget);
  const chosen = fitting(parts, Math.min(budget, CONTEXT_MAX), () => true);
  return itemsOf(chosen).length === 0 ? "" : render(chosen);
}

function forget({ session }: HookCall, { folder }: HookTools): void {
  if (session) forgetSeen(folder, session);
}

interface Telling {
  readonly parts: readonly HookBlock[];
  readonly budget: number;
  /** Kept beside what is told. */
  readonly marks: readonly string[];
  /** What to do where it cannot be kept that something was told: a start comes once, a prompt again and again. */
  readonly unkept: "tell" | "be silent";
}

/** The answer with what is new to the session and fits. */
function tell(
  told: HookCall,
  { folder, teller, explain, onTold }: HookTools,
  { parts, budget, marks, unkept }: Telling,
): string {
  const seen: Seen | null = told.session === null ? null : openSeen(folder, told.session, teller);
  const chosen = fitting(parts, Math.min(budget, CONTEXT_MAX), ({ key }) => !seen?.has(key));
  const items = itemsOf(chosen);
  if (items.length === 0) return "";
  const ours = seen ? seen.claim([...marks, ...items.map(({ key }) => key)]) : null;
  if (seen && ours === null && unkept === "be silent") {
    explain?.(`what was told cannot be kept in ${folder}, so that it would be told again and again`);
    return "";
  }
  const left = ours === null ? chosen : without(chosen, (key) => !ours.has(key));
  onTold?.(itemsOf(left).flatMap(({ memories = [] }) => memories));
  const text = render(left);
  return text === "" ? "" : contextAnswer(told, text);
}
