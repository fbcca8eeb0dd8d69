import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { AppError } from "../../core/kernel/errors.ts";
import { readUnpacked } from "../../core/kernel/files/embedded-files.ts";
import { modelsRoot } from "../assets.ts";
import { ModelManifest } from "./manifest.ts";

export const MANIFEST_NAME = "manifest.json";

/** What the executable carries compressed has a name that ends so. */
export const COMPRESSED = ".zst";

/** Generous for any text: what lies beyond would be cut by the tokenizer, after reading it all. */
export const CHARACTERS_PER_TOKEN = 12;

/** Folder of one model: the repository's from source, the executable's own file system when compiled. */
export const modelFolder = (id: string, root: string = modelsRoot): string => join(root, id);

/** Names of the model folders of a source tree. */
export const listModels = (root: string = modelsRoot): string[] =>
  readdirSync(root).filter((name) => statSync(join(root, name, MANIFEST_NAME), { throwIfNoEntry: false })?.isFile());

/** Reads and validates the manifest of a model folder. */
export function readManifest<T extends z.ZodType>(folder: string, schema: T): z.infer<T> {
  const path = join(folder, MANIFEST_NAME);
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new AppError("UNAVAILABLE", `The model manifest ${path} is missing or malformed.`, undefined, { cause });
  }
}

/** What is wrong with the files of a model folder, one line each. Sizes only, unless `digests` asks for every byte. */
export function checkModelFiles(folder: string, options: { digests: boolean }): string[] {
  const { files } = readManifest(folder, ModelManifest);
  return Object.entries(files).flatMap(([name, expected]) => {
    const path = join(folder, name);
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    const isCompressed = bytes === undefined && existsSync(path + COMPRESSED);
    if (bytes === undefined && !isCompressed) return [`${path} is missing.`];
    if (!isCompressed && bytes !== expected.bytes) return [`${path} has ${bytes} bytes instead of ${expected.bytes}.`];
    if (!options.digests || hasDigest(path, expected.sha256)) return [];
    return [`${path} differs from its recorded SHA-256.`];
  });
}

/** The bytes of a model's file, as its manifest has them. */
export const readModelFile = (path: string): Uint8Array<ArrayBuffer> =>
  readUnpacked(existsSync(path) ? path : path + COMPRESSED);

/** What is compressed and damaged cannot even be read. */
function hasDigest(path: string, sha256: string): boolean {
  try {
    return createHash("sha256").update(readModelFile(path)).digest("hex") === sha256;
  } catch {
    return false;
  }
}
