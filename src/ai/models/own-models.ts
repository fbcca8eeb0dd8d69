import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { AppError } from "../../core/kernel/errors.ts";
import { dot } from "../../core/kernel/vectors.ts";
import type { Embedder } from "../../core/ports/embedder.ts";
import { checkModelFiles, MANIFEST_NAME } from "./files.ts";
import { OwnManifest } from "./manifest.ts";

/** A model folder of the user's own. */
export interface OwnModel {
  readonly folder: string;
  readonly manifest: OwnManifest;
}

/** What such a folder must hold beside its manifest, as transformers.js lays it out. */
const FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model_quantized.onnx"];

/** Dimensions of the codes that a data file has room for. */
export const DIMENSIONS = 384;

/**
 * The models of a folder of the user's own: itself, or one in each folder below it that has a manifest. Throws AppError
 * BAD_REQUEST that names every fault of theirs that can be seen without loading them.
 */
export function ownModels(root: string, taken: readonly string[]): OwnModel[] {
  const folders = foldersOf(resolve(root));
  const faults: string[] = [];
  const models = folders.flatMap((folder): OwnModel[] => {
    const found = readOwn(folder);
    if (Array.isArray(found)) faults.push(...found);
    else if (taken.includes(found.manifest.id))
      faults.push(`${folder}: the id ${found.manifest.id} is that of a model that comes with Cairn; choose another`);
    else return [found];
    return [];
  });
  const ids = models.map(({ manifest }) => manifest.id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) faults.push(`two folders of ${root} have the id ${twice}`);
  if (faults.length > 0) throw unusable(`The models of ${root} cannot be used: ${faults.join("; ")}.`);
  return models;
}

function foldersOf(root: string): string[] {
  const hasManifest = (folder: string) => existsSync(join(folder, MANIFEST_NAME));
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw unusable(`There is no folder ${root}. Name one with --models, or leave it out.`);
  if (hasManifest(root)) return [root];
  const folders = readdirSync(root)
    .sort()
    .map((name) => join(root, name))
    .filter(hasManifest);
  if (folders.length > 0) return folders;
  throw unusable(`No folder of ${root} has a ${MANIFEST_NAME}. A model needs one beside its files.`);
}

/** The model of a folder, or what is wrong with it. */
function readOwn(folder: string): OwnModel | string[] {
  const name = basename(folder);
  let written: unknown;
  try {
    written = JSON.parse(readFileSync(join(folder, MANIFEST_NAME), "utf8"));
  } catch {
    return [`${name}: ${MANIFEST_NAME} is not JSON`];
  }
  const parsed = OwnManifest.safeParse(written);
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${name}: ${path.join(".") || MANIFEST_NAME}: ${message}`);
  const manifest = parsed.data;
  const missing = FILES.filter((file) => !existsSync(join(folder, file)));
  if (missing.length > 0) return [`${name}: ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing`];
  const { dimensions, center } = manifest;
  if (dimensions !== DIMENSIONS)
    return [`${name}: its vectors have ${dimensions} dimensions, and the index of a data folder holds ${DIMENSIONS}`];
  if (center && center.length !== dimensions) return [`${name}: its center has ${center.length} numbers`];
  const told = Object.keys(manifest.files).length > 0 ? checkModelFiles(folder, { digests: true }) : [];
  return told.length > 0 ? told.map((fault) => `${name}: ${fault.replace(/\.$/, "")}`) : { folder, manifest };
}

/** Throws AppError BAD_REQUEST unless a model places the two texts of its manifest as that says. */
export async function requireKnownPair(
  { manifest: { id, known_pair } }: OwnModel,
  embedder: Pick<Embedder, "embed">,
): Promise<void> {
  const [question, passage] = known_pair.texts;
  const priority = "background";
  const [asked] = await embedder.embed([question], { role: "query", priority });
  const [read] = await embedder.embed([passage], { role: "passage", priority });
  const cosine = asked && read ? dot(asked, read) : Number.NaN;
  if (Math.abs(cosine - known_pair.cosine) <= known_pair.tolerance) return;
  throw unusable(
    `The model ${id} places its known pair at a cosine of ${cosine.toFixed(3)}, and its manifest says ${known_pair.cosine} (within ${known_pair.tolerance}). Look at its prefixes, its pooling and its files.`,
  );
}

const unusable = (message: string): AppError => new AppError("BAD_REQUEST", message);
