import { STANDALONE_TENANT } from "./access/resolve.ts";
import { openLlm } from "./ai/llm/open.ts";
import type { CallLocal, StreamLocal } from "./cli/call.ts";
import { callThrough, streamThrough } from "./cli/call.ts";
import { announceServer } from "./cli/server/local.ts";
import { limitsOf } from "./config/limits.ts";
import type { Config } from "./config/load.ts";
import { manyValuedPredicates } from "./conflicts/triple.ts";
import { systemClock } from "./core/kernel/clock.ts";
import { onIdle } from "./core/kernel/idle.ts";
import type { Logger } from "./core/kernel/log.ts";
import { onceAMinute } from "./core/kernel/log-once.ts";
import type { Services } from "./core/ports/context.ts";
import type { Models } from "./core/ports/keeping/reembedding.ts";
import type { Storage } from "./core/ports/storage.ts";
import { searchableText } from "./documents/searchable.ts";
import { askedHere } from "./http/guard/own-user.ts";
import { operations } from "./http/routes/all.ts";
import { createServer } from "./http/server.ts";
import { createAfterReply } from "./jobs/after-reply.ts";
import { createReembedding } from "./jobs/reembed/reembedding.ts";
import type { Runner } from "./jobs/runner.ts";
import { createRunner } from "./jobs/runner.ts";
import { threadScanner } from "./skills/scan/scanner.ts";
import {
  BACKGROUND_JOBS_DELAY_MS,
  continueJobs,
  releaseMemory,
  startBackgroundJobs,
} from "./startup/background-jobs.ts";
import { findData } from "./startup/data-place.ts";
import { lazyMcp, lazyToolTexts } from "./startup/lazy-mcp.ts";
import { createListening } from "./startup/listening/listening.ts";
import { createMeasures } from "./startup/measures.ts";
import { chosenModels, closeModels } from "./startup/models.ts";
import { createOpenConnections } from "./startup/open-connections.ts";
import type { Overrides } from "./startup/overrides.ts";
import { placeOf } from "./startup/place.ts";
import { identityRules, serverOptions } from "./startup/rules.ts";
import { createSearchThreads, defaultSearchThreads } from "./startup/search-threads/search-threads.ts";
import { createSnapshots } from "./startup/snapshots.ts";
import { storagePolicies } from "./startup/storage-policies.ts";
import type { StorageOptions } from "./storage/options.ts";
import { redisBuckets } from "./storage/redis/token-buckets.ts";
import { createBackupRuns } from "./system/backup-runs.ts";
import { createIndexMaintenance } from "./system/index-maintenance.ts";
import { createChanges } from "./system/observing/changes.ts";
import { createRecentLog } from "./system/observing/recent-log.ts";

/** How long threads are kept that search by the model of before. */
const GRACE_MS = 10_000;
/** What calls within this process are addressed to. */
const ORIGIN = "http://localhost";

export interface App {
  readonly services: Services;
  readonly runner: Runner;
  /** Answers a request without a socket. */
  handle(request: Request): Promise<Response>;
  /** Resolves once the model that answers is known to be sound. Throws AppError BAD_REQUEST. */
  soundModel(): Promise<void>;
  /** Calls an operation as the owner of this machine. */
  readonly call: CallLocal;
  /** The same for operations whose reply is JSON Lines. */
  readonly stream: StreamLocal;
  /** Listens and starts the job loop. Throws when the address is taken. */
  listen(): { readonly url: string; readonly port: number };
  /** Stops accepting, finishes what runs, checkpoints, closes. Safe to call twice. */
  stop(): Promise<void>;
}

