import type { IntegrityCheck } from "../../schema/integrity.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Connections } from "./connection.ts";
import { ENTITY_FAULTS } from "./entity-integrity.ts";

/** Faults of the file itself that are named. */
const FAULTS_NAMED = 10;

/** How many live rows each set of readers has. */
export const STORED_BY_READERS =
  "select audience, count(*) as stored from memories where deleted_at is null group by audience";

/** What must hold between rows and indexes, each as a count of the rows for which it does not; `?` is the embedder's id. */
const COUNTED: readonly { readonly name: string; readonly detail: string; readonly faults: string }[] = [
  {
    name: "memory keywords",
    detail: "memories that keyword search cannot find, and words of memories that are gone",
    faults: `select
      (select count(*) from memories where deleted_at is null and words_row not in (select id from memory_words_docsize))
      + (select count(*) from memory_words_docsize where id not in (select words_row from memories where deleted_at is null)) as n`,
  },
  {
    name: "memory vectors",
    detail: "memories that count as embedded and have no vector",
    faults: `select count(*) as n from memories where deleted_at is null and embedded_by = ?
      and seq not in (select seq from memory_vectors where embedder_id = memories.embedded_by)`,
  },
  {
    name: "memory vector index",
    detail: "vectors that search cannot find, and entries of memories that are gone",
    faults: `select
      (select count(*) from memory_vectors v join memories m on m.seq = v.seq
        where m.deleted_at is null and v.embedder_id = ? and v.seq not in (select seq from memory_codes where seq > 0))
      + (select count(*) from memory_codes where seq > 0
        and seq not in (select seq from memories where deleted_at is null)) as n`,
  },
  {
    name: "document keywords",
    detail: "documents that keyword search cannot find, and words of documents that are gone",
    faults: `select
      (select count(*) from documents where summary is not null and seq not in (select id from document_words_docsize))
      + (select count(*) from document_words_docsize
        where id not in (select seq from documents where summary is not null)) as n`,
  },
  {
    name: "document vector index",
    detail: "documents that count as embedded and that search cannot find, and entries of documents that are gone",
    faults: `select
      (select count(*) from documents where summary is not null and embedded_by = ?
        and seq not in (select seq from document_codes))
      + (select count(*) from document_codes where seq not in (select seq from documents where summary is not null)) as n`,
  },
  {
    name: "entities",
    detail: "memories that are not found under the entities that they name, and wrong counts of them",
    faults: ENTITY_FAULTS,
  },
  {
    name: "detector",
    detail: "memories demoted or linked without a finding, and claims of memories that are gone",
    faults: `select
      (select count(*) from memory_checks where former_status is not null
        and memory_seq not in (select older_seq from findings where retracted_at is null))
      + (select count(*) from memories m where supersedes_id is not null and deleted_at is null and not exists (
        select 1 from findings f join memories older on older.seq = f.older_seq
        where f.newer_seq = m.seq and f.retracted_at is null and older.id = m.supersedes_id))
      + (select count(*) from memory_claims
        where memory_seq not in (select seq from memories where deleted_at is null)) as n`,
  },
  {
    name: "reading",
    detail: "memories that were never read for what they claim, and that no job will read",
    faults: `select count(*) as n from memories m where deleted_at is null
      and not exists (select 1 from memory_checks c where c.memory_seq = m.seq and c.content_hash = m.content_hash)
      and id not in (select value from jobs, json_each(jobs.payload, '$.memory_ids') where kind = 'understand_memories')`,
  },
  {
    name: "second readings",
    detail: "documents that count as read twice and are not, and readings that belong to no such document",
    faults: `select
      (select count(*) from documents where paraphrased_by is not null
        and (seq, paraphrased_by) not in (select seq, embedder_id from document_paraphrases))
      + (select count(*) from document_paraphrases where (seq, embedder_id) not in
        (select seq, paraphrased_by from documents where paraphrased_by is not null)) as n`,
  },
  {
    name: "usage",
    detail: "tenants, and sets of readers, whose count of memories is wrong",
    faults: `select
      (select count(*) from tenant_usage u where memories_stored <>
        (select count(*) from memories m where m.tenant_id = u.tenant_id and m.deleted_at is null))
      + (select count(*) from audience_rows r left join (${STORED_BY_READERS}) c using (audience)
        where r.stored <> coalesce(c.stored, 0))
      + (select count(*) from (${STORED_BY_READERS}) where audience not in (select audience from audience_rows)) as n`,
  },
];

/** Checks the file, its references, the keyword indexes from within, and all indexes against their rows. */
export function inspectIndexes(at: Connections, space: EmbedderSpace): IntegrityCheck[] {
  return [checkFile(at), checkReferences(at), checkWords(at, "memory_words"), checkWords(at, "document_words")].concat(
    COUNTED.map(({ name, detail, faults }) => {
      const values = faults.includes("?") ? [space.id] : [];
      return counted(name, detail, at.writer.query<{ n: number }, string[]>(faults).get(...values)?.n ?? 0);
    }),
  );
}

const counted = (name: string, detail: string, faults: number): IntegrityCheck => ({
  name,
  ok: faults === 0,
  faults,
  detail: faults === 0 ? "as it should be" : detail,
});

function checkFile(at: Connections): IntegrityCheck {
  const found = at.writer
    .query<{ integrity_check: string }, []>(`pragma integrity_check(${FAULTS_NAMED})`)
    .all()
    .map((row) => row.integrity_check)
    .filter((line) => line !== "ok");
  return counted("data file", found.join("; "), found.length);
}

function checkReferences(at: Connections): IntegrityCheck {
  const found = at.writer.query<{ table: string }, []>("pragma foreign_key_check").all();
  return counted("references", `rows of ${found.map(({ table }) => table).join(", ")}`, found.length);
}

/** A damaged keyword index passes SQLite's own check of the file; only the index can tell. */
function checkWords(at: Connections, table: "memory_words" | "document_words"): IntegrityCheck {
  const name = `${table} from within`;
  try {
    at.writer.query(`insert into ${table} (${table}) values ('integrity-check')`).run();
    return counted(name, "", 0);
  } catch (error) {
    return counted(name, error instanceof Error ? error.message : String(error), 1);
  }
}
