import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";

setDefaultTimeout(60_000);
const root = temporaryFolder();
afterAll(root.remove);

const Report = z.object({
  format: z.string(),
  counts: z.looseObject({ created: z.int(), refused: z.int() }),
  remarks: z.array(z.object({ place: z.object({ file: z.string(), line: z.int() }), remark: z.string() })),
});

const FERRY = "The night ferry leaves from pier four.";
const LIGHT = "The harbour light is painted white.";

/** Sources with one date that is none and one that is one, and what is said of the first. */
const SOURCES: readonly (readonly [format: string, files: Record<string, string>, said: RegExp])[] = [
  [
    "markdown",
    {
      "ferry.md": `---\ndate: 2026-02-30\nupdated: 2026-03-04\n---\n${FERRY}\n\nIt has a bar on the upper deck.\n`,
      "light.md": `---\ncreated: 2026-03-05\nmodified: some day\n---\n${LIGHT}\n`,
    },
    /^date "2026-02-30" is no date that can be read: 2026-03-04T00:00:00.000Z stands for it\.$/,
  ],
  [
    "basic-memory",
    {
      "ferry.md": `---\ntitle: Ferry\ntype: note\npermalink: ferry\ncreated: last summer\n---\n\n- [fact] ${FERRY}\n`,
      "light.md": `---\ntitle: Light\ntype: note\npermalink: light\ncreated: 2026-03-05\n---\n\n- [fact] ${LIGHT}\n`,
    },
    /^created_at "last summer" is no date that can be read: \d{4}-[\d:TZ.-]+ stands for it\.$/,
  ],
  [
    "mem0",
    {
      "mem0.json": JSON.stringify([
        { id: "a", memory: FERRY, created_at: "2026-02-30T10:00:00Z", user_id: "ana" },
        { id: "b", memory: LIGHT, created_at: "2026-03-01T10:00:00Z", user_id: "ana" },
      ]),
    },
    /^created_at "2026-02-30T10:00:00Z" is no date that can be read: it is left out\.$/,
  ],
  [
    "engram",
    {
      "engram.json": JSON.stringify({
        exported_at: "2026-03-09T00:00:00Z",
        sessions: [],
        observations: [
          { id: 1, content: FERRY, title: "Ferry", type: "discovery", created_at: "soon" },
          { id: 2, content: LIGHT, title: "Light", type: "discovery", created_at: "2026-03-05 10:00:00" },
        ],
        prompts: [],
      }),
    },
    /^created_at "soon" is no date/,
  ],
  [
    "claude",
    {
      "conversations.json": JSON.stringify([
        {
          uuid: "c1",
          name: "Boats",
          created_at: "2026-03-01T10:00:00Z",
          chat_messages: [
            { uuid: "m1", sender: "human", text: FERRY, created_at: "yesterday-ish" },
            { uuid: "m2", sender: "human", text: LIGHT, created_at: "2026-03-01T10:05:00Z" },
          ],
        },
      ]),
    },
    /^created_at "yesterday-ish" is no date that can be read: 2026-03-01T10:00:00.000Z stands for it\.$/,
  ],
  [
    "chatgpt",
    { "memories.txt": `[2026-02-30] - ${FERRY}\n[2026-03-01] - ${LIGHT}\n[unknown] - The crane is yellow and tall.\n` },
    /^created_at "2026-02-30" is no date/,
  ],
];

test.each(SOURCES)("of %s a date that cannot be read is told, with what stands for it", async (format, files, said) => {
  const folder = join(root.path, format, "source");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const run = cairnIn(join(root.path, format, "data"), root.path);
  const dry = await run(["import", folder, "--from", format, "--dry-run", "--json"]);
  const { code, out } = await run(["import", folder, "--from", format, "--json"]);
  const report = Report.parse(JSON.parse(out));
  expect([code, report.counts.refused]).toEqual([0, 0]);
  expect(report.counts.created).toBeGreaterThanOrEqual(2);
  expect(report.remarks.map(({ remark }) => remark)).toEqual([expect.stringMatching(said)]);
  expect(Report.parse(JSON.parse(dry.out)).remarks).toEqual(report.remarks);
  const again = await run(["import", folder, "--from", format]);
  expect([again.code, again.err]).toEqual([
    0,
    expect.stringMatching(/:\d+: [a-z_]+ "[^"]+" is no date that can be read/),
  ]);
});
