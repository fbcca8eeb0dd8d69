import { describe, expect, test } from "bun:test";
import { markdownExport } from "../../../src/formats/markdown/own-export.ts";
import { MARKDOWN_LAYOUTS } from "../../../src/formats/markdown/write.ts";
import { edit, faultsIn, held, ID, memory, NOON, OTHER, readBack, written } from "./exported.ts";
import type { Memory } from "./support.ts";
import { readAll } from "./support.ts";

const TWO = [
  memory({}),
  memory({ id: OTHER, title: "Port", content: "Staging listens on 5433.", metadata: { tags: ["db"], team: "core" } }),
];

const memoriesIn = async (files: ReadonlyMap<string, string>): Promise<Memory[]> =>
  (await readBack(files)).flatMap((record) => (record.record === "memory" ? [record] : []));

test("a person reads a memory's file", async () => {
  const [[path = "", text] = []] = await written([TWO[1] ?? memory({})], "memory");
  expect(path).toMatch(/^memories\/payments\/port-[0-9a-f]{8}\.md$/);
  expect(text).toBe(`---
cairn: 1
id: ${OTHER}
title: Port
fleet_id: payments
created_at: ${NOON}
tags:
  - db
checked_at: ${NOON}
metadata:
  team: core
text_digest: ${/text_digest: (\w+)/.exec(text ?? "")?.[1]}
---

Staging listens on 5433.
`);
});

test("a person reads a project's file", async () => {
  const files = await written(TWO, "project");
  const text = files.get("memories/payments.md");
  expect(text?.replace(/text_digest: \w+/g, "text_digest: x")).toBe(`---
cairn: 1
layout: project
fleet_id: payments
---

## Deploy day

<!-- cairn
id: ${ID}
created_at: ${NOON}
checked_at: ${NOON}
text_digest: x
-->

We deploy every Tuesday after the standup.

## Port

<!-- cairn
id: ${OTHER}
created_at: ${NOON}
tags:
  - db
checked_at: ${NOON}
metadata:
  team: core
text_digest: x
-->

Staging listens on 5433.
`);
});

describe.each(MARKDOWN_LAYOUTS)("one file a %s:", (layout) => {
  test("a text that a person changes keeps its id, and is compared with others again", async () => {
    const files = await written(TWO, layout);
    edit(files, "every Tuesday", (text) => text.replace("every Tuesday", "every Friday"));
    const [changed, same] = (await memoriesIn(files)).sort((a, b) => String(a.id).localeCompare(String(b.id)));
    expect(changed).toMatchObject({ id: ID, content: "We deploy every Friday after the standup." });
    expect(changed?.checked_at).toBeUndefined();
    expect(same?.checked_at).toBe(NOON);
  });

  test("ends of lines that a program changed make no difference", async () => {
    const files = await written([memory({ content: "One line.\nAnother line.\n\nA third." })], layout);
    for (const [path, text] of files) if (path.endsWith(".md")) files.set(path, text.replaceAll("\n", "\r\n"));
    expect(await memoriesIn(files)).toEqual(
      await memoriesIn(await written([memory({ content: "One line.\nAnother line.\n\nA third." })], layout)),
    );
  });

  test("front matter that does not parse is told with its line, and the rest is read", async () => {
    const files = await written(TWO, layout);
    edit(files, "Deploy day", (text) => text.replace(`id: ${ID}`, 'id: "unfinished\nother: : :'));
    const lines = await readAll(markdownExport, held(files));
    const faults = lines.filter((line) => "fault" in line);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ fault: expect.stringMatching(/^Its front matter is no YAML: /) });
    const file = files.get(faults[0]?.place.file ?? "") ?? "";
    expect(file.split("\n").slice(0, faults[0]?.place.line).join("\n")).toContain("unfinished");
    expect(lines.filter((line) => "record" in line && line.record.record === "memory")).toHaveLength(1);
  });
});

describe("in a folder of one file a memory", () => {
  test("a file that a person adds is one memory of the same project; one that is taken out is none", async () => {
    const files = await written(TWO, "memory");
    const gone = [...files.keys()].find((path) => path.includes("/port-")) ?? "";
    files.delete(gone);
    files.set("memories/payments/standup.md", "# Standup\n\nAt nine.\n\nIn the kitchen.\n");
    const read = await memoriesIn(files);
    expect(read.map(({ content }) => content)).toEqual([
      "We deploy every Tuesday after the standup.",
      "# Standup\n\nAt nine.\n\nIn the kitchen.",
    ]);
    expect(read[1]).toMatchObject({ fleet_id: "payments", created_at: "2026-06-01T00:00:00.000Z" });
  });

  test("a file without a text is nothing yet", async () => {
    const files = await written([memory({})], "memory");
    files.set("memories/payments/later.md", "---\ntitle: To be written later\n---\n\n");
    expect(await memoriesIn(files)).toHaveLength(1);
  });

  test("a copy with the id of another is told, with where the other is", async () => {
    const files = await written([memory({})], "memory");
    const [path = "", text = ""] = [...files].find(([name]) => name.endsWith(".md")) ?? [];
    files.set("memories/payments/zz copy.md", text.replace("Tuesday", "Monday"));
    expect(await faultsIn(files)).toEqual([
      `memories/payments/zz copy.md:1 It has the id of ${path}, line 1: take its id out to have it as a memory of its own.`,
    ]);
  });

  test("a memory whose id was taken out has one of its own, the same each time", async () => {
    const files = await written([memory({})], "memory");
    edit(files, ID, (text) => text.replace(`id: ${ID}\n`, ""));
    const [first] = await memoriesIn(files);
    expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first?.id).not.toBe(ID);
    expect(await memoriesIn(files)).toEqual([first ?? memory({})]);
  });

  test("what a person adds to the front matter is kept, a number as a title is a text", async () => {
    const files = await written([memory({})], "memory");
    edit(files, ID, (text) => text.replace("title: Deploy day", "title: 2026\nowner: Anna"));
    expect(await memoriesIn(files)).toMatchObject([{ title: "2026", metadata: { owner: "Anna" } }]);
  });
});

describe("in the file of a project", () => {
  test("a section without fields is a memory of the project", async () => {
    const files = await written(TWO, "project");
    edit(files, "## Port", (text) => `${text}\n## Standup\n\nAt nine in the kitchen.\n\n### Who\n\nEverybody.\n`);
    const added = (await memoriesIn(files)).at(-1);
    expect(added).toMatchObject({
      content: "Standup — At nine in the kitchen.\n\n### Who\n\nEverybody.",
      title: "Standup",
      fleet_id: "payments",
    });
  });

  test("a section that is taken out is none, text before the first is one", async () => {
    const files = await written(TWO, "project");
    edit(files, "## Port", (text) =>
      text.replace(/## Deploy day[\s\S]*(?=## Port)/, "# Payments\n\nA text of its own.\n\n"),
    );
    expect((await memoriesIn(files)).map(({ content }) => content)).toEqual([
      "Staging listens on 5433.",
      "payments — A text of its own.",
    ]);
  });

  test("a comment without an end is told with its line", async () => {
    const files = await written(TWO, "project");
    edit(files, "## Port", (text) => text.replace("-->", ""));
    const [fault, ...others] = await faultsIn(files);
    expect(fault).toMatch(/^memories\/payments\.md:9 The comment with its fields has no end/);
    expect(others).toEqual([]);
  });
});
