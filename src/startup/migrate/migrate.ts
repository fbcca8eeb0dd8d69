import { resolve } from "node:path";
import type { App } from "../../app.ts";
import type { Migrate, Migrated } from "../../cli/commands/migrate.ts";
import type { CommonOptions } from "../../cli/connect.ts";
import type { ProgressLine } from "../../cli/progress.ts";
import { progressLine } from "../../cli/progress.ts";
import { namingHolder, onceFree } from "../../cli/server/folder-holder.ts";
import { ConfigError } from "../../config/error.ts";
import type { Config } from "../../config/load.ts";
import { configOf } from "../../config/load.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { silentLogger } from "../../core/kernel/log.ts";
import { counted } from "../../core/kernel/text.ts";
import type { Ctx } from "../../core/ports/context.ts";
import { isTrial } from "../../core/schema/trial.ts";
import type { Env } from "../factory.ts";
import { configFor } from "../factory.ts";
import type { Overrides } from "../overrides.ts";
import { ownConfig, placeOf } from "../place.ts";
import type { Digest } from "./copy.ts";
import { copyTenant, createDigest, differing, digestOf } from "./copy.ts";
import { agreementOf, createQuestions, SEARCHES } from "./searches.ts";

/** Approximate indexes may miss one of ten now and then; more than that is no move. */
const AGREEMENT_MIN = 0.95;
/** How often it is told how many memories wait for their vectors. */
const TELL_MS = 1_000;

/** What is moved, and what a test brings to either side. */
export interface Move {
  readonly from: Config;
  readonly to: Config;
  readonly overrides?: { readonly from: Overrides; readonly to: Overrides };
}

/** `cairn migrate` as the environment says. */
export const createMigrate =
  (env: Env): Migrate =>
  async (options: CommonOptions, to: string) => {
    const config = sourceOf(await configFor(env, options), options);
    return migrate({ from: ownConfig(config), to: targetOf(config, to) });
  };

/** The settings of the place that is moved from: a folder that a flag names, whatever database a variable or the config file does. */
export function sourceOf(config: Config, { data }: Pick<CommonOptions, "data">): Config {
  if (data === undefined) return config;
  const { database_url: _database, ...others } = config;
  return others;
}

/** The settings of the place that is moved to. Throws ConfigError where it is the same. */
export function targetOf(config: Config, to: string): Config {
  const isDatabase = /^postgres(?:ql)?:\/\//.test(to);
  const { cache, embedder, models, memories_limit, documents_limit, database_connections } = config;
  const target = configOf({
    ...{ standalone: true, cache, embedder, models, memories_limit, documents_limit, database_connections },
    ...(isDatabase ? { data: config.data, database_url: to } : { data: resolve(to) }),
  });
  if (sayPlace(target) === sayPlace(config))
    throw new ConfigError(
      `The data is in ${sayPlace(target)} already: name another place with --to, or with --data the folder to move from.`,
    );
  return target;
}

const sayPlace = (config: Config): string => placeOf(config).database ?? resolve(config.data);

/** Moves everything. Throws AppError CONFLICT where the target holds something, or both sides do not agree in the end. */
export async function migrate({ from, to, overrides }: Move): Promise<Migrated> {
  const progress = progressLine("migrate");
  const source = await open(from, overrides?.from);
  try {
    const target = await open(to, overrides?.to);
    try {
      const moved = await moveAll({ source, target, progress });
      return { from: sayPlace(from), to: sayPlace(to), ...moved };
    } finally {
      await target.stop();
    }
  } finally {
    progress.end();
    await source.stop();
  }
}

/** Opens a side without running its jobs: what waits there is left to its server. */
async function open(config: Config, overrides: Overrides = {}): Promise<App> {
  const { createApp } = await import("../../app.ts");
  const { data } = config;
  return onceFree(data, () => namingHolder(data, () => createApp(config, silentLogger, overrides)));
}

interface Sides {
  readonly source: App;
  readonly target: App;
  readonly progress: ProgressLine;
}

