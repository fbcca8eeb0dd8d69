import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { reviews } from "../../src/storage/sqlite/migrations/after-0.1.0/reviews.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../src/storage/sqlite/migrations/migrate.ts";
import { SPACE } from "../support/builders.ts";

const STEPS = migrations(SPACE);

test("of what callers undid in a file of before, the last finding of a pair of texts counts as decided", () => {
  const db = connect(null, vectorExtensionPath(tmpdir())).writeConnection;
  migrate(db, STEPS.slice(0, STEPS.indexOf(reviews)));
  db.exec(`
    insert into agents (tenant_id, agent_id, created_at, updated_at) values ('acme', 'ada', '', '');
    insert into audiences (tenant_id, kind, owner) values ('acme', 'scope_team', '');`);
  const memory =
    db.query(`insert into memories (id, tenant_id, agent_id, author, audience, memory_type, content, weight, entity_links,
      content_hash, created_at, status, visibility, recall_count)
    values (?, 'acme', 'ada', 1, 1, 'fact', '', 1, '[]', '', '', 'active', 'scope_team', 0)`);
  for (const id of ["a", "b", "c"]) memory.run(id);
  const finding =
    db.query(`insert into findings (newer_seq, older_seq, newer_hash, older_hash, status, rule, confidence, newer_start,
      newer_end, older_start, older_end, created_at, retracted_at, retracted_why)
    values (?, ?, ?, '', 'outdated', '', 1, 0, 0, 0, 0, '', ?, ?)`);
  const [once, twice] = ["2026-01-01", "2026-01-02"];
  finding.run(2, 1, "first text", once, "undone");
  finding.run(2, 1, "first text", twice, "undone");
  finding.run(2, 1, "second text", twice, "undone");
  finding.run(3, 1, "", once, "undone");
  finding.run(3, 1, "", null, null);
  finding.run(3, 2, "", once, "changed");
  migrate(db, STEPS);
  expect(db.query("select tenant_id, review, reviewed_at from findings order by id").values()).toEqual([
    ["acme", null, null],
    ["acme", "both_stand", twice],
    ["acme", "both_stand", twice],
    ["acme", null, null],
    ["acme", null, null],
    ["acme", null, null],
  ]);
  db.close();
});
