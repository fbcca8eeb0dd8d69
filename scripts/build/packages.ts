import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

const ROOT = resolve(import.meta.dir, "../..");
const CACHE = join(ROOT, "node_modules", ".cache", "cairn-build");

const Lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});
const Installed = z.object({ version: z.string() });
const Packed = z.tuple([z.object({ filename: z.string() })]);

/**
 * Folder of a package at the version of package-lock.json: the installed one, or, for other platforms, which npm leaves out, one
 * that npm fetches into a cache. Throws when its digest is not that of the lock file, or npm cannot fetch it.
 */
export function packageFolder(name: string): string {
  const lock = Lock.parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new Error(`package-lock.json names no version and digest of ${name}.`);
  const installed = join(ROOT, "node_modules", name);
  if (existsSync(join(installed, "package.json")) && versionIn(installed) === version) return installed;
  const kept = join(CACHE, `${name.replace("/", "-")}-${version}`);
  if (!existsSync(kept)) fetchPackage(`${name}@${version}`, integrity, kept);
  return join(kept, "package");
}

const versionIn = (folder: string): string =>
  Installed.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).version;

/** Puts an unpacked package into a folder, all of it or nothing. */
function fetchPackage(spec: string, integrity: string, folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, "draft-"));
  try {
    const printed = run(["npm", "pack", spec, "--json", "--ignore-scripts", "--pack-destination", draft]);
    // npm writes the name as if the scope's slash were there.
    const file = join(draft, Packed.parse(JSON.parse(printed))[0].filename.replace("@", "").replace("/", "-"));
    requireDigest(file, integrity, spec);
    run(["tar", "-xzf", file, "-C", draft]);
    rmSync(file);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Throws unless the file has the digest of the lock file, such as `sha512-...`. */
export function requireDigest(file: string, integrity: string, what: string): void {
  const [algorithm = ""] = integrity.split("-", 1);
  const found = `${algorithm}-${createHash(algorithm).update(readFileSync(file)).digest("base64")}`;
  if (found !== integrity)
    throw new Error(`${what} is not what package-lock.json records: it has ${found} instead of ${integrity}.`);
}

function run(command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT });
  if (exitCode === 0) return stdout.toString();
  throw new Error(`'${command.join(" ")}' failed: ${stderr.toString().trim()}`);
}
