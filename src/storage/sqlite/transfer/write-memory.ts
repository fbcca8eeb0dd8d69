import type { ImportOutcome, IncomingMemory } from "../../../core/ports/keeping/transfer.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { LIVE_STATUSES } from "../../../core/schema/memory.ts";
import { memoryEvent } from "../../common/transfer/events.ts";
import type { Present } from "../../common/transfer/present.ts";
import { idBeside, outcomeBeside } from "../../common/transfer/present.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { refused } from "../../common/transfer/write-context.ts";
import { putClaim } from "../../conflicts/claims.ts";
import { insertAudit } from "../accounts/audit.ts";
import { changeUsage } from "../accounts/usage.ts";
import type { Engine } from "../engine/connection.ts";
import { liveDuplicates } from "../memories/duplicates.ts";
import { insertOne, ownerCache } from "../memories/insert.ts";
import { within } from "../units/run.ts";
import { idWithin } from "./ids-within.ts";

const BY_ID = "select content_hash, deleted_at, fleet_id from memories where id = ?";

/** Stores memories as they are, one after the other, inside the caller's transaction. */
export function memoryWriter(db: Engine, { batch, now, room }: WriteContext) {
  const owners = ownerCache(db, batch);
  const created: IncomingMemory[] = [];
  const presentAt = (id: string) => db.writeConnection.query<Present, [string]>(BY_ID).get(id);
  const write = (incoming: IncomingMemory): ImportOutcome => {
    const own = { ...incoming.memory, id: idWithin(db, batch.tenant_id, "memories", incoming.memory.id) };
    const memory: StoredMemory = {
      ...own,
      id: idBeside({ ...incoming, memory: own }, presentAt),
      // What it supersedes, the findings tell that come after it.
      supersedes_id: null,
    };
    const itself = presentAt(memory.id);
    const present = itself ? outcomeBeside(itself, memory) : twinOf(db, memory, now);
    if (present) return present;
    if (created.length >= room) return refused("The tenant holds as many memories as it may.");
    const seq = insertOne(db, db.space, { memory, vectors: null, client_request_id: null }, owners(memory));
    putCheck(db, { seq, ...memory }, incoming);
    created.push({ ...incoming, memory });
    return { outcome: "created", id: memory.id, error: null };
  };
  const finish = (): readonly IncomingMemory[] => {
    changeUsage(db, batch.tenant_id, created.length);
    insertAudit(
      db,
      batch.actor,
      created.map(({ memory }) => memoryEvent(memory, now)),
    );
    return created;
  };
  return { write, finish };
}

/** What is there in place of a memory that holds now: a twin that does too. */
function twinOf(db: Engine, memory: StoredMemory, now: string): ImportOutcome | null {
  const { status, expires_at } = memory;
  const isLive = LIVE_STATUSES.includes(status) && (expires_at === null || expires_at > now);
  const [twin] = isLive ? liveDuplicates(db, memory, now) : [];
  return twin === undefined ? null : { outcome: "duplicate", id: twin, error: null };
}

const PUT_CHECK = `insert into memory_checks (memory_seq, content_hash, checked_at, embedded, former_status)
  values (?, ?, ?, ?, ?)`;

/** One that was compared counts as such, so that nothing is found of it a second time. */
function putCheck(
  db: Engine,
  row: StoredMemory & { readonly seq: number },
  { checked_at, former_status, claim }: IncomingMemory,
): void {
  if (checked_at === null && former_status === null) return;
  const hash = checked_at === null ? null : row.content_hash;
  db.writeConnection.query(PUT_CHECK).run(row.seq, hash, checked_at, checked_at === null ? 0 : 1, former_status);
  if (checked_at !== null) within(db, row.tenant_id, (work) => putClaim(work, row, claim));
}
