import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../src/core/kernel/clock.ts";
import { silentLogger } from "../../src/core/kernel/log.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import type { StoragePolicies } from "../../src/core/ports/storage-policies.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { openStorage } from "../../src/storage/open.ts";
import type { StorageOptions } from "../../src/storage/options.ts";
import { openThrough } from "../../src/storage/postgres/open.ts";
import { SPACE } from "../support/builders.ts";
import { openDatabase } from "../support/postgres/engine.ts";

/** A storage engine as the contract suite opens it: an empty store at each call, below a folder that the caller removes. */
export interface Engine {
  readonly name: string;
  open(clock: Clock, root: string, policies?: StoragePolicies): Promise<Storage>;
}

let folders = 0;

/** What storage is opened with. */
export const optionsOf = (folder: string | null, clock: Clock, policies: StoragePolicies): StorageOptions => ({
  folder,
  clock,
  log: silentLogger,
  space: SPACE,
  textOf: searchableText,
  policies,
  cacheDir: tmpdir(),
});

const sqlite = async (
  folder: string | null,
  clock: Clock,
  policies: StoragePolicies,
  vector_extension = true,
): Promise<Storage> => openStorage({ ...optionsOf(folder, clock, policies), vector_extension });

/** Every engine there is. Whoever adds one adds a line; the whole suite then runs over it. */
export const ENGINES: readonly Engine[] = [
  { name: "sqlite in memory", open: (clock, _, policies = storagePolicies) => sqlite(null, clock, policies) },
  {
    name: "sqlite in a folder",
    open: (clock, root, policies = storagePolicies) => sqlite(join(root, `store-${++folders}`), clock, policies),
  },
  {
    name: "sqlite in memory without its extension",
    open: (clock, _, policies = storagePolicies) => sqlite(null, clock, policies, false),
  },
  {
    name: "postgres",
    open: async (clock, _, policies = storagePolicies) =>
      openThrough(await openDatabase(), optionsOf(null, clock, policies)),
  },
];
