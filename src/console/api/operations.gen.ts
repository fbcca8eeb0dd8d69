// Generated from the table of operations: bun scripts/console/api-types.ts

import type * as S from "./schemas.gen.ts";

/** What each operation takes and gives. */
export interface Operations {
  writeMemory: { body: S.MemoryWrite; reply: S.Memory };
  listMemories: { query?: { "tenant_id"?: string; "fleet_id"?: string; "shared_only"?: boolean; "agent_id"?: string; "memory_type"?: string; "status"?: string; "written_by"?: string; "with_shared"?: boolean; "visibility"?: S.Visibility; "run_id"?: string; "exclude_memory_types"?: (string)[]; "weight_min"?: number; "weight_max"?: number; "created_after"?: string; "created_before"?: string; "happened_from"?: string; "happened_to"?: string; "valid_at"?: string; "utc_offset_minutes"?: number; "cursor"?: string; "sort"?: ("created_at" | "weight" | "memory_type" | "agent_id" | "status" | "recall_count" | "fleet_id" | "tenant_id" | "expires_at" | "deleted_at"); "order"?: ("asc" | "desc"); "offset"?: number; "limit"?: number; "include_deleted"?: boolean; "scope"?: ("agent" | "fleet" | "all"); "view"?: ("full" | "compact"); "fields"?: (S.MemoryField)[] }; reply: (S.MemoryPageView | S.MemoryPage) };
  removeMatchingMemories: { query?: { "tenant_id"?: string; "fleet_id"?: string; "agent_id"?: string; "memory_type"?: string; "status"?: string; "erase"?: boolean }; body?: (S.MatchingDelete | null); reply: undefined };
  writeMemories: { query?: { "wait"?: "searchable" }; body: S.BulkWrite; reply: S.BulkResult };
  memoryStats: { query?: { "tenant_id"?: string; "fleet_id"?: string; "shared_only"?: boolean; "agent_id"?: string; "memory_type"?: string; "status"?: string; "include_deleted"?: boolean; "scope"?: ("agent" | "fleet" | "all") }; reply: S.MemoryStats };
  countMemories: { query?: { "tenant_id"?: string; "fleet_id"?: string; "shared_only"?: boolean; "status"?: S.MemoryStatus }; reply: S.MemoryCount };
  getContradictions: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string; "wait_ms"?: number }; reply: S.Contradictions };
  listSimilar: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string }; reply: S.SimilarMemories };
  correctMemory: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string }; body: S.Correction; reply: S.Corrected };
  changeMemoryStatus: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string }; body: S.StatusChange; reply: S.StatusChanged };
  getMemory: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string }; reply: S.MemoryDetail };
  patchMemory: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string; "metadata_mode"?: ("merge" | "replace") }; body: S.MemoryPatch; reply: S.Memory };
  removeMemory: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string; "erase"?: boolean }; reply: undefined };
  reportOutcome: { body: S.OutcomeReport; reply: S.OutcomeTaken };
  listConflicts: { query?: { "tenant_id"?: string; "agent_id"?: string; "fleet_id"?: string; "with_shared"?: boolean; "shared_only"?: boolean; "state"?: ("open" | "accepted" | "both_stand" | "all"); "cursor"?: string; "limit"?: number }; reply: S.ConflictPage };
  reviewConflict: { body: S.ConflictReview; reply: S.Conflict };
  submitInterview: { body: S.InterviewSubmission; reply: S.InterviewTaken };
  moveMemories: { body: S.MoveRequest; reply: S.Moved };
  removeMemories: { body: S.BulkDelete; reply: S.Deleted };
  restoreMatchingMemories: { body: S.MatchingRestore; reply: S.Restored };
  restoreMemory: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string }; reply: S.Memory };
  listMemoryTexts: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string }; reply: S.KeptTexts };
  restoreMemoryText: { path: { "memory_id": string; "text_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string }; reply: S.Memory };
  recordTold: { body: S.ToldReport; reply: S.ToldCounted };
  getTold: { path: { "memory_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string }; reply: S.ToldCounts };
  searchMemories: { query?: { "view"?: ("full" | "compact"); "fields"?: (S.MemoryField)[] }; body: S.SearchRequest; reply: (S.SearchReplyView | S.SearchReply) };
  whyNot: { body: S.WhyNotRequest; reply: S.WhyNotReply };
  recallMemories: { query?: { "view"?: ("full" | "compact"); "fields"?: (S.MemoryField)[] }; body: S.RecallRequest; reply: (S.RecallReplyView | S.RecallReply) };
  activity: { query?: { "tenant_id"?: string; "agent_id"?: string; "fleet_id"?: string; "days"?: number; "utc_offset_minutes"?: number }; reply: S.Activity };
  memoryAges: { query?: { "tenant_id"?: string; "agent_id"?: string; "fleet_id"?: string }; reply: S.MemoryAges };
  memoryMap: { query?: { "tenant_id"?: string; "agent_id"?: string; "fleet_id"?: string; "memory_type"?: string; "limit"?: number }; reply: S.MemoryMap };
  upsertEntity: { body: S.EntityUpsert; reply: S.Entity };
  listEntities: { query?: { "tenant_id"?: string; "agent_id"?: string; "fleet_id"?: string; "entity_type"?: string; "search"?: string; "limit"?: number; "offset"?: number }; reply: (S.Entity)[] };
  getEntity: { path: { "entity_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string }; reply: S.EntityDetail };
  changeEntity: { path: { "entity_id": string }; body: S.EntityChange; reply: S.EntityDetail };
  entityNeighbours: { path: { "entity_id": string }; query?: { "tenant_id"?: string; "agent_id"?: string; "hops"?: number; "limit"?: number }; reply: S.Neighbours };
  upsertRelation: { body: S.RelationUpsert; reply: S.Relation };
  entityGraph: { query?: { "tenant_id"?: string; "agent_id"?: string; "fleet_id"?: string; "entity_type"?: string; "limit"?: number; "offset"?: number }; reply: S.Graph };
  mergeEntities: { path: { "entity_id": string }; body: S.EntityMerge; reply: S.EntityDetail };
  listKeystones: { query?: { "tenant_id"?: string; "fleet_id"?: string; "agent_id"?: string; "envelope"?: boolean }; reply: ((S.Keystone)[] | S.KeystoneEnvelope) };
  writeKeystone: { body: S.KeystoneWrite; reply: S.KeystoneWritten };
  lockKeystone: { path: { "doc_id": string }; body: S.KeystoneLock; reply: S.Keystone };
  listKeystoneProposals: { query?: { "tenant_id"?: string }; reply: S.KeystoneProposalList };
  proposeKeystone: { body: S.KeystonePropose; reply: S.KeystoneProposal };
  acceptKeystoneProposal: { path: { "doc_id": string }; body: S.KeystoneAccept; reply: S.KeystoneDecided };
  dismissKeystoneProposal: { path: { "doc_id": string }; body: S.KeystoneDismiss; reply: S.KeystoneDecided };
  removeKeystone: { path: { "doc_id": string }; query?: { "tenant_id"?: string; "scope"?: ("tenant" | "fleet" | "agent"); "fleet_id"?: string; "agent_id"?: string; "place"?: boolean }; reply: S.KeystoneRemoved };
  getSettings: { query?: { "tenant_id"?: string }; reply: S.OrgSettings };
  putSettings: { query?: { "tenant_id"?: string }; body: S.OrgSettingsPatch; reply: S.OrgSettings };
  patchSettings: { query?: { "tenant_id"?: string }; body: S.OrgSettingsPatch; reply: S.OrgSettings };
  writeDocument: { body: S.DocumentWrite; reply: S.DocumentWritten };
  listDocuments: { query: { "tenant_id"?: string; "collection": string; "fleet_id"?: string; "limit"?: number; "offset"?: number }; reply: (S.Document)[] };
  listCollections: { query?: { "tenant_id"?: string; "fleet_id"?: string }; reply: S.Collections };
  searchDocuments: { body: S.DocumentSearch; reply: S.DocumentFindings };
  queryDocuments: { body: S.DocumentQuery; reply: (S.Document)[] };
  getDocument: { path: { "doc_id": string }; query: { "tenant_id"?: string; "collection": string }; reply: S.Document };
  removeDocument: { path: { "doc_id": string }; query: { "tenant_id"?: string; "collection": string }; reply: undefined };
  installableSkills: { body: S.InstallableQuery; reply: (S.InstallableSkill)[] };
  listSkills: { query?: { "tenant_id"?: string; "fleet_id"?: string; "limit"?: number; "offset"?: number }; reply: S.SkillList };
  deliverSkill: { body: S.SkillDeliver; reply: S.InboxMoved };
  listInbox: { query?: { "tenant_id"?: string; "fleet_id"?: string; "limit"?: number; "offset"?: number; "include_content"?: boolean }; reply: S.Inbox };
  editSkill: { path: { "slug": string }; query?: { "tenant_id"?: string }; body: S.SkillEdit; reply: S.InboxMoved };
  deferSkill: { path: { "slug": string }; query?: { "tenant_id"?: string }; body?: S.SkillDefer; reply: S.InboxMoved };
  approveSkill: { path: { "slug": string }; query?: { "tenant_id"?: string }; body?: S.SkillApprove; reply: S.InboxMoved };
  quarantineSkill: { path: { "slug": string }; query?: { "tenant_id"?: string }; body: S.SkillQuarantine; reply: S.InboxMoved };
  rejectSkill: { path: { "slug": string }; query?: { "tenant_id"?: string }; body: S.SkillReject; reply: S.InboxMoved };
  listForgeRuns: { query?: { "tenant_id"?: string; "limit"?: number }; reply: S.ForgeRunList };
  fanOutLifecycle: { path: { "action": string }; reply: S.LifecycleFanout };
  triggerLifecycle: { path: { "action": string }; body: S.LifecycleRequest; reply: S.LifecycleTriggered };
  listProjects: { query?: { "tenant_id"?: string; "doubts"?: boolean }; reply: S.ProjectList };
  resolveProject: { body: S.ProjectResolve; reply: S.ProjectResolved };
  renameProject: { body: S.ProjectRename; reply: S.Project };
  aliasProject: { body: S.ProjectAlias; reply: S.Project };
  mergeProjects: { body: S.ProjectMerge; reply: S.ProjectMerged };
  trustProject: { body: S.ProjectTrust; reply: S.Project };
  settleProject: { body: S.ProjectSettle; reply: S.Project };
  listTenants: { reply: (string)[] };
  listFleets: { query?: { "tenant_id"?: string }; reply: (S.Fleet)[] };
  listAgents: { query?: { "tenant_id"?: string; "fleet_id"?: string }; reply: (S.Agent)[] };
  getAgent: { path: { "agent_id": string }; query?: { "tenant_id"?: string }; reply: S.Agent };
  changeAgentTrust: { path: { "agent_id": string }; query?: { "tenant_id"?: string }; body: S.AgentTrustChange; reply: S.Agent };
  changeAgentFleet: { path: { "agent_id": string }; query?: { "tenant_id"?: string }; body: S.AgentFleetChange; reply: S.AgentFleetChanged };
  listAudit: { query?: { "tenant_id"?: string; "target_id"?: string; "action"?: string; "before_id"?: number; "limit"?: number }; reply: S.AuditLog };
  createKey: { body: S.KeyCreate; reply: S.KeyMinted };
  listKeys: { query?: { "tenant_id"?: string }; reply: S.KeyList };
  revokeKey: { path: { "key_id": string }; query?: { "tenant_id"?: string }; reply: undefined };
  version: { reply: S.Version };
  whoami: { reply: S.Whoami };
  serverProof: { query: { "challenge": string }; reply: S.ServerProof };
  health: { reply: S.Health };
  status: { reply: S.Status };
  toolDescriptions: { query?: { "enriched"?: boolean }; reply: S.ToolDescriptions };
  counters: { reply: S.Counters };
  events: { reply: string };
  limits: { reply: S.Bounds };
  recentLogs: { query?: { "level"?: ("info" | "warn" | "error"); "event"?: string; "limit"?: number; "after"?: number }; reply: S.RecentLogs };
  listJobs: { reply: S.UnfinishedJobs };
  inspectIntegrity: { reply: S.IntegrityReport };
  beginIntegrityRun: { body: { "kind"?: ("check" | "rebuild") }; reply: S.IntegrityRunState };
  readIntegrityRun: { reply: S.IntegrityRunState };
  rebuildIndexes: { reply: S.IndexesRebuilt };
  beginBackup: { body?: ({ "destination"?: string; "keep"?: number } | null); reply: S.BackupState };
  listBackups: { reply: S.BackupState };
  exportTenant: { query?: { "tenant_id"?: string; "fleet_id"?: string; "shared_only"?: boolean; "agent_id"?: string; "created_after"?: string; "created_before"?: string; "utc_offset_minutes"?: number }; reply: string };
  importRecords: { body: S.ImportRequest; reply: S.ImportResult };
  getImport: { query: { "tenant_id"?: string; "source": string }; reply: S.ImportState };
  forget: { body: S.ForgetRequest; reply: S.Forgotten };
  takeSnapshot: { reply: S.Snapshot };
  restoreSnapshot: { reply: S.Snapshot };
  changeModel: { body?: ({ "action"?: ("begin" | "pause" | "resume" | "rollback" | "cancel" | "drop_old"); "model"?: string } | null); reply: S.ReembedState };
  getModelChange: { reply: S.ReembedState };
  eraseTrial: { path: { "trial": string }; reply: S.TrialErased };
}

/** Method and path of each operation. */
export const ROUTES: Readonly<Record<keyof Operations, readonly [method: string, path: string]>> = {
  writeMemory: ["POST", "/api/v1/memories"],
  listMemories: ["GET", "/api/v1/memories"],
  removeMatchingMemories: ["DELETE", "/api/v1/memories"],
  writeMemories: ["POST", "/api/v1/memories/bulk"],
  memoryStats: ["GET", "/api/v1/memories/stats"],
  countMemories: ["GET", "/api/v1/memories/count"],
  getContradictions: ["GET", "/api/v1/memories/{memory_id}/contradictions"],
  listSimilar: ["GET", "/api/v1/memories/{memory_id}/similar"],
  correctMemory: ["POST", "/api/v1/memories/{memory_id}/correct"],
  changeMemoryStatus: ["PATCH", "/api/v1/memories/{memory_id}/status"],
  getMemory: ["GET", "/api/v1/memories/{memory_id}"],
  patchMemory: ["PATCH", "/api/v1/memories/{memory_id}"],
  removeMemory: ["DELETE", "/api/v1/memories/{memory_id}"],
  reportOutcome: ["POST", "/api/v1/evolve/report"],
  listConflicts: ["GET", "/api/v1/conflicts"],
  reviewConflict: ["POST", "/api/v1/conflicts/review"],
  submitInterview: ["POST", "/api/v1/interview/submit"],
  moveMemories: ["POST", "/api/v1/memories/move"],
  removeMemories: ["POST", "/api/v1/memories/bulk-delete"],
  restoreMatchingMemories: ["POST", "/api/v1/memories/restore"],
  restoreMemory: ["POST", "/api/v1/memories/{memory_id}/restore"],
  listMemoryTexts: ["GET", "/api/v1/memories/{memory_id}/texts"],
  restoreMemoryText: ["POST", "/api/v1/memories/{memory_id}/texts/{text_id}/restore"],
  recordTold: ["POST", "/api/v1/memories/told"],
  getTold: ["GET", "/api/v1/memories/{memory_id}/told"],
  searchMemories: ["POST", "/api/v1/search"],
  whyNot: ["POST", "/api/v1/search/why-not"],
  recallMemories: ["POST", "/api/v1/recall"],
  activity: ["GET", "/api/v1/activity"],
  memoryAges: ["GET", "/api/v1/memories/ages"],
  memoryMap: ["GET", "/api/v1/memories/map"],
  upsertEntity: ["POST", "/api/v1/entities/upsert"],
  listEntities: ["GET", "/api/v1/entities"],
  getEntity: ["GET", "/api/v1/entities/{entity_id}"],
  changeEntity: ["PATCH", "/api/v1/entities/{entity_id}"],
  entityNeighbours: ["GET", "/api/v1/entities/{entity_id}/neighbours"],
  upsertRelation: ["POST", "/api/v1/relations/upsert"],
  entityGraph: ["GET", "/api/v1/graph"],
  mergeEntities: ["POST", "/api/v1/entities/{entity_id}/merge"],
  listKeystones: ["GET", "/api/v1/keystones"],
  writeKeystone: ["POST", "/api/v1/keystones"],
  lockKeystone: ["POST", "/api/v1/keystones/{doc_id}/lock"],
  listKeystoneProposals: ["GET", "/api/v1/keystone-proposals"],
  proposeKeystone: ["POST", "/api/v1/keystone-proposals"],
  acceptKeystoneProposal: ["POST", "/api/v1/keystone-proposals/{doc_id}/accept"],
  dismissKeystoneProposal: ["POST", "/api/v1/keystone-proposals/{doc_id}/dismiss"],
  removeKeystone: ["DELETE", "/api/v1/keystones/{doc_id}"],
  getSettings: ["GET", "/api/v1/settings"],
  putSettings: ["PUT", "/api/v1/settings"],
  patchSettings: ["PATCH", "/api/v1/settings"],
  writeDocument: ["POST", "/api/v1/documents"],
  listDocuments: ["GET", "/api/v1/documents"],
  listCollections: ["GET", "/api/v1/documents/collections"],
  searchDocuments: ["POST", "/api/v1/documents/search"],
  queryDocuments: ["POST", "/api/v1/documents/query"],
  getDocument: ["GET", "/api/v1/documents/{doc_id}"],
  removeDocument: ["DELETE", "/api/v1/documents/{doc_id}"],
  installableSkills: ["POST", "/api/v1/skills/installable"],
  listSkills: ["GET", "/api/v1/skills"],
  deliverSkill: ["POST", "/api/v1/skills/approve"],
  listInbox: ["GET", "/api/v1/skills-inbox"],
  editSkill: ["POST", "/api/v1/skills-inbox/{slug}/edit"],
  deferSkill: ["POST", "/api/v1/skills-inbox/{slug}/defer"],
  approveSkill: ["POST", "/api/v1/skills-inbox/{slug}/approve"],
  quarantineSkill: ["POST", "/api/v1/skills-inbox/{slug}/quarantine"],
  rejectSkill: ["POST", "/api/v1/skills-inbox/{slug}/reject"],
  listForgeRuns: ["GET", "/api/v1/forge/runs"],
  fanOutLifecycle: ["POST", "/api/v1/admin/lifecycle/fanout/{action}"],
  triggerLifecycle: ["POST", "/api/v1/admin/lifecycle/{action}"],
  listProjects: ["GET", "/api/v1/projects"],
  resolveProject: ["POST", "/api/v1/projects/resolve"],
  renameProject: ["POST", "/api/v1/projects/rename"],
  aliasProject: ["POST", "/api/v1/projects/alias"],
  mergeProjects: ["POST", "/api/v1/projects/merge"],
  trustProject: ["POST", "/api/v1/projects/trust"],
  settleProject: ["POST", "/api/v1/projects/settle"],
  listTenants: ["GET", "/api/v1/tenants"],
  listFleets: ["GET", "/api/v1/fleets"],
  listAgents: ["GET", "/api/v1/agents"],
  getAgent: ["GET", "/api/v1/agents/{agent_id}"],
  changeAgentTrust: ["PATCH", "/api/v1/agents/{agent_id}/trust"],
  changeAgentFleet: ["PATCH", "/api/v1/agents/{agent_id}/fleet"],
  listAudit: ["GET", "/api/v1/audit-log"],
  createKey: ["POST", "/api/v1/keys"],
  listKeys: ["GET", "/api/v1/keys"],
  revokeKey: ["DELETE", "/api/v1/keys/{key_id}"],
  version: ["GET", "/api/v1/version"],
  whoami: ["GET", "/api/v1/whoami"],
  serverProof: ["GET", "/api/v1/server-proof"],
  health: ["GET", "/api/v1/health"],
  status: ["GET", "/api/v1/status"],
  toolDescriptions: ["GET", "/api/v1/tool-descriptions"],
  counters: ["GET", "/api/v1/stats"],
  events: ["GET", "/api/v1/events"],
  limits: ["GET", "/api/v1/limits"],
  recentLogs: ["GET", "/api/v1/admin/logs"],
  listJobs: ["GET", "/api/v1/admin/jobs"],
  inspectIntegrity: ["GET", "/api/v1/integrity"],
  beginIntegrityRun: ["POST", "/api/v1/integrity/run"],
  readIntegrityRun: ["GET", "/api/v1/integrity/run"],
  rebuildIndexes: ["POST", "/api/v1/integrity/rebuild"],
  beginBackup: ["POST", "/api/v1/admin/backups"],
  listBackups: ["GET", "/api/v1/admin/backups"],
  exportTenant: ["GET", "/api/v1/export"],
  importRecords: ["POST", "/api/v1/import"],
  getImport: ["GET", "/api/v1/import"],
  forget: ["POST", "/api/v1/admin/forget"],
  takeSnapshot: ["POST", "/api/v1/admin/snapshot"],
  restoreSnapshot: ["POST", "/api/v1/admin/snapshot/restore"],
  changeModel: ["POST", "/api/v1/admin/reembed"],
  getModelChange: ["GET", "/api/v1/admin/reembed"],
  eraseTrial: ["DELETE", "/api/v1/trials/{trial}"],
};
