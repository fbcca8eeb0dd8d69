import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { EmbeddedFile } from "../../src/core/kernel/files/embedded-files.ts";
import { describeFile, extractFiles, placeForLibraries } from "../../src/core/kernel/files/embedded-files.ts";
import { isOnlyOursToChange, requireOnlyOursToChange } from "../../src/core/kernel/files/private-files.ts";
import { aFolder, CAIRN, cleanUp } from "../fault/server.ts";
import { isBinary } from "../support/app.ts";

// Code is loaded from where the executable unpacks its libraries: what lies there must be what it unpacked.

afterAll(cleanUp);

const CONTENT = "native code";
const EVIL = "naughty one";
const isRoot = process.geteuid?.() === 0;
/** Of nobody who runs anything here. */
const STRANGER = 65_534;

let cache: string;
let file: EmbeddedFile;
beforeEach(() => {
  const folder = aFolder();
  cache = join(folder, "cache");
  writeFileSync(join(folder, "library.so"), CONTENT);
  file = describeFile(join(folder, "library.so"));
});
const unpacked = () => extractFiles("lib", [file], cache);
const content = (folder: string) => readFileSync(join(folder, "library.so"), "utf8");

describe("a library in the cache", () => {
  test("of the right size and other content is replaced", () => {
    const folder = unpacked();
    writeFileSync(join(folder, "library.so"), EVIL);
    expect(content(unpacked())).toBe(CONTENT);
  });

  test("that was put in its place is replaced, also with the old times", () => {
    const folder = unpacked();
    const { atime, mtime } = statSync(join(folder, "library.so"));
    const evil = join(folder, "evil");
    writeFileSync(evil, EVIL, { mode: 0o700 });
    Bun.spawnSync(["touch", "-d", mtime.toISOString(), evil]);
    renameSync(evil, join(folder, "library.so"));
    expect(atime).toBeDefined();
    expect(content(unpacked())).toBe(CONTENT);
  });

  test("that is a link is replaced", () => {
    const folder = unpacked();
    renameSync(join(folder, "library.so"), join(cache, "elsewhere.so"));
    symlinkSync(join(cache, "elsewhere.so"), join(folder, "library.so"));
    expect(content(unpacked())).toBe(CONTENT);
    writeFileSync(join(cache, "elsewhere.so"), EVIL);
    expect(content(unpacked())).toBe(CONTENT);
  });

  test("that others may write is replaced", () => {
    const folder = unpacked();
    chmodSync(join(folder, "library.so"), 0o777);
    expect(statSync(join(unpacked(), "library.so")).mode & 0o777).toBe(0o700);
  });

  test.skipIf(!isRoot)("of somebody else is replaced", () => {
    const folder = unpacked();
    chownSync(join(folder, "library.so"), STRANGER, STRANGER);
    expect(statSync(join(unpacked(), "library.so")).uid).toBe(0);
  });

  test("is hashed once for each boot and file on disk", () => {
    const folder = unpacked();
    const receipt = join(folder, "verified.json");
    expect(statSync(receipt).mode & 0o777).toBe(0o600);
    const before = statSync(receipt, { bigint: true });
    unpacked();
    const after = statSync(receipt, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
    // Of another boot, it says nothing.
    const known: unknown = JSON.parse(readFileSync(receipt, "utf8"));
    writeFileSync(receipt, JSON.stringify({ ...Object(known), boot: "another" }));
    unpacked();
    expect(JSON.parse(readFileSync(receipt, "utf8"))).toEqual(known);
    expect(readdirSync(folder).sort()).toEqual(["library.so", "verified.json"]);
  });

  test("is not vouched for by a receipt that others may have written", () => {
    const folder = unpacked();
    const library = join(folder, "library.so");
    writeFileSync(library, EVIL);
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(library, { bigint: true });
    const receipt = join(folder, "verified.json");
    const known = Object(JSON.parse(readFileSync(receipt, "utf8")));
    const forged = [file.sha256, dev, ino, size, mtimeNs, ctimeNs].join(" ");
    writeFileSync(receipt, JSON.stringify({ ...known, files: { "library.so": forged } }));
    chmodSync(receipt, 0o666);
    expect(content(unpacked())).toBe(CONTENT);
  });
});

describe("libraries are unpacked into the temporary folder, and never used from a cache", () => {
  const elsewhere = () => {
    expect(unpacked()).toStartWith(join(tmpdir(), "cairn-"));
    const data = join(aFolder(), "native");
    expect(placeForLibraries([cache, data])).toBe(data);
  };

  test.each([0o777, 0o757, 0o1777])("into which others may write (%o)", (mode) => {
    unpacked();
    chmodSync(cache, mode);
    elsewhere();
  });

  test("that lies in a folder into which others may write", () => {
    const shared = join(aFolder(), "shared");
    cache = join(shared, "cache");
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    chmodSync(shared, 0o777);
    elsewhere();
  });

  test.skipIf(!isRoot)("of somebody else", () => {
    mkdirSync(cache, { mode: 0o700 });
    chownSync(cache, STRANGER, STRANGER);
    elsewhere();
  });

  test.skipIf(!isRoot)("that somebody else can put another in the place of", () => {
    const theirs = join(aFolder(), "theirs");
    cache = join(theirs, "cache");
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    chownSync(theirs, STRANGER, STRANGER);
    elsewhere();
  });

  test("that links to such a folder", () => {
    const open = join(aFolder(), "open");
    mkdirSync(open);
    chmodSync(open, 0o777);
    symlinkSync(open, cache);
    elsewhere();
  });
});

test("libraries are unpacked under a name of their own where somebody has taken the usual one", () => {
  const shared = aFolder();
  chmodSync(shared, 0o1777);
  const taken = join(shared, `cairn-${userInfo().uid}`);
  mkdirSync(taken);
  chmodSync(taken, 0o777);
  const program = `
    import { readdirSync } from "node:fs";
    import { describeFile, extractFiles } from "./src/core/kernel/files/embedded-files.ts";
    const folder = extractFiles("lib", [describeFile(process.argv[1])], process.argv[2]);
    console.log(folder, readdirSync(folder).includes("library.so"));`;
  const command = [process.execPath, "--eval", program, file.path, taken];
  const { stdout, stderr } = Bun.spawnSync(command, { env: { PATH: process.env.PATH ?? "", TMPDIR: shared } });
  expect(stderr.toString()).toBe("");
  expect(stdout.toString()).toMatch(/\/cairn-\w{6}\/lib-\w+ true\n$/);
  // What is for one process alone goes with it.
  expect(readdirSync(shared)).toEqual([`cairn-${userInfo().uid}`]);
  expect(readdirSync(taken).flatMap((name) => readdirSync(join(taken, name)))).toEqual([]);
});

/** A namespace of users in which root outside is nobody, as sandboxes have it. */
const SANDBOX = ["unshare", "-U", "--map-root-user"];
const mayUnshare = Bun.which("unshare") !== null && Bun.spawnSync([...SANDBOX, "true"]).exitCode === 0;

test.skipIf(!mayUnshare)(
  "libraries are unpacked in a sandbox, to which the folders above belong to nobody it knows",
  () => {
    const program = `
    import { describeFile, extractFiles } from "./src/core/kernel/files/embedded-files.ts";
    console.log(extractFiles("lib", [describeFile(process.argv[1])], process.argv[2]));`;
    // As somebody else than root, whom the namespace would show as root.
    const user = isRoot ? ["setpriv", "--reuid", String(STRANGER), "--regid", String(STRANGER), "--clear-groups"] : [];
    const home = aFolder();
    if (isRoot) chownSync(home, STRANGER, STRANGER);
    chmodSync(home, 0o700);
    const theirs = join(home, "cache");
    const readable = join(aFolder(), "library.so");
    writeFileSync(readable, CONTENT);
    chmodSync(join(readable, ".."), 0o755);
    const command = [...user, ...SANDBOX, process.execPath, "--eval", program, readable, theirs];
    const { stdout, stderr } = Bun.spawnSync(command, { env: { PATH: process.env.PATH ?? "", HOME: home } });
    expect(stderr.toString()).toBe("");
    expect(stdout.toString()).toStartWith(theirs);
  },
);

test("the folder that was looked at is the one that is used, whatever a link leads to later", () => {
  const own = join(aFolder(), "own");
  mkdirSync(own, { mode: 0o700 });
  symlinkSync(own, cache);
  const folder = unpacked();
  expect(folder).toStartWith(realpathSync(own));
});

test("a file is only ours to change by its owner, its mode, and a group of ours", () => {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  if (uid === undefined || gid === undefined) return;
  const may = (mode: number, owner = uid, group = gid) => isOnlyOursToChange({ uid: owner, gid: group, mode });
  expect([may(0o755), may(0o775, uid, uid), may(0o755, 0), may(0o700)]).toEqual([true, true, true, true]);
  expect([may(0o777), may(0o757), may(0o775, uid, uid + 1), may(0o700, uid + 1)]).toEqual([false, false, false, false]);
});

test("code lies below no folder into which a group may write, its owner's own included: an access list shows as one", () => {
  const folder = join(aFolder(), "shared");
  mkdirSync(join(folder, "cache"), { recursive: true, mode: 0o700 });
  expect(requireOnlyOursToChange(join(folder, "cache"))).toBe(realpathSync(join(folder, "cache")));
  chmodSync(folder, 0o770);
  for (const place of [folder, join(folder, "cache")])
    expect(() => requireOnlyOursToChange(place)).toThrow("others may write into it");
});

test.skipIf(!isBinary)(
  "the executable replaces a library of the right size and other content before it loads it",
  async () => {
    const data = aFolder();
    const env = { PATH: process.env.PATH ?? "", HOME: data, CAIRN_CACHE: join(data, "cache"), CAIRN_EMBEDDER: "hash" };
    const add = async (text: string) => {
      const child = Bun.spawn([...CAIRN, "add", text, "--data", data], {
        env,
        cwd: data,
        stdout: "ignore",
        stderr: "pipe",
      });
      return { err: await new Response(child.stderr).text(), code: await child.exited };
    };
    expect((await add("Deploys go out every Tuesday at nine.")).code).toBe(0);
    const [library] = new Bun.Glob("**/vec0.so").scanSync(env.CAIRN_CACHE);
    if (library === undefined) throw new Error("The executable unpacked no library.");
    const path = join(env.CAIRN_CACHE, library);
    const sound = readFileSync(path);
    writeFileSync(path, new Uint8Array(sound.length));
    const { code, err } = await add("Deploys are announced in the channel of the team.");
    expect(err).not.toContain("sqlite-vec");
    expect(code).toBe(0);
    expect(readFileSync(path).equals(sound)).toBe(true);
  },
);
