import { describeCause } from "../core/kernel/log.ts";
import { dot } from "../core/kernel/vectors.ts";
import type { Services } from "../core/ports/context.ts";
import type { CosineCalibration } from "../core/ports/embedder.ts";
import type { Neighbour, RowOwners } from "../core/ports/entity-store.ts";
import type { EntityType } from "../core/schema/entity.ts";
import type { Mention } from "../text/names/mention.ts";
import { nameKey, nameWords } from "../text/names/name-key.ts";

/** Pairs of names compared for one batch of rows. */
const PAIRS_MAX = 64;
/**
 * How far above a usual related passage the vectors of two names must stand to mean one thing, in deviations. Chosen on pairs of
 * names: none of 22 near but different ones ("Invoice Importer", "Invoice Exporter") passes, and 15 of 16 spellings do. Read as
 * questions, names are told apart better than as passages.
 */
const ALIKE_DEVIATIONS = 5.5;

/** Things that differ by any letter are different things. */
const EXACT_TYPES: ReadonlySet<EntityType> = new Set(["identifier", "artifact"]);

interface Name {
  readonly name: string;
  readonly entity_type: EntityType;
}

/**
 * Known names that mean the same as unknown ones in rows with these owners, by the keys of the unknown; empty when the
 * model does not answer.
 */
export async function findAlike(
  { storage, embedder, log }: Services,
  owners: RowOwners,
  { mentions, signal }: { readonly mentions: readonly Mention[]; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, string>> {
  const asked = new Map(mentions.filter(isOpen).map((mention) => [mention.key, mention]));
  const names = Array.from(asked.values(), ({ key, name }) => ({ key, parts: partsOf(name) }));
  const near = names.length === 0 ? [] : await storage.entities.neighbours(owners, names);
  const pairs = near.flatMap((neighbour) => {
    const mention = asked.get(neighbour.key);
    const known = { name: neighbour.near_name, entity_type: neighbour.near_type };
    return mention && mayBeOne(mention, known) ? [{ mention, neighbour }] : [];
  });
  if (pairs.length === 0) return new Map();
  const chosen = pairs.slice(0, PAIRS_MAX);
  const texts = chosen.flatMap(({ mention, neighbour }) => [mention.name, neighbour.near_name]);
  try {
    const vectors = await embedder.embed(texts, {
      role: "query",
      priority: "background",
      ...(signal ? { signal } : {}),
    });
    const cosines = chosen.map((_, i) => {
      const [a, b] = vectors.slice(2 * i);
      return a && b ? dot(a, b) : 0;
    });
    return nearest(
      chosen.map(({ neighbour }) => neighbour),
      cosines,
      alikeFrom(embedder.calibration),
    );
  } catch (error) {
    signal?.throwIfAborted();
    log.warn("names compared by letters only", { cause: describeCause(error) });
    return new Map();
  }
}

const isOpen = ({ sure, entity_type }: Mention): boolean => sure && !EXACT_TYPES.has(entity_type);

/** Keys of the name without its first and without its last word. */
function partsOf(name: string): string[] {
  const words = name.split(/\s+/);
  return words.length < 2 ? [] : [nameKey(words.slice(1).join(" ")), nameKey(words.slice(0, -1).join(" "))];
}

/** The cosine from which two names are taken for one, of a model with this calibration; above 1 for a model that cannot tell. */
export const alikeFrom = ({ related_mean, related_deviation }: CosineCalibration): number =>
  related_mean + ALIKE_DEVIATIONS * related_deviation;

/** Whether two names may mean one thing at all: not when they are numbered apart, and of persons only the fuller name. */
export function mayBeOne(a: Name, b: Name): boolean {
  if (EXACT_TYPES.has(a.entity_type) || EXACT_TYPES.has(b.entity_type)) return false;
  const isSameType = a.entity_type === b.entity_type || a.entity_type === "unknown" || b.entity_type === "unknown";
  if (!isSameType || numbersOf(a.name) !== numbersOf(b.name)) return false;
  return (a.entity_type !== "person" && b.entity_type !== "person") || holdsOther(nameWords(a.name), nameWords(b.name));
}

/** What numbers things of one kind: "Terminal 4", "Phase II", "Plan B". */
const NUMBER = /\d+|\b(?:[ivx]+|\p{L})\b/giu;
const numbersOf = (name: string): string => (name.match(NUMBER) ?? []).join().toLowerCase();

function holdsOther(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length > 1 && short.every((word) => long.includes(word));
}

function nearest(pairs: readonly Neighbour[], cosines: readonly number[], from: number): Map<string, string> {
  const best = new Map<string, { near_key: string; cosine: number }>();
  for (const [i, { key, near_key }] of pairs.entries()) {
    const value = cosines[i] ?? 0;
    if (value >= from && value > (best.get(key)?.cosine ?? 0)) best.set(key, { near_key, cosine: value });
  }
  return new Map(Array.from(best, ([key, { near_key }]) => [key, near_key]));
}
