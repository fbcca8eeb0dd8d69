import { readScopeOf } from "../access/read-scope.ts";
import { requireTenant } from "../access/tenant.ts";
import { requireOwnIdentity } from "../access/trust.ts";
import { preview, rounded } from "../core/kernel/text.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { FoundMemory, StoredFinding } from "../core/ports/contradiction-store.ts";
import type { DemotedStatus, TextSpan } from "../core/ports/finding.ts";
import type { MemoryKey, StoredMemory } from "../core/ports/stored-memory.ts";
import type {
  Contradiction,
  ContradictionsReply,
  LinkedMemory,
  PossibleConflict,
} from "../core/schema/contradiction.ts";
import { DEMOTION_REASONS } from "../core/schema/memory.ts";
import { POSSIBLE } from "../core/schema/observing/possible-change.ts";
import { noSuchMemory } from "../memories/permissions.ts";
import type { MemoryAddress } from "../memories/read.ts";
import { supersededBy } from "../memories/superseded-by.ts";

const PREVIEW_LENGTH = 200;

/** How often it looks whether the detector has looked, in milliseconds. */
const LOOK_MS = 10;

export interface ContradictionsInput extends MemoryAddress {
  /** How long to wait for the detector, in milliseconds. */
  readonly wait_ms?: number | undefined;
}

/**
 * What the detector found about one memory, as far as the reader sees the other memories. Changes nothing. Throws NOT_FOUND
 * when it is unknown, deleted, of another tenant or not visible.
 */
export async function getContradictions(ctx: Ctx, address: ContradictionsInput): Promise<ContradictionsReply> {
  const { tenant_id, memory_id, agent_id, wait_ms = 0 } = address;
  requireTenant(ctx, tenant_id);
  await requireOwnIdentity(ctx, agent_id);
  const key = { tenant_id, id: memory_id };
  const read_scope = readScopeOf(ctx, agent_id);
  if (!(await ctx.storage.memories.get(key, read_scope))) throw noSuchMemory();
  await untilChecked(ctx, key, wait_ms);
  // Looked at may mean changed.
  const memory = await ctx.storage.memories.get(key, read_scope);
  if (!memory) throw noSuchMemory();
  const all = await ctx.storage.contradictions.findings(key, read_scope);
  const findings = all.filter(isCertain);
  const newer = findings.filter(({ direction }) => direction === "superseded_by").map(({ other }) => other);
  const superseded = await supersededBy(ctx, [memory, ...newer], read_scope);
  // What a row is said to supersede is the surest of those that the reader sees.
  const pointsAt = ({ id }: FoundMemory) => superseded.get(id)?.[0]?.old_memory_id;
  const older = findings.find(({ direction, other }) => direction === "supersedes" && other.id === pointsAt(memory));
  return {
    memory_id,
    status: memory.status,
    superseded_by: older ? linked(older.other) : null,
    superseded_memories: newer.filter((one) => pointsAt(one) === memory_id).map(linked),
    detection_status: hasEvidence(memory, findings) ? "completed" : "pending",
    contradictions: findings.map((finding) => toContradiction(memory, finding)),
    possible_conflicts: all.filter((finding) => !isCertain(finding)).map((finding) => toPossible(memory, finding)),
    checked_at: await ctx.storage.contradictions.checkedAt(key),
  };
}

interface CertainFinding extends StoredFinding {
  readonly status: DemotedStatus;
}

/** Whether something followed from a finding. */
const isCertain = (finding: StoredFinding): finding is CertainFinding => finding.status !== POSSIBLE;

async function untilChecked({ storage }: Ctx, key: MemoryKey, wait_ms: number): Promise<void> {
  const last = performance.now() + wait_ms;
  while (performance.now() < last && (await storage.contradictions.checkedAt(key)) === null) await Bun.sleep(LOOK_MS);
}

/** A link in either direction, of which the reader sees the other end, or a status that only a contradiction gives. */
const hasEvidence = ({ status }: StoredMemory, findings: readonly StoredFinding[]): boolean =>
  findings.length > 0 || status === "outdated" || status === "conflicted";

const linked = ({ id, content, status, created_at }: FoundMemory): LinkedMemory => ({
  id,
  content_preview: preview(content, PREVIEW_LENGTH),
  status,
  created_at,
});

const toContradiction = (memory: StoredMemory, finding: CertainFinding): Contradiction => ({
  ...toPossible(memory, finding),
  reason: DEMOTION_REASONS[finding.status],
});

function toPossible(memory: StoredMemory, finding: StoredFinding): PossibleConflict {
  const { other, direction, rule, confidence, why, own_span, other_span } = finding;
  const { id, ...shown } = linked(other);
  return {
    memory_id: id,
    ...shown,
    direction,
    rule,
    confidence: rounded(confidence),
    why,
    spans: { own: clashing(memory, own_span), other: clashing(other, other_span) },
  };
}

/** A span with its text. */
export const clashing = (
  { content }: Pick<FoundMemory, "content">,
  { start, end }: TextSpan,
): Contradiction["spans"]["own"] => ({
  start,
  end,
  text: content.slice(start, end),
});
