import { agentsOf, runsOf } from "../cluster.ts";
import type { Trace } from "../traces.ts";
import type { StepText } from "./step-text.ts";
import { sentence } from "./wording.ts";

export interface SkillText {
  readonly name: string;
  readonly triggers: readonly string[];
  readonly steps: readonly StepText[];
  readonly pitfalls: readonly string[];
  readonly members: readonly Trace[];
  readonly cites: readonly string[];
}

/** Names of agents and runs that the evidence lists; the counts cover all. */
const NAMES_MAX = 10;

/** The skill as Markdown: when to use it, what to do, what to beware of, and what it was drawn from. */
export function contentOf({ name, triggers, steps, pitfalls, members, cites }: SkillText): string {
  const sections = [
    `# ${name}`,
    section("When to use", triggers.map(bullet)),
    section("Steps", steps.map(numbered)),
    section("Pitfalls", pitfalls.map(bullet)),
    section("Evidence", evidenceOf(members, cites).map(bullet)),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

const numbered = ({ line, example }: StepText, i: number): string =>
  [`${i + 1}. ${sentence(line)}`, ...(example === null ? [] : [`   For example: ${sentence(example)}`])].join("\n");

const bullet = (line: string): string => `- ${line}`;

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [`## ${title}`, "", ...lines].join("\n");

function evidenceOf(members: readonly Trace[], cites: readonly string[]): string[] {
  const days = members.flatMap(({ rows }) => rows.map(({ created_at }) => created_at.slice(0, 10))).sort();
  const agents = agentsOf(members);
  return [
    `${runsOf(members)} successful runs by ${agents.length} agents, ${days[0] ?? ""} to ${days.at(-1) ?? ""}.`,
    `Agents: ${listed(agents)}.`,
    `Runs: ${listed([...new Set(members.map(({ run_id }) => run_id))])}.`,
    `Memories: ${cites.join(", ")}.`,
  ];
}

const listed = (names: readonly string[]): string =>
  names.length > NAMES_MAX
    ? `${names.slice(0, NAMES_MAX).join(", ")} and ${names.length - NAMES_MAX} more`
    : names.join(", ");
