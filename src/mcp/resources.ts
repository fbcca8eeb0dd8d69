import { z } from "zod";
import { quoted, quotedText } from "../core/kernel/quoting/quote.ts";
import { placeAmong } from "../core/schema/keystone.ts";
import { projectIdOf } from "./places/place.ts";
import type { ShownRule } from "./rules.ts";
import { keystonesOf, missingRules, setBy } from "./rules.ts";
import { newFence, Told, told } from "./told.ts";
import type { ToolCall } from "./tool.ts";

const KEYSTONE = "cairn://keystones/";
const SKILL = "cairn://skills/";
const SKILL_FILE = "/SKILL.md";
const MARKDOWN = "text/markdown";

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
}

const Skills = z.array(
  z.object({
    doc_id: z.string(),
    data: z.looseObject({ content: z.string().optional(), description: z.string().optional() }),
  }),
);

/** Keystones that bind the caller, and the skills it may install: none where its project, which they are of, cannot be told. */
export async function listResources(call: ToolCall): Promise<Resource[]> {
  const [rules, skills] = await Promise.all([
    keystonesOf(call),
    call.scope.place.kind === "unknown" ? [] : skillsOf(call),
  ]);
  return [
    ...rules.map((rule) => ({
      uri: uriOf(rule, rules),
      name: `${quoted(rule.doc_id)}${placeAmong(rule, rules)}`,
      title: `Keystone: ${quoted(rule.data.title)}`,
      mimeType: MARKDOWN,
    })),
    ...skills.map(({ doc_id }) => ({
      uri: `${SKILL}${encodeURIComponent(doc_id)}${SKILL_FILE}`,
      name: quoted(doc_id),
      title: `Skill: ${quoted(doc_id)}`,
      mimeType: MARKDOWN,
    })),
  ];
}

/** The address of a rule: its name, and its place where another of its name binds the caller as well. */
function uriOf(rule: ShownRule, rules: readonly ShownRule[]): string {
  const { doc_id, fleet_id, data } = rule;
  const { scope, agent_id } = data;
  const place = { scope, ...(fleet_id === null ? {} : { fleet_id }), ...(agent_id === undefined ? {} : { agent_id }) };
  const query = placeAmong(rule, rules) === "" ? "" : `?${new URLSearchParams(place)}`;
  return `${KEYSTONE}${encodeURIComponent(doc_id)}${query}`;
}

/** A rule with its author before it, and its text between lines that it cannot know: none of it reads as our words of another. */
function ruleTold(rule: ShownRule, missing: readonly string[]): Told {
  const fence = newFence();
  const head = told`(${setBy(rule)}; the rule stands between lines "${fence}")`;
  const notices = missing.map((notice) => told`${notice}`);
  return Told.lines([told`# ${rule.data.title}`, ...notices, head, Told.whole(rule.data.content, fence)], "\n\n");
}

/** The text of a resource, which ends where the protocol says, and of a skill so needs no frame; null where there is none of this address. */
export async function readResource(call: ToolCall, uri: string): Promise<{ text: string; mimeType: string } | null> {
  if (uri.startsWith(KEYSTONE)) {
    const name = decoded(uri.slice(KEYSTONE.length));
    const rules = await keystonesOf(call);
    const rule = rules.find((one) => uriOf(one, rules) === uri) ?? rules.find(({ doc_id }) => doc_id === name);
    return rule ? { text: ruleTold(rule, missingRules(call.scope)).text, mimeType: MARKDOWN } : null;
  }
  if (!uri.startsWith(SKILL) || !uri.endsWith(SKILL_FILE)) return null;
  const name = decoded(uri.slice(SKILL.length, -SKILL_FILE.length));
  const skill = (await skillsOf(call)).find(({ doc_id }) => doc_id === name);
  return skill ? { text: quotedText(skill.data.content ?? ""), mimeType: MARKDOWN } : null;
}

const skillsOf = async ({ ask, scope }: ToolCall) =>
  Skills.parse(await ask("installableSkills", { body: { fleet_id: projectIdOf(scope.place) ?? undefined } }));

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
