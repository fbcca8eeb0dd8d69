import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeFile, extractFiles, placeForLibraries } from "../../../src/core/kernel/files/embedded-files.ts";
import { aFolder, cleanUp } from "../server.ts";
import type { SmallDisk } from "../small-disk.ts";
import { mayMount, smallDisk } from "../small-disk.ts";

const library = () => {
  const path = join(aFolder(), "library.so");
  writeFileSync(path, "native code");
  return describeFile(path);
};
afterEach(cleanUp);

describe.skipIf(!mayMount)("native libraries", () => {
  let disk: SmallDisk;
  let home: string;
  beforeEach(() => {
    const mounted = smallDisk(1);
    if (!mounted) throw new Error("This machine let a test mount a moment ago.");
    disk = mounted;
    home = join(disk.path, "cache");
    mkdirSync(home);
  });
  afterEach(() => disk.remove());
  const remount = (options: string) =>
    expect(Bun.spawnSync(["mount", "-o", `remount,${options}`, disk.path]).success).toBe(true);

  for (const options of ["ro", "noexec"]) {
    test(`go into the data folder where the cache is mounted ${options}, and leave no probe`, () => {
      remount(options);
      const data = join(aFolder(), "native");
      expect(placeForLibraries([home, data])).toBe(data);
      expect([readdirSync(home), readdirSync(data)]).toEqual([[], []]);
      expect(statSync(data).mode & 0o777).toBe(0o700);
    });

    test(`are never used from a folder mounted ${options}`, () => {
      remount(options);
      const found = extractFiles("lib", [library()], home);
      expect(found).toStartWith(tmpdir());
      expect(readFileSync(join(found, "library.so"), "utf8")).toBe("native code");
    });
  }

  test("that are on a read-only file system already are used as they are", () => {
    const file = library();
    const unpacked = extractFiles("lib", [file], home);
    remount("ro");
    expect(extractFiles("lib", [file], home)).toBe(unpacked);
  });

  test("that can be unpacked nowhere stop the start, saying what is wrong with each place and what helps", () => {
    remount("noexec");
    const program = `
      import { describeFile, extractFiles } from "./src/core/kernel/files/embedded-files.ts";
      try { extractFiles("lib", [describeFile(process.argv[1])], ${JSON.stringify(home)}); console.log("unpacked"); }
      catch (error) { console.log(error.code, error.message); }`;
    const env = { PATH: process.env.PATH ?? "", TMPDIR: disk.path };
    const { stdout } = Bun.spawnSync([process.execPath, "--eval", program, library().path], { env });
    const said = stdout.toString();
    expect(said).toMatch(/^UNAVAILABLE The native libraries of Cairn cannot be unpacked: /);
    expect(said.match(/noexec\)/g)?.length).toBe(2);
    expect(said).toMatch(/--cache or CAIRN_CACHE/);
  });
});
