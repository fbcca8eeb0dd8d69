import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aFolder, CAIRN, cleanUp } from "../../fault/server.ts";
import { as, folderOf, hasUsers, NEIGHBOUR, run, VICTIM } from "../neighbours/users.ts";

// Who owns the folder that a backup goes to may take away and put there what he likes, while it is written.

/** Against a hang alone. */
setDefaultTimeout(120_000);
afterAll(cleanUp);

const TEXT = "The harbour office opens at seven.";

/** What the owner of a folder does for as long as it is tried: a folder of somebody else's is taken for one of his own. */
const TAKES_FOLDERS = `
  import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
  const [, folder] = process.argv;
  const uid = process.geteuid();
  process.umask(0);
  writeFileSync(folder + "/ready", "");
  while (existsSync(folder + "/ready")) {
    for (const name of readdirSync(folder)) {
      try {
        const path = folder + "/" + name;
        const found = lstatSync(path);
        if (!found.isDirectory() || found.uid === uid || name.endsWith(".taken")) continue;
        renameSync(path, path + ".taken");
        mkdirSync(path, { mode: 0o777 });
        writeFileSync(path + "/copy.db", "", { mode: 0o666 });
      } catch {}
    }
  }`;

describe.skipIf(!hasUsers)("a backup into a folder that a neighbour owns", () => {
  let home: string;
  let theirs: string;
  let neighbour: Bun.Subprocess | null = null;
  beforeEach(() => {
    home = folderOf(VICTIM);
    theirs = folderOf(NEIGHBOUR, 0o777);
    expect(run(home, ["add", TEXT, "--data", join(home, "data")])).toMatchObject({ code: 0 });
  });
  afterEach(async () => {
    run(home, ["stop", "--data", join(home, "data")]);
    neighbour?.kill();
    await neighbour?.exited;
  });

  const backUp = (place = theirs) => run(home, ["backup", place, "--data", join(home, "data"), "--json"]);

  test("puts no copy in clear there, nor anything that he could take for his own", async () => {
    neighbour = Bun.spawn(as(NEIGHBOUR, [process.execPath, "-e", TAKES_FOLDERS, theirs]), {
      cwd: theirs,
      env: { HOME: theirs, PATH: process.env.PATH },
    });
    while (!readdirSync(theirs).includes("ready")) await Bun.sleep(10);
    const replies = Array.from({ length: 5 }, () => backUp());
    rmSync(join(theirs, "ready"));
    await neighbour.exited;
    const there = readdirSync(theirs);
    expect(there.filter((name) => !name.endsWith(".db.zst"))).toEqual([]);
    expect(there).toHaveLength(replies.length);
    for (const name of there) {
      const { uid, mode } = statSync(join(theirs, name));
      expect([uid, mode & 0o777]).toEqual([VICTIM, 0o600]);
    }
    for (const { code, stdout } of replies)
      expect([code, JSON.parse(stdout).bytes]).toEqual([0, statSync(JSON.parse(stdout).file).size]);
    // Nothing of the work is left in the data folder either.
    expect(readdirSync(join(home, "data")).filter((name) => name.includes("backup"))).toEqual([]);
  });

  test("removes no tree, and goes through no link, in the place of what an ended process left", () => {
    const mine = folderOf(VICTIM);
    writeFileSync(join(mine, "copy.db"), "precious");
    for (const name of [
      ".a.db.zst-999999999-abcdef",
      ".cairn-backup-999999999-abcdef",
      ".cairn-backup-999999999-a.part",
    ])
      symlinkSync(mine, join(theirs, name));
    mkdirSync(join(theirs, ".b.db.zst-999999999-abcdef", "inner"), { recursive: true });
    expect(backUp()).toMatchObject({ code: 0 });
    expect(readFileSync(join(mine, "copy.db"), "utf8")).toBe("precious");
    expect(lstatSync(join(theirs, ".b.db.zst-999999999-abcdef", "inner")).isDirectory()).toBe(true);
  });

  test("clears away what an ended process of the same user left, whatever its release", async () => {
    const left = [".a.db.zst-999999999-abcdef", ".cairn-backup-999999999-abcdef", ".cairn-backup-999999999-a.part"];
    const [before = "", now = "", part = ""] = left.map((name) => join(theirs, name));
    const shell = `mkdir '${before}' '${now}'; touch '${before}/copy.db' '${before}/packed' '${now}/copy.db-journal' '${part}'`;
    expect(await Bun.spawn(as(VICTIM, ["sh", "-c", shell])).exited).toBe(0);
    expect(backUp()).toMatchObject({ code: 0 });
    expect(readdirSync(theirs)).toHaveLength(1);
  });

  test("by root, as in a container with a folder of its user, is written", () => {
    const data = join(aFolder(), "data");
    const words = ["backup", theirs, "--data", data, "--json"];
    const env = {
      HOME: data,
      PATH: process.env.PATH,
      CAIRN_EMBEDDER: "hash",
      CAIRN_PORT: "0",
      CAIRN_CACHE: join(data, "c"),
    };
    const { exitCode, stdout } = Bun.spawnSync([...CAIRN, ...words], { env, stdin: "ignore" });
    expect(exitCode).toBe(0);
    expect(statSync(JSON.parse(stdout.toString()).file).uid).toBe(0);
    Bun.spawnSync([...CAIRN, "stop", "--data", data], { env });
  });
});
