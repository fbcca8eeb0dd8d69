import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { AppError } from "../../core/kernel/errors.ts";
import { modelsRoot } from "../assets.ts";
import { ModelManifest } from "./manifest.ts";

export const MANIFEST_NAME = "manifest.json";

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
    if (bytes === undefined) return [`${path} is missing.`];
    if (bytes !== expected.bytes) return [`${path} has ${bytes} bytes instead of ${expected.bytes}.`];
    if (!options.digests || sha256Of(path) === expected.sha256) return [];
    return [`${path} differs from its recorded SHA-256.`];
  });
}

const sha256Of = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
