import { z } from "zod";
import { sha256 } from "../kernel/hash.ts";
import type { JsonObject } from "../kernel/json.ts";
import { canonicalJson } from "../kernel/json.ts";
import { countedText, FleetId, JsonRecord, TenantId, textOf } from "./common.ts";
import { DocId, Document } from "./document.ts";

/** The collection whose documents are skills. */
export const SKILLS = "skills";
/**
 * Where the update of an active skill waits that would lie at its very address, so that the skill is delivered meanwhile.
 * Nobody but Cairn writes there.
 */
export const SKILL_UPDATES = "_skill_updates";
/** The doc_id of a skill: its slug, after the mark of where it comes from. */
export const SKILL_DOC_ID = /^(?:forge\/|agent\/)?[a-z0-9][a-z0-9._-]{0,99}$/;
const PROVENANCES = ["", "agent/", "forge/"] as const;

/** The bare name of a skill. */
export const slugOf = (doc_id: string): string => doc_id.replace(/^(?:forge|agent)\//, "");
/** Every doc_id under which a skill of this slug may lie. */
export const addressesOf = (slug: string): string[] => PROVENANCES.map((mark) => `${mark}${slug}`);

export const SKILL_SOURCES = ["agent", "forge", "manual", "imported"] as const;
export type SkillSource = (typeof SKILL_SOURCES)[number];
export const SKILL_KINDS = ["create", "update"] as const;

export const SKILL_STATUSES = [
  "candidate",
  "staged",
  "active",
  "rejected",
  "quarantined",
  "stale",
  "deprecated",
] as const;
export type SkillStatus = (typeof SKILL_STATUSES)[number];

/** Whose word a skill is delivered on. */
export const APPROVAL_WAYS = ["written", "approved", "auto_promoted"] as const;

const Digest = z.string().max(100).describe("Hash of all that the skill holds.");
export const SkillApproval = z
  .object({
    digest: Digest,
    way: z
      .enum(APPROVAL_WAYS)
      .describe("A person wrote it, or approved it; or the tenant lets clean candidates of the Forge skip the inbox."),
    by: z.string().nullable().describe("The agent whose credential it was; null for a person's own."),
    auth_source: z.string(),
    at: z.string().meta({ format: "date-time" }),
  })
  .meta({ id: "SkillApproval", description: "The word on which a skill is delivered, for the text that it had." });
export type SkillApproval = z.infer<typeof SkillApproval>;

/** What an approval is bound to: another member, or another letter of one, is another skill. */
export const skillDigest = (data: JsonObject): string => `sha256:${sha256(canonicalJson(data))}`;

export const INBOX_LIST_MAX = 200;
export const REASON_MAX = 2_000;
const COOLOFF_DAYS_MAX = 365;

export const InboxQuery = z.object({
  tenant_id: TenantId,
  fleet_id: FleetId.optional(),
  limit: z.int().min(1).max(INBOX_LIST_MAX).default(50).describe("Never more than the tenant's inbox_max_pending."),
  offset: z.int().min(0).default(0),
  include_content: z.boolean().default(false).describe("Not for the key of an agent."),
});
export type InboxQuery = z.infer<typeof InboxQuery>;

const SentinelScan = z.object({
  status: z.string(),
  critical_count: z.int(),
  warning_count: z.int(),
  findings: z.array(JsonRecord),
});

export const InboxCard = z
  .object({
    slug: z.string().describe("The whole doc_id, with its provenance."),
    doc_id: z.string(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    summary: z.string().nullable(),
    content: z.string().nullable().describe("Only with include_content."),
    domain: z.string().nullable(),
    tags: z.array(z.string()),
    source: z.string().nullable(),
    status: z.string(),
    fingerprint: z.string().nullable(),
    scan_state: z.string().nullable(),
    scan_critical: z.int().nullable(),
    scan_warn: z.int().nullable(),
    sentinel_scan: SentinelScan.nullable(),
    forge_evidence: z
      .object({ cluster_size: z.int().nullable(), distinct_agents: z.int().nullable() })
      .nullable()
      .describe("Only for skills of the Forge."),
    gates: z.array(JsonRecord).nullable().describe("What each gate said of a candidate, and why."),
    origin: JsonRecord.nullable(),
    evidence: z.union([z.string(), JsonRecord]),
    cites: z.array(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
    content_hash: z.string().nullable(),
    kind: z.string().nullable(),
    target: JsonRecord.nullable(),
    deferred_at: z.string().nullable(),
    digest: Digest.describe("Hash of all that it holds: what an approval names."),
    support_files: z.array(JsonRecord).nullable().describe("Only with include_content."),
    others: JsonRecord.nullable().describe(
      "All else that it holds and is delivered with it. Only with include_content.",
    ),
  })
  .meta({ id: "InboxCard", description: "A staged skill, as a reviewer sees it." });
export type InboxCard = z.infer<typeof InboxCard>;

export const Inbox = z
  .object({
    tenant_id: z.string(),
    fleet_id: z.string().nullable(),
    count: z.int(),
    truncated: z.boolean().describe("More wait than are shown; ask again with an offset."),
    items: z.array(InboxCard),
  })
  .meta({ id: "Inbox" });
export type Inbox = z.infer<typeof Inbox>;

export const InboxPath = z.object({
  slug: countedText(1, 120).describe("The doc_id, its slash as it is or written %2F; or the bare slug."),
});
export const InboxActionQuery = z.object({ tenant_id: TenantId });

const Reason = textOf(z.string().trim(), 1, REASON_MAX);
export const ApproveBody = z
  .object({
    content_hash: z
      .string()
      .nullish()
      .describe("Of the content that was reviewed; not without the digest, for it tells of nothing but the content."),
    digest: Digest.nullish().describe("Of what was reviewed, as its card tells it; anything else is then refused."),
  })
  .nullish()
  .meta({ id: "SkillApprove" });
export type ApproveBody = z.infer<typeof ApproveBody>;
export const DeferBody = z.object({ reason: Reason.nullish() }).nullish().meta({ id: "SkillDefer" });
export type DeferBody = z.infer<typeof DeferBody>;
const Revision = z.string().meta({ pattern: "\\S" }).nullish().describe("Not blank; null leaves it as it is.");
const EDITED_FIELDS = ["content", "description", "summary"] as const;
export const EditBody = z
  .object({ content: Revision, description: Revision, summary: Revision })
  .refine((body) => EDITED_FIELDS.some((field) => body[field] != null), `At least one of ${EDITED_FIELDS.join(", ")}`)
  .meta({
    id: "SkillEdit",
    anyOf: EDITED_FIELDS.map((field) => ({ properties: { [field]: { type: "string" } }, required: [field] })),
  });
export type EditBody = z.infer<typeof EditBody>;
export const QuarantineBody = z.object({ reason: Reason }).meta({ id: "SkillQuarantine" });
export type QuarantineBody = z.infer<typeof QuarantineBody>;
export const RejectBody = z
  .object({ reason: Reason, cooloff_days: z.int().min(1).max(COOLOFF_DAYS_MAX).nullish() })
  .meta({ id: "SkillReject" });
export type RejectBody = z.infer<typeof RejectBody>;

export const InboxMoved = z
  .object({
    slug: z.string(),
    previous_status: z.string(),
    new_status: z.string(),
    detail: z.string().nullable(),
  })
  .meta({ id: "InboxMoved" });
export type InboxMoved = z.infer<typeof InboxMoved>;

export const INSTALLABLE_MAX = 1_000;
export const InstallableBody = z
  .object({
    tenant_id: TenantId,
    fleet_id: FleetId.nullish(),
    limit: z.int().min(1).max(INSTALLABLE_MAX).default(INSTALLABLE_MAX),
    offset: z.int().min(0).default(0).describe("Skills to pass over, as X-Next-Offset of the page before says."),
  })
  .meta({ id: "InstallableQuery" });
export type InstallableBody = z.infer<typeof InstallableBody>;

/** A skill that is delivered, and on whose word. */
export const InstallableSkill = Document.extend({ approval: SkillApproval }).meta({ id: "InstallableSkill" });
export type InstallableSkill = z.infer<typeof InstallableSkill>;

export const SKILL_LIST_MAX = 200;
export const SkillListQuery = z.object({
  tenant_id: TenantId,
  fleet_id: FleetId.optional(),
  limit: z.int().min(1).max(SKILL_LIST_MAX).default(SKILL_LIST_MAX),
  offset: z.int().min(0).default(0),
});
export type SkillListQuery = z.infer<typeof SkillListQuery>;
export const ListedSkill = Document.extend({
  digest: Digest.describe("Hash of all that it holds: what POST /skills/approve wants to hear."),
  is_delivered: z.boolean(),
  approval: SkillApproval.nullable().describe("Null where nobody has approved it as it is now."),
  waits_for: z
    .enum(["approval", "rewriting"])
    .nullish()
    .describe(
      "What keeps it from being delivered: a person's word, or that a plain document is to be written again now that the skill factory is on. Null where it waits for neither.",
    ),
}).meta({ id: "ListedSkill" });
export type ListedSkill = z.infer<typeof ListedSkill>;
export const SkillList = z
  .object({ items: z.array(ListedSkill), next_offset: z.int().nullable().describe("Null where these are all.") })
  .meta({ id: "SkillList" });
export type SkillList = z.infer<typeof SkillList>;

export const SkillApproveBody = z
  .object({
    tenant_id: TenantId,
    doc_id: DocId,
    digest: Digest.describe("Of what was read, as GET /skills tells it."),
    dry_run: z.boolean().default(false).describe("Only whether it may be delivered: what would refuse it does."),
  })
  .meta({ id: "SkillDeliver" });
export type SkillApproveBody = z.infer<typeof SkillApproveBody>;
