import type { Clock } from "../../core/kernel/clock.ts";
import { ContradictionsReply } from "../../core/schema/contradiction.ts";
import { Memory } from "../../core/schema/memory.ts";
import { MemoryPage } from "../../core/schema/memory-query.ts";
import { SearchReply } from "../../core/schema/retrieval.ts";
import type { CallLocal } from "../call.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";
import { KNOWN_PAIR } from "./nearness.ts";

/** A round on its way. */
export interface Tried {
  /** Calls in the throwaway tenant. */
  readonly call: CallLocal;
  readonly clock: Clock;
  /** Memories in the order in which they were written. */
  readonly ids: string[];
  /** When the server dated the first of them, and the time here before and after. */
  dated?: { readonly at: string; readonly between: readonly [number, number] };
  /** Cosines of the known wording with the known text, and with the other. */
  near?: number | null;
  far?: number | null;
}

interface Step {
  readonly check: string;
  /** Whether the steps after it can do nothing without it. */
  readonly needed?: true;
  readonly run: (tried: Tried) => Promise<DoctorFinding>;
}

const MEMORIES = "/api/v1/memories";
const AGENT = "cairn-doctor";

/** Row 0 is looked for by keyword, row 1 by its sense, row 2 contradicts row 0. */
const TEXTS = [KNOWN_PAIR.other, KNOWN_PAIR.text] as const;
const OPPOSED = "The harbour office closes at 21:00 on weekdays.";
const WORDS = "harbour office weekdays";

const WHY = {
  write: "Nothing can be remembered.",
  words: "Search misses memories that hold the very words of the question.",
  meaning: "Search misses memories that say the same in other words.",
  contradiction: "Old and new values stand side by side, and agents are told both.",
  delete: "What was deleted is still told.",
} as const;

export const STEPS: readonly Step[] = [
  { check: "write", needed: true, run: write },
  { check: "find by words", run: findByWords },
  { check: "find by meaning", run: findByMeaning },
  { check: "contradiction", run: contradict },
  { check: "delete", run: remove },
];

async function save(tried: Tried, content: string): Promise<Memory> {
  // Of the agent's own scope: even within the tenant nobody else sees it.
  const body = { content, agent_id: AGENT, visibility: "scope_agent" };
  const memory = Memory.parse(await tried.call("POST", MEMORIES, body));
  tried.ids.push(memory.id);
  return memory;
}

async function write(tried: Tried): Promise<DoctorFinding> {
  const say = about("round", "write");
  const from = tried.clock.now();
  for (const text of TEXTS) {
    const { created_at } = await save(tried, text);
    tried.dated ??= { at: created_at, between: [from, tried.clock.now()] };
  }
  const { items } = MemoryPage.parse(await tried.call("GET", `${MEMORIES}?agent_id=${AGENT}`));
  const isThere = tried.ids.every((id) => items.some((item) => item.id === id));
  if (isThere) return say.well(`${TEXTS.length} memories written and read back`);
  return say.fault("What was written cannot be read back.", { why: WHY.write, repair: "cairn check" });
}

async function search({ call }: Tried, query: string): Promise<Memory[]> {
  const body = { query, caller_agent_id: AGENT, top_k: 5 };
  return SearchReply.parse(await call("POST", "/api/v1/search", body)).items;
}

async function findByWords(tried: Tried): Promise<DoctorFinding> {
  const say = about("round", "find by words");
  const [first] = await search(tried, WORDS);
  // Among so few rows any is found by its vector: that the words found it, only their score tells.
  if (first?.id === tried.ids[0] && (first?.score_parts?.fts_score ?? 0) > 0) return say.well(`'${WORDS}'`);
  return say.fault(`'${WORDS}' did not find '${TEXTS[0]}'.`, { why: WHY.words, repair: "cairn rebuild" });
}

async function findByMeaning(tried: Tried): Promise<DoctorFinding> {
  const say = about("round", "find by meaning");
  const items = await search(tried, KNOWN_PAIR.wording);
  const [other, known] = tried.ids.map((id) => items.find((item) => item.id === id));
  tried.near = known?.similarity ?? null;
  tried.far = other?.similarity ?? null;
  if (items[0]?.id === tried.ids[1]) return say.well(`'${KNOWN_PAIR.wording}'`);
  return say.fault(`'${KNOWN_PAIR.wording}' did not find '${KNOWN_PAIR.text}' first.`, {
    why: WHY.meaning,
    repair: "cairn stop && cairn serve --embedder onnx",
  });
}

/** How long the detector may take; it waits for the jobs that were there before. */
const DETECTED_WITHIN_MS = 20_000;
const POLL_MS = 100;

async function contradict(tried: Tried): Promise<DoctorFinding> {
  const say = about("round", "contradiction");
  const { id } = await save(tried, OPPOSED);
  const path = `${MEMORIES}/${id}/contradictions?agent_id=${AGENT}`;
  for (let waited = 0; waited < DETECTED_WITHIN_MS; waited += POLL_MS) {
    const { contradictions, checked_at } = ContradictionsReply.parse(await tried.call("GET", path));
    if (contradictions.some(({ memory_id }) => memory_id === tried.ids[0]))
      return say.well("'18:00' against '21:00' found");
    if (checked_at !== null) {
      const what = "The detector looked at '21:00' beside '18:00', and found no contradiction.";
      return say.fault(what, { why: WHY.contradiction, repair: "Install Cairn again." });
    }
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  return say.unseen(`The detector did not come to it within ${DETECTED_WITHIN_MS / 1000} s.`, "cairn status");
}

async function remove(tried: Tried): Promise<DoctorFinding> {
  const say = about("round", "delete");
  const id = tried.ids[1] ?? "";
  await tried.call("DELETE", `${MEMORIES}/${id}?agent_id=${AGENT}`);
  const found = await search(tried, KNOWN_PAIR.text);
  if (!found.some((item) => item.id === id)) return say.well("no longer found");
  return say.fault("A deleted memory is still found.", { why: WHY.delete, repair: "cairn rebuild" });
}
