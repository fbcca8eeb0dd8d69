import type { JsonObject, JsonValue } from "../core/kernel/json.ts";
import { isJsonObject } from "../core/kernel/json.ts";
import type { Services } from "../core/ports/context.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import { SKILLS } from "../core/schema/skill.ts";
import { rarityOf, sharedWords, significantRoots } from "./significant-terms.ts";
import type { SkillDraft } from "./skill-draft.ts";

/** Skills of the Forge that a draft is compared with: the newest. */
const EXISTING_MAX = 1_000;
const PAGE = 200;
/** Share of runs, of the smaller set, from which two skills were drawn from the same work. */
const SAME_RUNS_FROM = 0.5;
/** Shared words of goal and steps from which two skills tell the same, however long ago the other was drawn. */
const SAME_WORDS_FROM = 0.6;

/** A skill that the Forge wrote before, as far as it matters here. */
export interface ExistingSkill {
  readonly doc_id: string;
  /** The fleet that reads it; null for the whole tenant. */
  readonly fleet_id: string | null;
  readonly slug: string;
  readonly name: string;
  readonly goal: string;
  readonly status: string;
  readonly content_hash: string;
  readonly fingerprint: string;
  /** The run of the Forge that wrote it. */
  readonly written_by: string;
  readonly runs: readonly string[];
  readonly roots: ReadonlySet<string>;
}

/** The tenant's skills that came from the Forge, whatever became of them. */
export async function existingSkills({ storage }: Services, tenant_id: string): Promise<ExistingSkill[]> {
  const filter = { tenant_id, collection: SKILLS, where: { source: "forge" } };
  const found: StoredDocument[] = [];
  while (found.length < EXISTING_MAX) {
    const page = { filter, order: "desc", offset: found.length, limit: PAGE } as const;
    const documents = await storage.documents.list(page);
    found.push(...documents);
    if (documents.length < PAGE) break;
  }
  return found.map(toExisting);
}

/** What of a stored skill a later run compares with. */
export function toExisting({
  doc_id,
  fleet_id,
  data,
}: Pick<StoredDocument, "doc_id" | "fleet_id" | "data">): ExistingSkill {
  const evidence = memberOf(data, "evidence");
  const goal = textOf(data.goal);
  return {
    doc_id,
    fleet_id,
    slug: textOf(data.slug),
    name: textOf(data.name),
    goal,
    status: textOf(data.status),
    content_hash: textOf(data.content_hash),
    fingerprint: textOf(data.cluster_fingerprint),
    written_by: textOf(memberOf(data, "origin").run_id),
    runs: textsOf(evidence.run_ids),
    roots: significantRoots([goal, ...textsOf(evidence.steps)].join("\n")),
  };
}

const memberOf = (data: JsonObject, name: string): JsonObject => {
  const value = data[name];
  return isJsonObject(value) ? value : {};
};
const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");
const textsOf = (value: JsonValue | undefined): string[] => (Array.isArray(value) ? value : []).map(textOf);

/** One that still counts goes before one that was rejected. */
const ranked = (existing: readonly ExistingSkill[]): ExistingSkill[] =>
  existing.toSorted((a, b) => Number(a.status === "rejected") - Number(b.status === "rejected"));

/** The skill that was drawn from the same runs, or half of them; null without one. */
export function drawnFrom(runs: readonly string[], existing: readonly ExistingSkill[]): ExistingSkill | null {
  const known = new Set(runs);
  const isSame = (skill: ExistingSkill) => {
    const shared = skill.runs.filter((run) => known.has(run)).length;
    return shared > 0 && shared >= SAME_RUNS_FROM * Math.min(runs.length, skill.runs.length);
  };
  return ranked(existing).find(isSame) ?? null;
}

/** The skill that tells the same as a draft: it has its fingerprint, or much the same goal and steps. The name alone makes none the same. */
export function skillWithSameTerms(
  draft: SkillDraft,
  fingerprint: string,
  existing: readonly ExistingSkill[],
): ExistingSkill | null {
  const roots = significantRoots([draft.goal, ...draft.steps].join("\n"));
  const rarity = rarityOf([roots, ...existing.map((skill) => skill.roots)]);
  const own = rarity.weigh(roots);
  const others = ranked(existing);
  return (
    others.find((skill) => skill.fingerprint === fingerprint) ??
    others.find((skill) => sharedWords(own, rarity.weigh(skill.roots)) >= SAME_WORDS_FROM) ??
    null
  );
}

/** Names that a slug may be tried under. */
const SLUG_TRIES = 50;

/** The slug, or with a number where a different skill has it already. */
export function freeSlug(slug: string, existing: readonly ExistingSkill[]): string {
  const taken = new Set(existing.map((skill) => skill.slug));
  if (!taken.has(slug)) return slug;
  for (let n = 2; n < SLUG_TRIES; n++) if (!taken.has(`${slug}-${n}`)) return `${slug}-${n}`;
  return `${slug}-${existing.length}`;
}
