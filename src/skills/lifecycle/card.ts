import type { JsonObject, JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import type { InboxCard } from "../../core/schema/skill.ts";
import { skillDigest } from "../../core/schema/skill.ts";

/** Findings that a card shows. */
const FINDINGS_MAX = 20;

/** A skill as a reviewer sees it; its content only when asked for. */
export function toCard(
  document: StoredDocument,
  { include_content }: { readonly include_content: boolean },
): InboxCard {
  const { doc_id, data, created_at, updated_at } = document;
  const scan = objectOf(data.scan);
  const origin = objectOf(data.origin);
  return {
    slug: doc_id,
    doc_id,
    name: textOf(data.name),
    description: textOf(data.description),
    summary: textOf(data.summary),
    content: include_content ? textOf(data.content) : null,
    domain: textOf(data.domain),
    tags: textsOf(data.tags),
    source: textOf(data.source),
    status: textOf(data.status) ?? "",
    fingerprint: textOf(data.cluster_fingerprint),
    scan_state: textOf(scan?.state),
    scan_critical: countOf(scan?.critical),
    scan_warn: countOf(scan?.warn),
    sentinel_scan: scan && scanCard(scan),
    forge_evidence: data.source === "forge" ? forgeEvidence(origin) : null,
    gates: Array.isArray(objectOf(data.gates)?.verdicts) ? objectsOf(objectOf(data.gates)?.verdicts) : null,
    origin,
    evidence: textOf(data.evidence) ?? objectOf(data.evidence) ?? {},
    cites: textsOf(data.cites),
    created_at,
    updated_at,
    content_hash: textOf(data.content_hash),
    kind: textOf(data.kind),
    target: objectOf(data.target),
    deferred_at: textOf(data.deferred_at),
    digest: skillDigest(data),
    support_files: include_content ? objectsOf(data.support_files) : null,
    others: include_content ? othersOf(data) : null,
  };
}

/** Members that a card tells in fields of their own. */
const TOLD: ReadonlySet<string> = new Set([
  ...["slug", "name", "description", "summary", "content", "domain", "tags", "source", "status", "cluster_fingerprint"],
  ...["scan", "gates", "origin", "evidence", "cites", "created_at", "updated_at", "content_hash", "kind", "target"],
  ...["deferred_at", "support_files"],
]);

const othersOf = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !TOLD.has(name)));

const scanCard = (scan: JsonObject): InboxCard["sentinel_scan"] => ({
  status: textOf(scan.state) ?? "pending",
  critical_count: countOf(scan.critical) ?? 0,
  warning_count: countOf(scan.warn) ?? 0,
  findings: objectsOf(scan.findings).slice(0, FINDINGS_MAX),
});

const forgeEvidence = (origin: JsonObject | null): InboxCard["forge_evidence"] => ({
  cluster_size: countOf(origin?.cluster_size),
  distinct_agents: countOf(origin?.distinct_agents),
});

const textOf = (value: JsonValue | undefined): string | null => (typeof value === "string" ? value : null);
const countOf = (value: JsonValue | undefined): number | null =>
  typeof value === "number" && Number.isInteger(value) ? value : null;
const objectOf = (value: JsonValue | undefined): JsonObject | null => (isJsonObject(value) ? value : null);
const objectsOf = (value: JsonValue | undefined): JsonObject[] =>
  (Array.isArray(value) ? value : []).filter(isJsonObject);
const textsOf = (value: JsonValue | undefined): string[] =>
  (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === "string");
