import type { ReaderTicket } from "../../core/ports/storage.ts";
import { agentStore } from "../accounts/agents.ts";
import { contradictionStore } from "../conflicts/store.ts";
import { entityStore } from "../entities/store.ts";
import { memoryStore } from "../memories/store.ts";
import { tellingStore } from "../memories/tellings.ts";
import type { EmbedderSpace, ReaderOptions, StorageReader } from "../options.ts";
import type { Engine } from "./engine/connection.ts";
import { connectReadOnly } from "./engine/connection.ts";
import { hitsOf } from "./search/hits.ts";
import { sqliteCandidates } from "./search/nearby.ts";
import { createRowCache } from "./search/row-cache.ts";
import { createWordCache } from "./search/word-cache.ts";
import { sqliteRunner } from "./units/run.ts";
import { indexedRows } from "./vector-index/nearest.ts";
import type { SharedIndex } from "./vector-index/shared-memory.ts";

/** How a thread opens a data file that another one writes. */
export interface SqliteTicket extends ReaderTicket {
  readonly engine: "sqlite";
  readonly file: string;
  /** Path of sqlite-vec; null where codes lie in plain tables. */
  readonly extension: string | null;
  readonly space: EmbedderSpace;
  readonly index: SharedIndex;
  /** The thread's room of the index. */
  readonly room: number;
}

/** Opens a data file to search in it, through a connection and a room of the index of the thread's own. */
export function openSqliteReader({ ticket, clock, policies }: ReaderOptions): StorageReader {
  // Safe: a ticket is read by the engine that wrote it.
  const { file, extension, space, index, room } = ticket as SqliteTicket;
  const readOnly = connectReadOnly(file, extension, () => new Error("This thread only reads."));
  const write = <T>(body: () => T) => Promise.try(() => readOnly.transaction(body));
  const db: Engine = { ...readOnly, write, policies, space };
  const hitIndex = {
    space,
    rows: indexedRows(index, space, room),
    words: createWordCache(index),
    cache: createRowCache(index, space),
  };
  const nothing = () => undefined;
  const runner = sqliteRunner(db, nothing);
  return {
    memories: memoryStore(runner, { space, clock, hits: hitsOf(db, hitIndex) }),
    tellings: tellingStore(runner),
    entities: entityStore(runner, clock),
    contradictions: contradictionStore(runner, clock, sqliteCandidates(db, hitIndex)),
    agents: agentStore(runner, clock),
    close: readOnly.close,
  };
}
