/** Small files of the shape that each tool writes, by the name of their reader. */
const json = (value: unknown): string => JSON.stringify(value);
const lines = (...values: readonly unknown[]): string => `${values.map(json).join("\n")}\n`;

export const MEM0 = json({
  results: [
    {
      id: "8f1a",
      memory: "Prefers window seats on long flights",
      hash: "a1",
      metadata: { source: "chat" },
      categories: ["travel"],
      created_at: "2026-02-03T10:00:00.123456-08:00",
      updated_at: "2026-02-04T10:00:00.123456-08:00",
      user_id: "ana",
      expiration_date: "2027-01-01",
    },
    {
      id: "8f1b",
      memory: "Moved to Porto in January",
      created_at: "2026-01-02T10:00:00Z",
      agent_id: "planner",
      run_id: "r1",
    },
  ],
});

export const MEM0_LINES = lines(
  { id: "1", memory: "Plays the cello on Sundays", created_at: "2026-03-01T10:00:00Z", user_id: "ana" },
  { id: "2", memory: "Sold the cello to a friend", created_at: "2026-02-01T10:00:00Z", user_id: "ana" },
);

export const OPENMEMORY = json({
  user: { id: "u", user_id: "ana" },
  apps: [{ id: "app-1", name: "cursor" }],
  categories: [{ id: "cat-1", name: "food" }],
  memories: [
    {
      id: "m1",
      user_id: "u",
      app_id: "app-1",
      content: "Does not eat peanuts",
      metadata: {},
      state: "active",
      created_at: "2026-01-05T00:00:00+00:00",
      category_ids: ["cat-1"],
    },
    {
      id: "m2",
      user_id: "u",
      app_id: null,
      content: "Used to drink coffee",
      metadata: {},
      state: "archived",
      created_at: "2026-01-04T00:00:00+00:00",
      category_ids: [],
    },
    {
      id: "m3",
      user_id: "u",
      app_id: null,
      content: "Was removed by the user",
      metadata: {},
      state: "deleted",
      created_at: "2026-01-03T00:00:00+00:00",
      category_ids: [],
    },
  ],
  export_meta: { version: "1" },
});

export const ENGRAM = json({
  version: "0.1.0",
  exported_at: "2026-04-01 10:00:00",
  sessions: [
    {
      id: "s-1",
      project: "shop",
      directory: "/src/shop",
      started_at: "2026-03-01 09:00:00",
      ended_at: "2026-03-01 11:00:00",
      summary: "Replaced the cart's storage and tested it.",
    },
    { id: "s-2", project: "shop", directory: "/src/shop", started_at: "2026-03-02 09:00:00" },
  ],
  observations: [
    {
      id: 2,
      sync_id: "obs-b",
      session_id: "s-1",
      type: "bugfix",
      title: "Fixed N+1 query in UserList",
      content: "**What**: one query for all users\n**Why**: 4 s on the start page",
      project: "shop",
      scope: "project",
      topic_key: "perf/users",
      revision_count: 2,
      created_at: "2026-03-01 10:30:00",
      updated_at: "2026-03-01 10:40:00",
    },
    {
      id: 1,
      sync_id: "obs-a",
      session_id: "s-1",
      type: "decision",
      title: "Chose Zustand over Redux",
      content: "Less code for the same state.",
      project: "shop",
      scope: "project",
      created_at: "2026-03-01 09:30:00",
      updated_at: "2026-03-01 09:30:00",
    },
    {
      id: 3,
      sync_id: "obs-c",
      session_id: "s-1",
      type: "manual",
      title: "Old",
      content: "Removed from the store.",
      scope: "project",
      created_at: "2026-03-01 09:00:00",
      updated_at: "2026-03-01 09:00:00",
      deleted_at: "2026-03-02 09:00:00",
    },
  ],
  prompts: [
    {
      id: 1,
      sync_id: "p-1",
      session_id: "s-1",
      content: "Make the start page load faster",
      project: "shop",
      created_at: "2026-03-01 09:05:00",
    },
    { id: 2, sync_id: "p-2", session_id: "s-1", content: "go on", project: "shop", created_at: "2026-03-01 09:06:00" },
  ],
});

export const NOTE = `---
title: Coffee Brewing
type: note
permalink: drinks/coffee-brewing
tags:
- coffee
created: 2026-01-10T09:00:00+00:00
---

# Coffee Brewing

How the beans are brewed matters more than where they come from.

## Observations
- [method] Pour over brings out subtle flavours #brewing #v60 (tested twice)
- [decision] We use 60 g of coffee a litre
- [ ] buy filters
- plain item without a category

## Relations
- relates_to [[Coffee Bean Origins]]
- "is served by" [[people/Ana Lima|Ana]]
- works best with [[Filters]] and hot water

\`\`\`
- [method] this is code
\`\`\`
`;

export const CLAUDE = json([
  {
    uuid: "c-2",
    name: "Trip to Lisbon",
    created_at: "2026-02-01T10:00:00.000000Z",
    updated_at: "2026-02-01T10:05:00.000000Z",
    account: { uuid: "acc" },
    chat_messages: [
      {
        uuid: "m-1",
        sender: "human",
        text: "",
        content: [{ type: "text", text: "We go to Lisbon in May with two children" }],
        created_at: "2026-02-01T10:00:01.000000Z",
        attachments: [],
        files: [],
      },
      {
        uuid: "m-2",
        sender: "assistant",
        text: "A lovely time to visit Lisbon!",
        content: [],
        created_at: "2026-02-01T10:00:05.000000Z",
      },
      { uuid: "m-3", sender: "human", text: "ok", created_at: "2026-02-01T10:01:00.000000Z" },
    ],
  },
  {
    uuid: "c-1",
    name: "",
    created_at: "2026-01-01T10:00:00.000000Z",
    chat_messages: [
      {
        uuid: "m-9",
        sender: "human",
        text: "My allotment has poor sandy soil",
        created_at: "2026-01-01T10:00:00.000000Z",
      },
    ],
  },
]);

