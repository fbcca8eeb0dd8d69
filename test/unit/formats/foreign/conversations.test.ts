import { describe, expect, test } from "bun:test";
import { chatgpt } from "../../../../src/formats/foreign/chatgpt.ts";
import { claude } from "../../../../src/formats/foreign/claude.ts";
import { CHANGED_AT, readAll, sourceOf } from "../../../support/memory-source.ts";
import { CHATGPT, CHATGPT_CONVERSATION, CLAUDE, CLAUDE_MEMORIES, CLAUDE_PROJECTS, MEMORY_LIST } from "./samples.ts";

describe("claude", () => {
  test("the person's messages are episodes of their conversation; answers and short ones are left out", async () => {
    const { memories, faults } = await readAll(claude, sourceOf({ "conversations.json": CLAUDE }));
    expect(faults).toEqual([]);
    expect(memories).toMatchObject([
      { content: "My allotment has poor sandy soil", run_id: "c-1", title: null },
      {
        content: "We go to Lisbon in May with two children",
        memory_type: "episode",
        run_id: "c-2",
        title: "Trip to Lisbon",
        created_at: "2026-02-01T10:00:01.000Z",
        metadata: { role: "user", imported_from: { format: "claude", id: "m-1", conversation: "c-2" } },
      },
    ]);
    expect(memories.length).toBe(2);
  });

  test("memory and projects of the same export", async () => {
    const source = sourceOf({
      "conversations.json": CLAUDE,
      "memories.json": CLAUDE_MEMORIES,
      "projects.json": CLAUDE_PROJECTS,
      "users.json": "[]",
    });
    const { records, faults } = await readAll(claude, source);
    expect(faults).toEqual([]);
    expect(records[0]).toMatchObject({
      record: "document",
      collection: "claude-projects",
      doc_id: "d-1",
      data: { summary: "Recipes: bread.md", content: "# Bread\nFlour and water" },
    });
    const contents = records.flatMap((one) => (one.record === "memory" ? [one.content] : []));
    expect(contents).toContain("Work context: Runs a bakery in Porto with four employees.");
    expect(contents).toContain("The recipes are written for one kilogram of flour.");
    expect(contents).toContain("Project Recipes, instructions: Answer with metric units only.");
    expect(contents.length).toBe(5);
  });

  test("the list of memories that it gives as text", async () => {
    const { memories, faults } = await readAll(claude, sourceOf({ "memory.txt": MEMORY_LIST }));
    expect(faults).toEqual([]);
    expect(memories).toMatchObject([
      { content: "Always answer in British English.", created_at: "2026-01-05T00:00:00.000Z" },
      { content: "Works as a nurse on night shifts.\nand has two cats", created_at: null },
    ]);
  });

  test("a broken conversation or message is a fault with its number", async () => {
    const chats = [
      { chat_messages: [] },
      7,
      { uuid: "c", chat_messages: [{ sender: "human" }, { uuid: "m", sender: "human", text: "This one is whole" }] },
    ];
    const { memories, faults } = await readAll(claude, sourceOf({ "c.json": JSON.stringify(chats) }));
    expect(memories.map(({ content }) => content)).toEqual(["This one is whole"]);
    expect(faults).toEqual([
      expect.stringMatching(/^c\.json:1: uuid/),
      "c.json:2: It is no object.",
      expect.stringMatching(/^c\.json:3: chat_messages\.0: uuid/),
    ]);
  });
});

describe("chatgpt", () => {
  test("messages of the branch that counts, what it saved, and custom instructions", async () => {
    const { memories, faults } = await readAll(chatgpt, sourceOf({ "conversations.json": CHATGPT }));
    expect(faults).toEqual([]);
    expect(memories.map(({ content, memory_type }) => [content, memory_type])).toEqual([
      ["About the user: I am a runner from Braga.", "preference"],
      ["How the user wants to be answered: Be brief, please.", "preference"],
      ["I want to run a half marathon in autumn", "episode"],
      ["User trains for a half marathon in autumn.", "fact"],
    ]);
    expect(memories[2]).toMatchObject({ run_id: "g-1", title: "Running plan", created_at: "2026-01-01T10:00:02.000Z" });
  });

  test("numbered files, a list of memories that two conversations have, and a conversation whose end is not named", async () => {
    const context = {
      id: "ctx",
      author: { role: "assistant" },
      content: {
        content_type: "model_editable_context",
        model_set_context: "1. [2025-05-02]. Has a dog named Bolt.\n\nand so on",
      },
    };
    const chat = (id: string, words: string) => ({
      id,
      title: id,
      create_time: 1_767_261_600,
      mapping: {
        a: { parent: null, children: ["b"], message: context },
        b: {
          parent: "a",
          children: [],
          message: { id: `${id}-b`, author: { role: "user" }, content: { parts: [words] } },
        },
      },
    });
    const source = sourceOf({
      "conversations-000.json": JSON.stringify([chat("one", "Where can the dog swim?")]),
      "conversations-001.json": JSON.stringify([chat("two", "What does the dog eat?")]),
    });
    const { memories, faults } = await readAll(chatgpt, source);
    expect(faults).toEqual([]);
    expect(memories.map(({ content }) => content)).toEqual([
      "Has a dog named Bolt.",
      "Where can the dog swim?",
      "What does the dog eat?",
    ]);
    expect(memories[0]?.created_at).toBe("2025-05-02T00:00:00.000Z");
  });

  test("a tree that leads in a circle ends, a broken node is a fault", async () => {
    const { n5, ...rest } = CHATGPT_CONVERSATION.mapping;
    const circle = { ...CHATGPT_CONVERSATION, mapping: { ...rest, n5, n0: { id: "n0", parent: "n4", message: null } } };
    const broken = { ...CHATGPT_CONVERSATION, mapping: { ...rest, n5: { parent: "n4", message: { id: 5 } } } };
    const { memories, faults } = await readAll(
      chatgpt,
      sourceOf({ "c.json": JSON.stringify([circle, broken, { mapping: {} }]) }),
    );
    expect(memories.map(({ content }) => content)).toContain("I want to run a half marathon in autumn");
    expect(faults).toEqual([
      expect.stringMatching(/^c\.json:2: mapping\.n5: id/),
      "c.json:3: It has neither id nor conversation_id.",
    ]);
  });

  test("it reads a list of memories too, when told to", async () => {
    const { memories } = await readAll(chatgpt, sourceOf({ "memory.md": MEMORY_LIST }));
    expect(memories.map(({ metadata }) => metadata?.imported_from)).toEqual([
      { format: "chatgpt" },
      { format: "chatgpt" },
    ]);
  });
});

test("what has no date of its own has that of the file", async () => {
  const { memories } = await readAll(claude, sourceOf({ "memories.json": CLAUDE_MEMORIES }));
  expect(new Set(memories.map(({ created_at }) => created_at))).toEqual(new Set([CHANGED_AT]));
});
