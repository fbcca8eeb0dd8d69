import { describe, expect, test } from "bun:test";
import { scanSkill } from "../../../src/skills/scan/scan.ts";
import { HONEST, HOSTILE } from "./scan-cases.ts";

const LIMITS = { description_max_bytes: 160, body_max_bytes: 40_000 };
const aSkill = (fields: object = {}) => ({
  name: "Tidy the workshop",
  slug: "tidy-workshop",
  description: "How to leave a workshop in order.",
  domain: "crafts",
  kind: "create",
  source: "agent",
  content: "# Tidy\n\nPut every tool back in its place.",
  ...fields,
});
const scan = (fields: object) => scanSkill(aSkill(fields), LIMITS);

describe.each(Object.entries(HOSTILE))("a skill with %s", (_, texts) => {
  test.each(texts)("is caught: %s", (text) => {
    expect(scan({ content: `# Work\n\nDo the work well.\n\n${text}\n` }).critical).toBeGreaterThan(0);
  });
});

test.each(HONEST)("honest work passes: %s", (text) => {
  const { findings } = scan({ content: `# Work\n\nDo the work well.\n\n${text}\n` });
  expect(findings.filter(({ severity }) => severity === "critical")).toEqual([]);
});
