import { expect, test } from "bun:test";
import { chooseReader } from "../../../src/formats/all.ts";
import { MARKDOWN_LAYOUTS } from "../../../src/formats/markdown/write.ts";
import type { ReadRecord } from "../../../src/formats/reader.ts";
import { edit, faultsIn, held, ID, memory, NOON, OTHER, readBack, written } from "./exported.ts";

const OF_OTHER_KINDS: ReadRecord[] = [
  { record: "settings", tree: { search: { a: 1 } } },
  { record: "agent", agent_id: "anna", trust_level: 2, created_at: NOON },
  {
    record: "entity",
    id: ID,
    entity_type: "person",
    canonical_name: 'Anna / Keller: "x"',
    entries: [
      {
        fleet_id: null,
        entity_type: "person",
        canonical_name: "Anna",
        attributes: { role: "lead" },
        aliases: ["A."],
        created_at: NOON,
        updated_at: NOON,
      },
    ],
  },
  {
    record: "relation",
    id: OTHER,
    from_entity_id: ID,
    relation_type: "leads",
    to_entity_id: OTHER,
    weight: 1,
    created_at: NOON,
    updated_at: NOON,
  },
  {
    record: "keystone",
    collection: "_keystones",
    doc_id: "no-friday",
    data: { title: "No Friday", weight: 100, scope: "tenant", content: "Never deploy on a Friday." },
  },
  { record: "document", collection: "notes", doc_id: "a", data: { n: [1, { x: null }], content: " kept as it is " } },
  {
    record: "skill",
    collection: "skills",
    doc_id: "forge/x",
    data: { name: "X", content: "---\nname: x\n---\n\n# X" },
  },
  memory({}),
  {
    record: "finding",
    newer_id: ID,
    older_id: OTHER,
    status: "outdated",
    rule: "judge",
    confidence: 0.9,
    newer_start: 0,
    newer_end: 3,
    older_start: 0,
    older_end: 3,
    created_at: NOON,
  },
];

test.each(MARKDOWN_LAYOUTS)(
  "one file a %s: records of every kind come back, in the order of an import",
  async (layout) => {
    const files = await written(OF_OTHER_KINDS, layout);
    const back = await readBack(files);
    expect(back).toEqual(
      OF_OTHER_KINDS.map((record) => (record.record === "memory" ? expect.objectContaining({ id: ID }) : record)),
    );
    expect((await chooseReader("auto", held(files))).name).toBe("cairn");
  },
);

test("an export of a later format is refused", async () => {
  const files = await written([memory({})], "memory");
  edit(files, ID, (text) => text.replace("cairn: 1", "cairn: 2"));
  await expect(readBack(files)).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringMatching(/format 2/),
  });
});

test("data that a person has broken is told", async () => {
  const files = await written(OF_OTHER_KINDS, "memory");
  edit(files, "documents/", (text) => text.replace("{", "["));
  edit(files, "entities/", (text) => `${text}\nSome words.\n`);
  expect(await faultsIn(files)).toEqual([
    expect.stringMatching(/^documents\/notes\/a-\w+\.md:7 Its data is no JSON object/),
    expect.stringMatching(/^entities\/anna-keller-x-\w+\.md:\d+ An entity has no text/),
  ]);
});

test("paths are safe on every file system, and no two are the same in small letters", async () => {
  const names = [
    "con",
    "Pay",
    "pay",
    "a/b",
    "a\\b",
    "../x",
    "trailing.",
    "日本",
    "x".repeat(190),
    "",
    "without-project",
  ];
  const memories = names.flatMap((name, i) =>
    [0, 1].map((n) =>
      memory({
        id: `0197a000-0000-7000-8000-0000000000${10 + i}${n}`.slice(0, 36),
        fleet_id: name || null,
        title: name || null,
      }),
    ),
  );
  for (const layout of MARKDOWN_LAYOUTS) {
    const paths = [...(await written(memories, layout)).keys()];
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    for (const part of paths.flatMap((path) => path.split("/"))) {
      expect(part).toMatch(/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_-]*(?:\.md|\.jsonl)?$/u);
      expect(part).not.toMatch(/^(?:con|prn|aux|nul)(?:\.|$)/);
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
    }
  }
});