async function moveAll(sides: Sides): Promise<Omit<Migrated, "from" | "to">> {
  const { source, target, progress } = sides;
  await requireReady(sides);
  const tenants = (await source.services.storage.transfer.tenants()).filter((tenant_id) => !isTrial(tenant_id));
  const questions = createQuestions();
  const digests = new Map<string, Digest>();
  for (const [i, tenant_id] of tenants.entries()) {
    progress.show({ now: `tenant ${tenant_id}`, done: i, total: tenants.length });
    const digest = createDigest();
    digests.set(tenant_id, digest);
    const untaken = await copyTenant([within(source, tenant_id), within(target, tenant_id)], tenant_id, (record) => {
      digest.add(record);
      questions.pass(tenant_id, record);
    });
    const [first] = untaken;
    if (first)
      throw failed(
        `${untaken.length} records of tenant ${tenant_id} were not taken, the first a ${first.kind}: ${first.why}`,
      );
  }
  await readAll(sides);
  for (const [tenant_id, digest] of digests) {
    const kinds = differing(digest, await digestOf(within(target, tenant_id), tenant_id));
    if (kinds.length > 0) throw failed(`Of tenant ${tenant_id} these records differ: ${kinds.join(", ")}`);
  }
  progress.show({ now: "searches", done: 0, total: SEARCHES });
  const asked = questions.all.slice(0, SEARCHES);
  const agreement = await agreementOf((tenant_id) => [within(source, tenant_id), within(target, tenant_id)], asked);
  if (agreement < AGREEMENT_MIN)
    throw failed(`Of ${asked.length} searches only ${Math.floor(agreement * 100)} % of the first ten agree`);
  return { tenants: tenants.length, counts: totalOf(digests.values()), searches: asked.length, agreement };
}

/** Throws AppError CONFLICT unless the source has no work left, and the target is empty and reads with the same model. */
async function requireReady({ source, target }: Sides): Promise<void> {
  if ((await target.services.storage.transfer.tenants()).length > 0)
    throw new AppError("CONFLICT", "The target holds something already. Name an empty database, or a new folder.");
  const [ours, theirs] = [await source.services.reembedding.state(), await target.services.reembedding.state()];
  if (ours.embedder_id !== theirs.embedder_id)
    throw new AppError(
      "CONFLICT",
      `The source is read by ${ours.model}, the target would be by ${theirs.model}. Run \`cairn reembed --model ${theirs.model}\` on the source first, and \`cairn reembed --model ${ours.model}\` on the target afterwards.`,
    );
  const { storage, clock } = source.services;
  const { understanding_pending } = await storage.jobs.tally(clock.now(), null);
  const left = understanding_pending + (await storage.memories.countAllPending());
  if (left > 0)
    throw new AppError(
      "CONFLICT",
      `${counted(left, "memory", "memories")} of the source must be read first. Start its server, and move once \`cairn status\` says that none waits.`,
    );
}

/** Has everything of the target read by its models. */
async function readAll({ target, progress }: Sides): Promise<void> {
  const { storage } = target.services;
  const total = await storage.memories.countAllPending();
  const tell = setInterval(() => {
    const told = storage.memories.countAllPending().then((left) => {
      progress.show({ now: "vectors", done: total - left, total });
    });
    told.catch(() => {});
  }, TELL_MS);
  try {
    await target.services.embedder.ready();
    await target.runner.drain();
  } finally {
    clearInterval(tell);
  }
  const left = await storage.memories.countAllPending();
  if (left > 0) throw failed(`${counted(left, "memory", "memories")} could not be read by the model`);
}

/** What a verb receives when the owner calls for a tenant. */
const within = ({ services }: App, tenant_id: string): Ctx => ({
  ...services,
  door: "http",
  principal: {
    tenant_id,
    agent_id: null,
    fleet_id: null,
    trust: 3,
    admin: true,
    owner: true,
    account: true,
    auth_source: "standalone",
  },
});

function totalOf(digests: Iterable<Digest>): Record<string, number> {
  const total: Record<string, number> = {};
  for (const { counts } of digests)
    for (const [kind, count] of Object.entries(counts)) total[kind] = (total[kind] ?? 0) + count;
  return total;
}

const failed = (why: string): AppError =>
  new AppError("CONFLICT", `${why}. Nothing was changed in the source; empty the target before you try again.`);