export const CLAUDE_MEMORIES = json([
  {
    conversations_memory: "**Work context**\n\nRuns a bakery in Porto with four employees.\n\n**Brief**\n\nOk.",
    project_memories: { "p-1": "The recipes are written for one kilogram of flour." },
    account_uuid: "acc",
  },
]);

export const CLAUDE_PROJECTS = json([
  {
    uuid: "p-1",
    name: "Recipes",
    description: "",
    is_private: true,
    prompt_template: "Answer with metric units only.",
    created_at: "2026-01-01T00:00:00+00:00",
    updated_at: "2026-01-02T00:00:00+00:00",
    docs: [
      {
        uuid: "d-1",
        filename: "bread.md",
        content: "# Bread\nFlour and water",
        created_at: "2026-01-03T00:00:00+00:00",
      },
    ],
  },
]);

export const MEMORY_LIST = `Here is what I remember:

\`\`\`
**Preferences**
[2026-01-05] - Always answer in British English.
[unknown] - Works as a nurse on night shifts.
  and has two cats
\`\`\`
`;

const node = (id: string, parent: string | null, children: string[], message: unknown) => [
  id,
  { id, parent, children, message },
];
const said = (id: string, role: string, parts: unknown[], create_time: number, more: object = {}) => ({
  id,
  author: { role },
  create_time,
  content: { content_type: "text", parts },
  recipient: "all",
  metadata: {},
  ...more,
});

export const CHATGPT_CONVERSATION = {
  title: "Running plan",
  create_time: 1_767_261_600.5,
  update_time: 1_767_261_700,
  conversation_id: "g-1",
  id: "g-1",
  current_node: "n5",
  mapping: Object.fromEntries([
    node("root", null, ["n0"], null),
    node(
      "n0",
      "root",
      ["n1", "old"],
      said("n0", "system", [""], 1, {
        content: {
          content_type: "user_editable_context",
          user_profile: "I am a runner from Braga.",
          user_instructions: "Be brief, please.",
        },
      }),
    ),
    node("old", "n0", [], said("old", "user", ["I want to run a marathon in spring"], 1_767_261_601)),
    node(
      "n1",
      "n0",
      ["n2"],
      said(
        "n1",
        "user",
        ["I want to run a half marathon in autumn", { content_type: "image_asset_pointer" }],
        1_767_261_602,
      ),
    ),
    node(
      "n2",
      "n1",
      ["n3"],
      said("n2", "assistant", ["User trains for a half marathon in autumn."], 1_767_261_603, { recipient: "bio" }),
    ),
    node("n3", "n2", ["n4"], said("n3", "tool", ["Model set context updated."], 1_767_261_604)),
    node("n4", "n3", ["n5"], said("n4", "assistant", ["A fine goal! Here is a plan."], 1_767_261_605)),
    node("n5", "n4", [], said("n5", "user", ["thanks"], 1_767_261_606)),
  ]),
};
export const CHATGPT = json([CHATGPT_CONVERSATION]);

export const MCP_MEMORY = lines(
  { type: "entity", name: "Ana Lima", entityType: "person", observations: ["Speaks Portuguese", "Likes tea"] },
  { type: "entity", name: "Lima Bakery", entityType: "company", observations: [] },
  { type: "relation", from: "Ana Lima", to: "Lima Bakery", relationType: "works_at" },
);

export const LETTA = json({
  agents: [
    { id: "agent-0", name: "support", agent_type: "memgpt_v2_agent", block_ids: ["block-0", "block-1"], messages: [] },
  ],
  groups: [],
  blocks: [
    { id: "block-0", label: "human", value: "Name: Ana. Owns a bakery in Porto.", description: "About the person" },
    { id: "block-1", label: "persona", value: "", description: "" },
  ],
  files: [],
  tools: [],
});

/** A file of every reader, and further ones of the same. */
export const SAMPLES: readonly { readonly reader: string; readonly path: string; readonly text: string }[] = [
  { reader: "mem0", path: "mem0.json", text: MEM0 },
  { reader: "mem0", path: "mem0.jsonl", text: MEM0_LINES },
  { reader: "mem0", path: "memories.json", text: OPENMEMORY },
  { reader: "engram", path: "engram-export.json", text: ENGRAM },
  { reader: "basic-memory", path: "Coffee Brewing.md", text: NOTE },
  { reader: "claude", path: "conversations.json", text: CLAUDE },
  { reader: "claude", path: "memories.json", text: CLAUDE_MEMORIES },
  { reader: "claude", path: "projects.json", text: CLAUDE_PROJECTS },
  { reader: "claude", path: "memory.txt", text: MEMORY_LIST },
  { reader: "chatgpt", path: "conversations.json", text: CHATGPT },
  { reader: "mcp-memory", path: "memory.jsonl", text: MCP_MEMORY },
  { reader: "letta", path: "support.af", text: LETTA },
];
