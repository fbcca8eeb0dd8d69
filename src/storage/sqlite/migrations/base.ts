import type { EmbedderSpace } from "../../options.ts";
import type { CodeStore } from "../vectors/code-tables.ts";
import { createCodes } from "../vectors/code-tables.ts";

/** Memories, documents, jobs, keys, audit and settings. */
export const base = (space: Pick<EmbedderSpace, "dimensions">, codes: CodeStore): string => `
  create table agents (
    seq integer primary key,
    tenant_id text not null,
    agent_id text not null,
    display_name text,
    fleet_id text,
    trust_level integer not null default 1,
    created_at text not null,
    updated_at text not null
  ) strict;
  create unique index agents_by_name on agents (tenant_id, agent_id);

  create table audiences (
    id integer primary key,
    tenant_id text not null,
    kind text not null,
    owner text not null
  ) strict;
  create unique index audiences_by_owner on audiences (tenant_id, kind, owner);

  create table memories (
    seq integer primary key,
    id text not null unique,
    tenant_id text not null,
    fleet_id text,
    agent_id text not null,
    author integer not null references agents (seq),
    audience integer not null references audiences (id),
    memory_type text not null,
    title text,
    content text not null,
    weight real not null,
    source_uri text,
    run_id text,
    previous_seq integer,
    metadata text,
    system_metadata text,
    entity_links text not null,
    content_hash text not null,
    client_request_id text,
    created_at text not null,
    expires_at text,
    deleted_at text,
    subject_entity_id text,
    predicate text,
    object_value text,
    ts_valid_start text,
    ts_valid_end text,
    status text not null,
    visibility text not null,
    recall_count integer not null,
    last_recalled_at text,
    supersedes_id text,
    embedded_by text
  ) strict;
  create index memories_by_time on memories (tenant_id, created_at, id);
  create index memories_by_status on memories (tenant_id, status);
  create index memories_by_author on memories (tenant_id, agent_id, created_at);
  create index memories_by_run on memories (tenant_id, run_id, audience, seq) where run_id is not null;
  create index memories_by_previous on memories (previous_seq) where previous_seq is not null;
  create index memories_pending on memories (tenant_id, embedded_by) where deleted_at is null;
  create unique index memories_by_hash on memories (tenant_id, content_hash, agent_id, visibility)
    where deleted_at is null;
  create unique index memories_by_request on memories (tenant_id, client_request_id)
    where client_request_id is not null;

  create virtual table memory_words using fts5(
    title, content,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  create virtual table memory_terms using fts5vocab(memory_words, row);

  create table memory_vectors (
    seq integer primary key references memories (seq),
    embedder_id text not null,
    vector blob not null,
    context blob
  ) strict;
  ${createCodes("memory_codes", space.dimensions, codes)}

  create table jobs (
    id integer primary key,
    kind text not null,
    payload text not null,
    run_after integer not null,
    attempt integer not null,
    last_error text
  ) strict;
  create index jobs_by_due on jobs (run_after);
  create index jobs_by_kind on jobs (kind);

  create table audit_log (
    id integer primary key,
    tenant_id text not null,
    at text not null,
    agent_id text,
    auth_source text not null,
    action text not null,
    target_id text not null,
    before text,
    after text,
    reason text
  ) strict;
  create index audit_by_target on audit_log (tenant_id, target_id);

  create table tenant_usage (tenant_id text primary key, memories_stored integer not null) strict;

  create table api_keys (
    id text primary key,
    key_hash text not null unique,
    key_prefix text not null,
    tenant_id text not null,
    agent_id text,
    fleet_id text,
    trust integer not null,
    admin integer not null,
    label text,
    created_at text not null,
    revoked_at text
  ) strict;
  create index api_keys_by_agent on api_keys (tenant_id, agent_id);

  create table kept_replies (
    tenant_id text not null,
    key text not null,
    request_hash text not null,
    status integer,
    body text,
    expires integer not null,
    primary key (tenant_id, key)
  ) strict;
  create index kept_replies_by_expiry on kept_replies (expires);

  create table documents (
    seq integer primary key,
    id text not null unique,
    tenant_id text not null,
    fleet_id text,
    collection text not null,
    doc_id text not null,
    data text not null,
    created_at text not null,
    updated_at text not null,
    summary text,
    embedded_by text
  ) strict;
  create unique index documents_by_key on documents (tenant_id, collection, doc_id);
  create index documents_by_change on documents (tenant_id, collection, updated_at, seq);
  create index documents_by_fleet on documents (tenant_id, fleet_id, collection);
  create table document_members (
    tenant_id text not null,
    collection text not null,
    name text not null,
    value text not null,
    rank integer not null,
    number real,
    text text,
    seq integer not null references documents (seq),
    primary key (tenant_id, collection, name, value, seq)
  ) strict, without rowid;
  create index document_members_by_row on document_members (seq);
  create virtual table document_words using fts5(
    summary, text,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  create table document_vectors (
    seq integer primary key references documents (seq),
    embedder_id text not null,
    vector blob not null
  ) strict;
  create table collections (id integer primary key, tenant_id text not null, name text not null) strict;
  create unique index collections_by_name on collections (tenant_id, name);
  ${createCodes("document_codes", space.dimensions, codes)}

  create table org_settings (tenant_id text primary key, tree text not null) strict;
  `;
