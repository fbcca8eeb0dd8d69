import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { BackupFiles, VerifiedBackup } from "../cli/commands/backup.ts";
import { liveServer, namingHolder, onceFree } from "../cli/server/folder-holder.ts";
import type { Config } from "../config/load.ts";
import { configOf } from "../config/load.ts";
import { systemClock, toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import { silentLogger } from "../core/kernel/log.ts";
import { IntegrityReport } from "../core/schema/integrity.ts";
import type { Env } from "./factory.ts";
import { configFor } from "./factory.ts";

const openStorage = () => import("../storage/open.ts");

/** What commands do with backups in files, whether a server runs or not. */
export const createBackupFiles = (env: Env): BackupFiles => ({
  async verify(options, file) {
    const config = await configFor(env, options);
    const folder = mkdtempSync(join(tmpdir(), "cairn-verify-"));
    try {
      const { readBackupFile, restoreStorage } = await openStorage();
      const { brought } = await restoreStorage({ file, folder, stamp: "verify", cacheDir: config.cache });
      const { bytes, manifest } = readBackupFile(file);
      const checks = await look(folder, config);
      return { backup: { file, bytes, manifest }, brought, ok: checks.every(({ ok }) => ok), checks };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  async restore(options, file) {
    const { data, database_url, cache } = await configFor(env, options);
    if (database_url !== undefined)
      throw new AppError(
        "CONFLICT",
        "A database keeps the data, and a backup is of a folder. Put back what pg_dump wrote with pg_restore, or leave out CAIRN_DATABASE_URL.",
      );
    const { restoreStorage } = await openStorage();
    const running = liveServer(data);
    if (running)
      throw new AppError(
        "UNAVAILABLE",
        `A server uses ${data} (process ${running.pid}). Stop it first with \`cairn stop\`, or name another folder with --data.`,
      );
    const stamp = toTimestamp(systemClock.now()).slice(0, 19).replaceAll(":", "-");
    const { kept, brought, manifest } = await onceFree(data, () =>
      namingHolder(data, () => restoreStorage({ file, folder: data, stamp, cacheDir: cache })),
    );
    return { folder: data, kept, brought, backup: { manifest } };
  },
});

const Newest = z.object({ items: z.array(z.object({ id: z.string(), content: z.string() })) });
/** What of a row is asked for. */
const QUESTION_LENGTH = 200;

/** Opens a folder as a server would, checks everything in it and searches for its newest memory. */
async function look(folder: string, { cache, embedder, models }: Config): Promise<VerifiedBackup["checks"]> {
  const { createApp } = await import("../app.ts");
  const app = await createApp(configOf({ standalone: true, data: folder, cache, embedder, models }), silentLogger);
  try {
    const report = IntegrityReport.parse(await app.call("GET", "/api/v1/integrity"));
    const checks = report.checks.map(({ name, ok, detail }) => ({ name, ok, detail }));
    const tenant_id = "default";
    const { items } = Newest.parse(await app.call("GET", `/api/v1/memories?tenant_id=${tenant_id}&limit=1`));
    const [newest] = items;
    if (!newest) return checks;
    const query = newest.content.slice(0, QUESTION_LENGTH);
    const found = Newest.parse(await app.call("POST", "/api/v1/search", { tenant_id, query, top_k: 10 }));
    const ok = found.items.some(({ id }) => id === newest.id);
    return [...checks, { name: "search", ok, detail: ok ? "finds the newest memory" : `does not find ${newest.id}` }];
  } finally {
    await app.stop();
  }
}
