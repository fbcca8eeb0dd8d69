// Usage: bun scripts/evaluate/skill-scan.ts
//
// What the scan of skills stops of attacks and of honest look-alikes: of the set that it was worked on with, and of one whose
// writers saw neither the scan nor the other set. Prints a table, then a line of JSON.
import { z } from "zod";
import type { JsonObject } from "../../src/core/kernel/json.ts";
import { OrgSettings } from "../../src/core/schema/settings.ts";
import { scanSkill } from "../../src/skills/scan/scan.ts";
import { aSkill } from "../../test/support/api/skills.ts";
import { markdownTable } from "../markdown.ts";

const FIXTURES = "test/http/fixtures";
const Case = z.object({
  skill: z.looseObject({ slug: z.string() }),
  repeat: z.object({ field: z.string(), text: z.string(), times: z.int() }).optional(),
});
const { description_max_bytes, body_max_bytes } = OrgSettings.parse({}).skills_factory;

async function casesOf(file: string) {
  const text = await Bun.file(`${FIXTURES}/${file}`).text();
  const parsed: unknown = file.endsWith("l")
    ? text
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
    : JSON.parse(text);
  return z.array(Case).parse(parsed);
}

const SETS = [
  ["attacks that the scan was worked on with", "skills-hostile.json"],
  ["look-alikes likewise", "skills-benign.json"],
  ["attacks by writers who saw neither scan nor set", "skills-blind-attacks.jsonl"],
  ["look-alikes by the same", "skills-blind-lookalikes.jsonl"],
] as const;

const rows: (readonly [string, number, number])[] = [];
for (const [name, file] of SETS) {
  const cases = await casesOf(file);
  const stopped = cases.filter(({ skill, repeat }) => {
    const long = repeat ? { [repeat.field]: repeat.text.repeat(repeat.times) } : {};
    // Safe: a skill of a fixture is JSON.
    const data = aSkill(skill.slug, { ...skill, ...long }) as JsonObject;
    const { critical, fatal } = scanSkill(data, { description_max_bytes, body_max_bytes });
    return fatal || critical > 0;
  });
  rows.push([name, cases.length, stopped.length]);
}
console.log(markdownTable(["Set", "skills", "stopped"], rows));
console.log(JSON.stringify(rows.map(([set, skills, stopped]) => ({ set, skills, stopped }))));
