import type { Clock } from "../../../src/core/kernel/clock.ts";
import type { AuditStore, KeyStore, ReplyStore } from "../../../src/core/ports/account-stores.ts";
import type { DocumentStore, SettingsStore } from "../../../src/core/ports/document-store.ts";
import type { KeptTextStore } from "../../../src/core/ports/keeping/kept-texts.ts";
import type { MemoryStore } from "../../../src/core/ports/memory-store.ts";
import type { TellingStore } from "../../../src/core/ports/observing/tellings.ts";
import type { Storage } from "../../../src/core/ports/storage.ts";
import type { StoragePolicies } from "../../../src/core/ports/storage-policies.ts";
import { agentsOf, keysOf, settingsOf } from "./accounts.ts";
import { auditOf } from "./audit.ts";
import { documentsOf } from "./documents.ts";
import { keptTextsOf } from "./kept-texts.ts";
import { readsOf } from "./memory-reads.ts";
import { writesOf } from "./memory-writes.ts";
import { repliesOf } from "./replies.ts";
import { newState } from "./state.ts";
import { tellingsOf } from "./tellings.ts";

/** The part of the port that follows from its words alone, without models, tokens or anything that only one engine knows. */
export interface Oracle {
  readonly memories: Pick<
    MemoryStore,
    | "insert"
    | "update"
    | "remove"
    | "restore"
    | "move"
    | "erase"
    | "touchRecalls"
    | "get"
    | "ofRequest"
    | "several"
    | "list"
    | "ids"
    | "count"
    | "stats"
    | "stored"
    | "fleets"
    | "lastOfRun"
    | "pendingIds"
    | "countPending"
    | "tenants"
    | "tenantsWithDeleted"
    | "counters"
  >;
  readonly keptTexts: KeptTextStore;
  readonly tellings: TellingStore;
  readonly documents: Pick<DocumentStore, "upsert" | "remove" | "get" | "list" | "collections">;
  readonly audit: Pick<AuditStore, "list">;
  readonly keys: KeyStore;
  readonly agents: Pick<Storage["agents"], "list" | "get" | "change">;
  readonly settings: SettingsStore;
  readonly replies: ReplyStore;
}

/** A store of arrays, written from the port's comments as simply as can be: what engines answer is held against it. */
export function openOracle(clock: Clock, policies: StoragePolicies): Oracle {
  const state = newState(clock, policies);
  return {
    memories: { ...readsOf(state), ...writesOf(state) },
    keptTexts: keptTextsOf(state),
    tellings: tellingsOf(state),
    documents: documentsOf(state),
    audit: auditOf(state),
    keys: keysOf(state),
    agents: agentsOf(state),
    settings: settingsOf(state),
    replies: repliesOf(state),
  };
}
