import { expect, test } from "bun:test";
import { compactAnswer, contextAnswer, HARNESSES, readCall } from "../../../../src/cli/hook/harness.ts";
import { HOOK_EVENTS } from "../../../../src/cli/setup/part.ts";

const CLAUDE = {
  session_id: "0192",
  transcript_path: "/home/o/.claude/projects/x/0192.jsonl",
  cwd: "/srv/orchard",
  permission_mode: "default",
  hook_event_name: "UserPromptSubmit",
  prompt: "when do we deploy?",
};
const CURSOR = {
  conversation_id: "c-1",
  generation_id: "g-1",
  hook_event_name: "beforeSubmitPrompt",
  workspace_roots: ["/srv/orchard", "/srv/other"],
  prompt: "when do we deploy?",
};

test("each harness's own words are read into one form", () => {
  expect(readCall("user-prompt", JSON.stringify(CLAUDE), "claude")).toEqual({
    event: "user-prompt",
    harness: "claude",
    session: "claude\n0192",
    folder: "/srv/orchard",
    is_resumed: false,
    prompt: "when do we deploy?",
    transcript: CLAUDE.transcript_path,
  });
  expect(readCall("user-prompt", JSON.stringify(CURSOR), "cursor")).toMatchObject({
    session: "cursor\nc-1",
    folder: "/srv/orchard",
    prompt: "when do we deploy?",
  });
});

test("a transcript is taken where it is a whole path of JSON lines, and the session's own", () => {
  const of = (fields: object) => readCall("user-prompt", JSON.stringify({ ...CLAUDE, ...fields })).transcript;
  expect(of({ transcript_path: "/home/ada/.claude/projects/x/0192.jsonl" })).toEndWith("/0192.jsonl");
  for (const transcript_path of [null, "", "0192.jsonl", "/etc/passwd", "/tmp/a\0.jsonl", "~/0192.jsonl"])
    expect(of({ transcript_path })).toBeNull();
  expect(of({ transcript_path: "/srv/0192.jsonl", agent_id: "a-1" })).toBeNull();
});

test("a harness that nobody named is told by its fields", () => {
  const harnessOf = (told: object) => readCall("user-prompt", JSON.stringify(told)).harness;
  expect([harnessOf(CLAUDE), harnessOf(CURSOR)]).toEqual(["claude", "cursor"]);
});

test("a helper within a session has a context of its own", () => {
  const sessionOf = (told: object) => readCall("user-prompt", JSON.stringify(told), "codex").session;
  expect(sessionOf({ ...CLAUDE, agent_id: "a-1" })).not.toBe(sessionOf(CLAUDE));
});

test("only a resumed session still knows what it was told", () => {
  const isResumed = (source: string) =>
    readCall("session-start", JSON.stringify({ ...CLAUDE, source }), "claude").is_resumed;
  expect(["startup", "resume", "clear", "compact"].map(isResumed)).toEqual([false, true, false, false]);
});

test.each(["", "no json", "[]", "null", '"text"', '{"session_id":5}', '{"workspace_roots":"/work"}'])(
  "%p is no call of a harness",
  (text) => expect(() => readCall("session-start", text)).toThrow(),
);

test("each harness is answered in its own form, and only where it takes an answer", () => {
  const answers = HARNESSES.map((harness) =>
    HOOK_EVENTS.map((event) => {
      const answer = contextAnswer({ harness, event }, "a text");
      return answer === "" ? null : JSON.parse(answer);
    }),
  );
  const claude = (hookEventName: string) => ({ hookSpecificOutput: { hookEventName, additionalContext: "a text" } });
  const cursor = { continue: true, additional_context: "a text" };
  expect(answers).toEqual([
    [claude("SessionStart"), claude("UserPromptSubmit"), null, null],
    [claude("SessionStart"), claude("UserPromptSubmit"), null, null],
    [cursor, cursor, null, null],
    [claude("SessionStart"), claude("BeforeAgent"), null, null],
  ]);
});

test("before a summary, Claude's model is told what to keep, the others' user what may be lost", () => {
  expect(compactAnswer({ harness: "claude" })).toMatch(/^Keep in the summary/);
  expect(JSON.parse(compactAnswer({ harness: "codex" }))).toEqual({ systemMessage: expect.stringContaining("saved") });
  expect(JSON.parse(compactAnswer({ harness: "cursor" }))).toEqual({ user_message: expect.stringContaining("saved") });
});