/** Wires the parts together: the only place that names concrete adapters. Throws AppError, ConfigError. */
export async function createApp(config: Config, logger: Logger, overrides: Overrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock;
  const recentLog = createRecentLog(clock);
  const log = onceAMinute(recentLog.keeping(logger), clock);
  const changes = createChanges();
  /** What is done to the whole concerns the owner of the machine. */
  const maintenance = () =>
    createIndexMaintenance(clock, (tenant_id) => changes.publish(tenant_id ?? STANDALONE_TENANT, ["jobs"]));
  const place = await findData(config, overrides);
  const models = await orClose(place, () => chosenModels(config, overrides, place.answering));
  const { embedder, judge } = models;
  let answering: Models = models;
  const opened = new Set<Models>([models]);
  const llm = overrides.llm ?? openLlm(config);
  const { id, dimensions, center } = embedder;
  const search_threads = config.search_threads ?? defaultSearchThreads();
  const options: StorageOptions = {
    folder: place.folder,
    clock,
    log,
    space: { id, dimensions, center },
    textOf: searchableText,
    policies: storagePolicies,
    search_threads,
    vector_extension: config.vector_extension,
    cacheDir: config.cache,
  };
  // When it cannot be opened, the models do not keep the process alive.
  const storage = await orClose({ close: () => closeModels([models]) }, () => place.open(options));
  let searchThreads = createSearchThreads(() => services, search_threads);
  const retired = new Set<typeof searchThreads>();
  const shared = config.redis_url === undefined ? null : redisBuckets(config.redis_url);
  const connections = createOpenConnections(config.connections_limit, log, () => {
    const { keyless, any_local_user } = services.identity;
    return keyless && !any_local_user;
  });
  const local_token = crypto.randomUUID();
  const afterReply = createAfterReply(log);
  /** Has everything answered by other models; what has begun ends as it began. */
  const take = (next: Models, nextStorage: Storage) => {
    const before = searchThreads;
    answering = next;
    opened.add(next);
    searchThreads = createSearchThreads(() => services, search_threads);
    const { name: _name, ...readers } = next;
    for (const some of [services, ofJobs]) Object.assign(some, { ...readers, storage: nextStorage, searchThreads });
    searchThreads.startSoon();
    retired.add(before);
    setTimeout(before.close, GRACE_MS).unref();
  };
  const reembedding = createReembedding({
    services: () => services,
    clock,
    names: models.names,
    current: () => answering,
    another: models.another,
    take,
  });
  const services: Services = {
    clock,
    log,
    storage,
    embedder,
    llm,
    judge,
    manyValued: manyValuedPredicates(config.many_valued_predicates),
    shared,
    searchThreads,
    indexMaintenance: maintenance(),
    reembedding,
    backupRuns: createBackupRuns(clock, log, () => changes.publish(STANDALONE_TENANT, ["backups"])),
    snapshots: createSnapshots({
      clock,
      storage: () => services.storage,
      exchange: useStorage,
      drain: afterReply.drain,
    }),
    changes,
    recentLog,
    scanner: overrides.scanner ?? threadScanner(),
    limits: { ...limitsOf(config), connections_limit: connections.limit },
    standalone: config.standalone,
    identity: identityRules(config, local_token),
    started_at: clock.now(),
    ...createMeasures(clock),
    jobsHealthy: () => runner.healthy(),
    toolTexts: lazyToolTexts,
    afterReply: afterReply.add,
  };
  // Each loop has the storage that it began with, or that of another model since.
  let ofJobs: Services = { ...services };
  let runner = createRunner(ofJobs, overrides);
  storage.onJobAdded(() => runner.nudge());
  let jobsRun = false;
  const startJobs = () => {
    jobsRun = true;
    void startBackgroundJobs(services, runner);
  };
  /** After everything was put back: whoever has begun something keeps the storage of before, which refuses him. */
  function useStorage(restored: Storage): void {
    runner.abandon();
    Object.assign(services, { storage: restored, indexMaintenance: maintenance() });
    ofJobs = { ...services };
    runner = createRunner(ofJobs, { ...overrides, timesHold: true });
    restored.onJobAdded(() => runner.nudge());
    if (jobsRun) void continueJobs(services, runner);
  }
  const asOwner = { "X-API-Key": local_token };
  const listening = createListening(config, connections);
  const server = createServer(services, operations, {
    ...serverOptions(config),
    consolePort: listening.consolePort,
    mcp: overrides.mcp ?? lazyMcp(),
    crowd: connections,
    requestLimitMs: overrides.requestLimitMs,
    streamTimes: overrides.streamTimes,
  });
  let withdraw = () => {};
  let endRests = () => {};
  let later: ReturnType<typeof setTimeout> | undefined;
  let stopped: Promise<void> | null = null;
  return {
    services,
    get runner() {
      return runner;
    },
    handle: (request) => server.handle(askedHere(request)),
    soundModel: models.sound,
    call: callThrough(ORIGIN, asOwner, (request) => server.handle(request)),
    stream: streamThrough(ORIGIN, asOwner, (request) => server.handle(request)),
    listen: () => {
      const { port, url } = listening.start(server);
      endRests = onIdle(() => void releaseMemory(services));
      // While nothing can be written, no job runs and nobody can be told.
      storage.whenWritable(() => {
        later = setTimeout(startJobs, BACKGROUND_JOBS_DELAY_MS);
        searchThreads.startSoon();
        if (!config.ephemeral)
          withdraw = announceServer(placeOf(config), { url, pid: process.pid, token: local_token });
      });
      return { port, url };
    },
    stop: () => {
      stopped ??= (async () => {
        withdraw();
        clearTimeout(later);
        endRests();
        // Else they would be waited for.
        changes.close();
        // Whoever waits for it gets an answer without it, so that the server can stop.
        llm?.close();
        await listening.stop();
        // First, since it may begin other threads.
        await reembedding.stop();
        await Promise.all([searchThreads, ...retired].map((one) => one.close()));
        await runner.stop();
        await afterReply.drain();
        services.scanner.close();
        shared?.close();
        await closeModels(opened);
        await services.storage.close();
      })();
      return stopped;
    },
  };
}

/** Takes a step; when it fails, what was opened before is closed. */
async function orClose<T>(opened: { close(): Promise<void> }, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    void opened.close();
    throw error;
  }
}
