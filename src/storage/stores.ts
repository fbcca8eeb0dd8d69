import type { SQL } from "drizzle-orm";
import type { Clock } from "../core/kernel/clock.ts";
import type { ContradictionStore } from "../core/ports/contradiction-store.ts";
import type { DocumentStore } from "../core/ports/document-store.ts";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import { agentStore } from "./accounts/agents.ts";
import { auditStore } from "./accounts/audit.ts";
import { replyStore } from "./accounts/kept-replies.ts";
import { keyStore } from "./accounts/keys.ts";
import { settingsStore } from "./accounts/settings.ts";
import { trialStore } from "./accounts/trials.ts";
import { contradictionStore } from "./conflicts/store.ts";
import { documentStore } from "./documents/store.ts";
import { entityStore } from "./entities/store.ts";
import type { EngineModels } from "./generations/store.ts";
import { generationStore } from "./generations/store.ts";
import { forgettingStore } from "./keeping/forgetting.ts";
import type { LeftRoom } from "./keeping/retention.ts";
import { retentionStore } from "./keeping/retention.ts";
import { keptTextStore } from "./memories/kept-texts.ts";
import { pictureRows } from "./memories/pictures.ts";
import { memoryStore } from "./memories/store.ts";
import { tellingStore } from "./memories/tellings.ts";
import type { EmbedderSpace } from "./options.ts";
import { projectStore } from "./projects/store.ts";
import { forgeStore } from "./skills/forge-store.ts";
import { skillStore } from "./skills/store.ts";
import type { Exports } from "./transfer/exports.ts";
import { transferStore } from "./transfer/store.ts";
import type { Runner } from "./units/work.ts";

/** Hands a store on, and looks at what its calls throw. */
export type Watch = <T extends object>(store: T) => T;
const UNWATCHED: Watch = (store) => store;

/** The stores that no model has a part in; `holder` tells what this process has in hand from what others have. */
export const accountStores = (runner: Runner, clock: Clock, holder: string, watched = UNWATCHED) => ({
  settings: watched(settingsStore(runner, clock)),
  projects: watched(projectStore(runner, clock)),
  keys: watched(keyStore(runner)),
  agents: watched(agentStore(runner, clock)),
  replies: watched(replyStore(runner, holder)),
  audit: watched(auditStore(runner)),
});

/** What an engine does in ways of its own, for the stores of one model. */
export interface EngineParts {
  /** Of the model's vectors. */
  readonly space: EmbedderSpace;
  readonly clock: Clock;
  readonly hits: MemoryStore["hits"];
  readonly candidates: ContradictionStore["candidates"];
  readonly documentHits: DocumentStore["hits"];
  readonly exports: Exports;
  readonly leftRoom: LeftRoom;
  readonly models: EngineModels;
  /** Selects the names of all tables that name a tenant. */
  readonly tenantTables: SQL;
}

/** The stores of what a model reads, and of all that lies beside it. */
export const nounStores = (runner: Runner, parts: EngineParts, watched = UNWATCHED) => {
  const { space, clock } = parts;
  return {
    memories: watched(memoryStore(runner, parts)),
    keptTexts: watched(keptTextStore(runner, clock)),
    tellings: watched(tellingStore(runner)),
    pictures: watched(pictureRows(runner, space)),
    contradictions: watched(contradictionStore(runner, clock, parts.candidates)),
    documents: watched(documentStore(runner, clock, parts.documentHits)),
    entities: watched(entityStore(runner, clock)),
    skills: watched(skillStore(runner, clock)),
    forge: watched(forgeStore(runner, clock, space)),
    trials: watched(trialStore(runner, parts.tenantTables)),
    transfer: watched(transferStore(runner, parts.exports, clock)),
    retention: watched(retentionStore(runner, parts.leftRoom)),
    forgetting: watched(forgettingStore(runner, clock)),
    generations: watched(generationStore(runner, { space, clock, engine: parts.models })),
  };
};
