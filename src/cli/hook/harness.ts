import { z } from "zod";
import { AppError } from "../../core/kernel/errors.ts";
import type { HookEvent } from "../setup/part.ts";
import { isTranscript } from "./told/transcript.ts";

/** The harnesses that have hooks which can tell a model something. */
export const HARNESSES = ["claude", "codex", "cursor", "gemini"] as const;
export type Harness = (typeof HARNESSES)[number];

/** The name that a harness gives itself over MCP: the agent whose rules apply. */
export const AGENT_OF: Readonly<Record<Harness, string>> = {
  claude: "claude-code",
  codex: "codex-mcp-client",
  cursor: "cursor-vscode",
  gemini: "gemini-cli-mcp-client",
};

/** What a harness told its hook, in one form for all of them. */
export interface HookCall {
  readonly event: HookEvent;
  readonly harness: Harness;
  /** Names the context that answers go into; null where the harness names none. */
  readonly session: string | null;
  /** Where the work is; null where the harness does not say. */
  readonly folder: string | null;
  /** Whether the context still holds what was told in it before. */
  readonly is_resumed: boolean;
  readonly prompt: string;
  /** The file that the session is written down in; null where the harness names none that can be read. */
  readonly transcript: string | null;
}

const Told = z.looseObject({
  session_id: z.string().nullish(),
  conversation_id: z.string().nullish(),
  agent_id: z.string().nullish().describe("Of a helper within the session, whose context is its own."),
  cwd: z.string().nullish(),
  workspace_roots: z.array(z.string()).nullish(),
  source: z.string().nullish(),
  prompt: z.string().nullish(),
  transcript_path: z.string().nullish(),
});

/** Reads what a harness wrote to the hook. A harness that nobody named is told by its fields. Throws BAD_REQUEST for anything else. */
export function readCall(event: HookEvent, text: string, named?: Harness): HookCall {
  const told = toldIn(text);
  const harness = named ?? (told.conversation_id == null && told.workspace_roots == null ? "claude" : "cursor");
  const ids = [told.session_id ?? told.conversation_id, told.agent_id].filter((id) => id != null);
  return {
    event,
    harness,
    session: ids.length === 0 ? null : [harness, ...ids].join("\n"),
    folder: told.workspace_roots?.[0] ?? told.cwd ?? null,
    is_resumed: told.source === "resume",
    prompt: told.prompt ?? "",
    transcript: transcriptOf(told),
  };
}

/** A helper is told the transcript of those that it helps, where its own steps are not. */
const transcriptOf = ({ transcript_path, agent_id }: z.infer<typeof Told>): string | null =>
  agent_id == null && transcript_path != null && isTranscript(transcript_path) ? transcript_path : null;

function toldIn(text: string): z.infer<typeof Told> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new AppError("BAD_REQUEST", "Standard input holds no JSON, which a harness writes to its hooks.", undefined, {
      cause,
    });
  }
  const told = Told.safeParse(json);
  if (told.success) return told.data;
  const [issue] = told.error.issues;
  const member = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  throw new AppError("BAD_REQUEST", `What the harness wrote to its hook does not fit: ${member}${issue?.message}.`);
}

/** Harnesses take less than 10,000 characters. */
export const CONTEXT_MAX = 9_900;

/** A text for the model, in the harness's own form, as far as the harness takes one at this event; else nothing. */
export function contextAnswer({ harness, event }: Pick<HookCall, "harness" | "event">, context: string): string {
  if (event !== "session-start" && event !== "user-prompt") return "";
  if (harness === "cursor") return JSON.stringify({ continue: true, additional_context: context });
  const onPrompt = harness === "gemini" ? "BeforeAgent" : "UserPromptSubmit";
  const hookEventName = event === "session-start" ? "SessionStart" : onPrompt;
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: context } });
}

/** What is said before a context is summed up: to the model that does so, or where it cannot be told, to the person. */
export function compactAnswer({ harness }: Pick<HookCall, "harness">): string {
  switch (harness) {
    // What is no JSON goes to the model, as what it is to keep.
    case "claude":
      return TO_SUMMARY;
    case "codex":
    case "gemini":
      return JSON.stringify({ systemMessage: TO_PERSON });
    case "cursor":
      return JSON.stringify({ user_message: TO_PERSON });
    default:
      return harness satisfies never;
  }
}

const TO_SUMMARY =
  "Keep in the summary each decision, its reason, and each lasting fact of this session that is not yet saved in Cairn, " +
  "marked as not yet saved, so that it can be saved afterwards.";
const TO_PERSON =
  "Cairn: decisions of this session that are not saved yet may be lost in the summary. Have them saved.";
