const id = (last: number): string => `00000000-0000-4000-8000-00000000000${last}`;

/** Ids that only the server can give. The docs page (`docs-script.js`) puts in their place those of what was last written. */
export const EXAMPLE_IDS = { memory: id(1), entity: id(2), other_entity: id(3), key: id(4), text: id(5) } as const;
const { memory, entity, other_entity, key, text } = EXAMPLE_IDS;

/** A call that succeeds on a fresh instance, after those that stand before it in the document. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** One body, or several by what they show. */
  readonly body?: unknown;
  readonly bodies?: Readonly<Record<string, unknown>>;
}

const aSkill = (slug: string, does: string, content: string) => ({
  collection: "skills",
  doc_id: slug,
  data: {
    name: slug.replace("-", " "),
    slug,
    description: `How to ${does}.`,
    summary: `When somebody asks to ${does}.`,
    domain: "work",
    kind: "create",
    source: "manual",
    content,
  },
});

/** The example of each operation that takes anything, by its id. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  serverProof: { query: { challenge: "q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" } },
  exportTenant: { query: { agent_id: "anna" } },
  importRecords: {
    body: {
      source: "notes of 2025",
      position: 1,
      records: [
        { record: "memory", content: "The staging database moved to Frankfurt.", created_at: "2025-06-03T09:30:00Z" },
      ],
    },
  },
  getImport: { query: { source: "notes of 2025" } },
  writeMemory: { body: { content: "Deploys go out every Tuesday after the standup." } },
  listMemories: { query: { limit: 10 } },
  writeMemories: {
    body: {
      agent_id: "anna",
      items: [
        { content: "Harbor, the build server, keeps its data in Postgres 16." },
        { content: "Anna prefers reviews before noon.", memory_type: "preference", metadata: { draft: true } },
      ],
    },
  },
  moveMemories: { body: { filter: { written_by: "anna" }, to: { fleet_id: "harbor" }, dry_run: true } },
  memoryStats: { query: { scope: "all" } },
  activity: { query: { days: 7, utc_offset_minutes: 60 } },
  memoryAges: { query: { agent_id: "anna" } },
  memoryMap: { query: { limit: 200 } },
  countMemories: { query: { status: "active" } },
  removeMemories: { body: { ids: ["018f3c5e-7a4b-7c3d-9e2f-1a2b3c4d5e6f"] } },
  removeMatchingMemories: { query: { agent_id: "anna" }, body: { metadata_filter: { outdated: true } } },
  getContradictions: { params: { memory_id: memory } },
  listSimilar: { params: { memory_id: memory } },
  correctMemory: {
    params: { memory_id: memory },
    body: { content: "Deploys go out every Thursday after the standup." },
  },
  changeMemoryStatus: { params: { memory_id: memory }, body: { status: "confirmed" } },
  getMemory: { params: { memory_id: memory } },
  patchMemory: {
    params: { memory_id: memory },
    body: { content: "Deploys go out every Tuesday, after the standup.", weight: 0.8, metadata: { reviewed: true } },
  },
  recordTold: { body: { told: [memory] } },
  getTold: { params: { memory_id: memory } },
  listMemoryTexts: { params: { memory_id: memory } },
  restoreMemoryText: { params: { memory_id: memory, text_id: text } },
  restoreMatchingMemories: { body: { deleted_since: "2026-01-01T09:00:00Z", deleted_until: "2026-01-01T10:00:00Z" } },
  restoreMemory: { params: { memory_id: memory } },
  removeMemory: { params: { memory_id: memory } },
  reportOutcome: {
    body: {
      agent_id: "anna",
      outcome: "The new disks of Harbor were mounted without a restart.",
      outcome_type: "success",
    },
  },
  listConflicts: { query: { limit: 10 } },
  reviewConflict: {
    body: {
      newer_id: "018f3c5e-7a4b-7c3d-9e2f-1a2b3c4d5e6f",
      older_id: "018f3c5e-7a4b-7c3d-9e2f-0a1b2c3d4e5f",
      decision: "both_stand",
      reason: "One is about staging, the other about production.",
    },
  },
  submitInterview: {
    body: {
      node_id: "laptop",
      agent_id: "anna",
      cursor_from: 0,
      cursor_to: 1,
      events: [
        { seq: 1, ts: "2026-03-02T09:00:00Z", role: "user", kind: "message", content: "We release on Tuesdays." },
      ],
    },
  },
  searchMemories: { body: { query: "when do we release?", top_k: 3 } },
  whyNot: { body: { memory_id: memory, query: "when do we release?", top_k: 1 } },
  recallMemories: { body: { query: "when do we release?", view: "compact" } },
  upsertEntity: { body: { entity_type: "technology", canonical_name: "Postgres", aliases: ["PostgreSQL"] } },
  listEntities: { query: { limit: 10 } },
  getEntity: { params: { entity_id: entity } },
  changeEntity: { params: { entity_id: entity }, body: { canonical_name: "PostgreSQL" } },
  entityNeighbours: { params: { entity_id: entity }, query: { hops: 1, limit: 20 } },
  upsertRelation: {
    body: { from_entity_id: other_entity, relation_type: "runs on", to_entity_id: entity, weight: 0.9 },
  },
  entityGraph: { query: { limit: 20 } },
  mergeEntities: { params: { entity_id: entity }, body: { from_id: other_entity } },
  writeKeystone: {
    body: {
      doc_id: "ask-before-deleting",
      title: "Ask before you delete",
      content: "Nothing that people wrote is deleted before somebody has said yes.",
      scope: "tenant",
      weight: "high",
    },
  },
  removeKeystone: { params: { doc_id: "ask-before-deleting" } },
  lockKeystone: { params: { doc_id: "ask-before-deleting" }, body: { locked: true } },
  proposeKeystone: {
    body: {
      doc_id: "no-force-push",
      rule: { title: "Never force-push to main", content: "Revert instead.", scope: "tenant", weight: "high" },
    },
  },
  acceptKeystoneProposal: { params: { doc_id: "no-force-push" }, body: { version: "0".repeat(64) } },
  dismissKeystoneProposal: { params: { doc_id: "no-force-push" }, body: {} },
  putSettings: { body: { skills_factory: { enabled: true } } },
  patchSettings: { body: { skills_factory: { description_max_bytes: 160 } } },
  writeDocument: {
    bodies: {
      "a document": {
        collection: "runbooks",
        doc_id: "release",
        data: { summary: "How a release is made", owner: "anna", steps: ["freeze", "build", "announce"] },
      },
      "a skill, to be approved": aSkill(
        "write-changelog",
        "write the changelog of a release",
        "# Write the changelog\n\n1. List what was merged since the last release.\n2. Write one line for each.\n",
      ),
      "a skill, to be rejected": aSkill(
        "order-lunch",
        "order lunch for the team",
        "# Order lunch\n\n1. Ask everybody what they want.\n2. Order before eleven.\n",
      ),
    },
  },
  listDocuments: { query: { collection: "runbooks" } },
  searchDocuments: { body: { query: "making a release", collection: "runbooks" } },
  queryDocuments: { body: { collection: "runbooks", where: { owner: "anna" } } },
  getDocument: { params: { doc_id: "release" }, query: { collection: "runbooks" } },
  removeDocument: { params: { doc_id: "release" }, query: { collection: "runbooks" } },
  installableSkills: { body: { limit: 10 } },
  deliverSkill: { body: { doc_id: "write-changelog", digest: "0".repeat(64) } },
  listInbox: { query: { limit: 10 } },
  editSkill: { params: { slug: "write-changelog" }, body: { summary: "When a release needs its changelog." } },
  deferSkill: { params: { slug: "write-changelog" }, body: { reason: "Waits for the next release." } },
  approveSkill: { params: { slug: "write-changelog" }, body: {} },
  quarantineSkill: { params: { slug: "order-lunch" }, body: { reason: "Nobody asked for it." } },
  rejectSkill: { params: { slug: "order-lunch" }, body: { reason: "Nobody asked for it.", cooloff_days: 30 } },
  listForgeRuns: { query: { limit: 5 } },
  fanOutLifecycle: { params: { action: "forge-distill" } },
  triggerLifecycle: { params: { action: "forge-distill" }, body: {} },
  getAgent: { params: { agent_id: "anna" } },
  changeAgentTrust: { params: { agent_id: "anna" }, body: { trust_level: 2 } },
  changeAgentFleet: { params: { agent_id: "anna" }, body: { fleet_id: "builders" } },
  listAudit: { query: { limit: 10 } },
  resolveProject: {
    bodies: {
      "a repository in which something is stored": {
        remote: "github.com/acme/harbour",
        at: "laptop:/home/anna/harbour",
        save: true,
      },
      "a project by a name": { named: "harbour-old", save: true },
    },
  },
  renameProject: { body: { project: "acme/harbour", name: "harbour" } },
  aliasProject: { body: { project: "acme/harbour", alias: "harbour-web" } },
  trustProject: { body: { project: "acme/harbour", place: "laptop:/home/anna/harbour-docs" } },
  mergeProjects: { body: { from: "harbour-old", into: "acme/harbour" } },
  settleProject: { body: { project: "acme/harbour" } },
  createKey: { body: { agent_id: "anna", label: "from the docs page" } },
  revokeKey: { params: { key_id: key } },
  toolDescriptions: { query: { enriched: true } },
  eraseTrial: { params: { trial: "cairn-trial-1767225600000-0a1b2c3d" } },
  beginIntegrityRun: { body: { kind: "check" } },
  beginBackup: { body: {} },
  changeModel: { body: { action: "pause" } },
  forget: { body: { match: "customer 4711", dry_run: true } },
};
