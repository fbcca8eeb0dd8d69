import type { Files } from "../cli/commands/integrity.ts";
import type { CommonOptions } from "../cli/connect.ts";
import { describeSalvage } from "../cli/integrity.ts";
import { print, printError } from "../cli/print.ts";
import { liveServer, lockedFile, namingHolder, onceFree } from "../cli/server/folder-holder.ts";
import { ConfigError } from "../config/error.ts";
import type { Config } from "../config/load.ts";
import { systemClock, toTimestamp } from "../core/kernel/clock.ts";
import { describeCause } from "../core/kernel/log.ts";
import { shown, shownOnOneLine } from "../core/kernel/quoting/unseen.ts";
import type { Env } from "./factory.ts";
import { configFor } from "./factory.ts";

/** A database costs most of what a command takes to start; those that only call a server need none. */
const openStorage = () => import("../storage/open.ts");
type Storage = Awaited<ReturnType<typeof openStorage>>;

/** What is done to the files of a data folder before it is checked or rebuilt. */
export const createFiles = (env: Env): Files => ({
  async requireData(options) {
    const { data, database_url } = await configFor(env, options);
    if (database_url !== undefined) return;
    const { holdsData } = await openStorage();
    if (!holdsData(data)) throw new ConfigError(`There is no data of Cairn in ${data}. Name its folder with --data.`);
  },
  async mend(options: CommonOptions) {
    const config = await configFor(env, options);
    // Its own server sees to what lies on its disk.
    if (config.database_url !== undefined) return;
    const storage = await openStorage();
    if (await salvage(config, storage)) compact(config, storage);
  },
});

/**
 * A server that uses the folder cannot have its data file taken away; it says itself what is damaged.
 * Returns whether no server has it. Throws AppError.
 */
async function salvage({ data, cache }: Config, { salvageStorage }: Storage): Promise<boolean> {
  const stamp = toTimestamp(systemClock.now()).replace(/\D/g, "").slice(0, 14);
  try {
    const salvaged = await onceFree(data, () =>
      namingHolder(data, () => salvageStorage({ folder: data, cacheDir: cache, stamp })),
    );
    if (salvaged) print(shown(describeSalvage(salvaged)));
    return true;
  } catch (error) {
    if (lockedFile(error) === null || !liveServer(data)) throw error;
    return false;
  }
}

/** The indexes can be rebuilt without it. */
function compact({ data }: Config, { compactStorage }: Storage): void {
  try {
    compactStorage(data);
  } catch (error) {
    printError(`What was deleted long ago may still be in the data file. ${shownOnOneLine(describeCause(error))}\n`);
  }
}
