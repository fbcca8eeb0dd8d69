import { tmpdir } from "node:os";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import type { Engine } from "../../src/storage/sqlite/engine/connection.ts";
import { connect, NOTHING_AROUND } from "../../src/storage/sqlite/engine/connection.ts";
import { groupCommits } from "../../src/storage/sqlite/engine/group-commit.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../src/storage/sqlite/migrations/migrate.ts";
import { SPACE } from "./builders.ts";

/** An empty store that tells how SQLite would go about what it is asked. */
export interface PlannedStore {
  readonly at: Engine;
  /** Does it, and returns the plan of every statement of it that holds the text. */
  plansOf(act: () => unknown, text: string): Promise<string[]>;
}

export function openPlanned(): PlannedStore {
  const grouped = groupCommits(connect(null, vectorExtensionPath(tmpdir())), NOTHING_AROUND, () => performance.now());
  const db = Object.assign(grouped, { policies: storagePolicies, space: SPACE });
  migrate(db.writeConnection, migrations(SPACE));
  const prepared: string[] = [];
  const prepare = db.writeConnection.prepare.bind(db.writeConnection);
  db.writeConnection.prepare = (...[sql, ...more]: Parameters<typeof prepare>) => {
    prepared.push(sql);
    return prepare(sql, ...more);
  };
  const query = db.writeConnection.query.bind(db.writeConnection);
  db.writeConnection.query = (sql: string) => {
    prepared.push(sql);
    return query(sql);
  };
  const planOf = (sql: string) =>
    query<{ detail: string }, []>(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join("\n");
  return {
    at: db,
    plansOf: async (act, text) => {
      prepared.length = 0;
      await act();
      return prepared.filter((sql) => sql.includes(text)).map(planOf);
    },
  };
}
