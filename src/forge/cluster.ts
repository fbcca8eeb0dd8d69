import { mapCooperatively } from "../core/kernel/event-loop.ts";
import { dot } from "../core/kernel/vectors.ts";
import type { TraceRow } from "../core/ports/forge-store.ts";
import { averageLinkage } from "./linkage.ts";
import type { Rarity, WeighedBag } from "./significant-terms.ts";
import { rarityOf, sharedWords, significantRoots } from "./significant-terms.ts";
import type { Trace } from "./traces.ts";
import { blended, directionOf } from "./vectors.ts";

/** Runs of one procedure. */
export interface Cluster {
  /** The fleet that reads all of it; null for the whole tenant. */
  readonly fleet_id: string | null;
  /** Successful runs, in the order of their keys. */
  readonly members: readonly Trace[];
  /** Runs that tried the same and failed. */
  readonly failed: readonly Trace[];
}

/**
 * Cosine of two runs about different things, and its standard deviation, after the mean of all text is taken out of their
 * vectors: measured on made-up runs of one team, where runs of one procedure have .78 on average and never less than .60.
 */
const UNRELATED = { mean: 0.28, deviation: 0.11 } as const;
/** What one whole of shared words is worth in those deviations; runs of one procedure share .36, others .03. */
const WORDS_WEIGHT = 12;
/** The same for runs without vectors, whose words must carry all. */
const WORDS_ALONE_WEIGHT = 26;
/** Evidence from which two groups of runs are of one procedure: between what unrelated runs reach (3) and related ones have (6 to 9). */
const JOIN = 4.2;
const SLACK = 3.5;
/** Weight of a row that tells nothing; one that tells much comes near to 1 more than that. */
const ROW_WEIGHT_MIN = 0.1;
/** Rarity of its words with which a row has half of its weight. */
const ROW_HALF = 4;
/** Mean weight of the rows of a run below which its meaning is little more than that of any work. */
const SOUND_WEIGHT = 0.6;

/** What clustering knows of a run. */
interface Profile {
  /** Significant terms and entities of all its rows. */
  readonly words: WeighedBag;
  /** Where its rows point, those that tell most ahead; null without any vector. */
  readonly direction: Float32Array | null;
  /** How much of its meaning is its own, from 0 to 1. */
  readonly soundness: number;
}

/**
 * Groups successful runs by what they are about, the largest group first: words and entities by their rarity in the window,
 * and meaning. Failed runs are laid beside the cluster that they come nearest to, and never into one. What one fleet alone
 * reads never meets the runs of others. Neither the order of the runs nor one given twice changes anything.
 * Requests have their turn meanwhile.
 */
export async function clusterTraces(traces: readonly Trace[], center: Float32Array): Promise<Cluster[]> {
  const fleets = [...Map.groupBy(traces, ({ fleet_id }) => fleet_id)];
  const clusters: Cluster[] = [];
  for (const [fleet_id, own] of fleets.toSorted(([a], [b]) => ((a ?? "") < (b ?? "") ? -1 : 1))) {
    const found = await clustersOf(own, center);
    clusters.push(...found.map((cluster) => ({ ...cluster, fleet_id })));
  }
  return clusters.toSorted((a, b) => runsOf(b.members) - runsOf(a.members));
}

async function clustersOf(traces: readonly Trace[], center: Float32Array): Promise<Omit<Cluster, "fleet_id">[]> {
  const distinct = [...new Map(traces.map((trace) => [traceKey(trace), trace])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, trace]) => trace);
  const bags = await mapCooperatively(distinct, bagOf);
  const rarity = rarityOf(bags);
  const profiles = new Map(
    await mapCooperatively(distinct, (trace, i): [Trace, Profile] => [
      trace,
      profileOf(trace, bags[i] ?? new Set(), { rarity, center }),
    ]),
  );
  const profile = (trace: Trace | undefined) => (trace && profiles.get(trace)) ?? NOTHING;
  const link = (a: Trace | undefined, b: Trace | undefined) => evidence(profile(a), profile(b));
  const good = distinct.filter(({ label }) => label === "success");
  const groups = await averageLinkage(good.length, (a, b) => link(good[a], good[b]), { join: JOIN, slack: SLACK });
  const clusters = groups.map((places) => places.flatMap((index) => good[index] ?? []));
  const failed = distinct.filter(({ label }) => label === "failure");
  const homes = new Map(
    await mapCooperatively(failed, (trace): [Trace, readonly Trace[] | null] => [
      trace,
      nearest(trace, clusters, link),
    ]),
  );
  return clusters
    .map((members) => ({ members, failed: failed.filter((trace) => homes.get(trace) === members) }))
    .filter(({ members }) => runsOf(members) > 1);
}

/** How many runs stand behind a cluster: agents that share a run count once. */
export const runsOf = (members: readonly Trace[]): number => new Set(members.map(({ run_id }) => run_id)).size;

/** The agents whose runs these are, each once. */
export const agentsOf = (members: readonly Trace[]): string[] =>
  [...new Set(members.map(({ agent_id }) => agent_id))].sort();

const NOTHING: Profile = {
  words: { words: new Int32Array(), weights: new Float64Array(), total: 0 },
  direction: null,
  soundness: 0,
};

const traceKey = ({ run_id, agent_id }: Trace): string => JSON.stringify([run_id, agent_id]);

/** Words and entities share one bag: a rare entity tells as much as a rare word. */
const bagOf = ({ rows }: Trace): Set<string> => new Set(rows.flatMap(rowBag));
const rowBag = ({ content, entity_ids }: TraceRow): string[] => [
  ...significantRoots(content),
  ...entity_ids.map((id) => `entity:${id}`),
];

function profileOf(
  { rows }: Trace,
  bag: ReadonlySet<string>,
  { rarity, center }: { readonly rarity: Rarity; readonly center: Float32Array },
): Profile {
  const parts = rows.flatMap((row) =>
    row.vector ? [{ vector: directionOf(row.vector, center), weight: rowWeight(row, rarity) }] : [],
  );
  const weight = parts.reduce((sum, part) => sum + part.weight, 0) / Math.max(1, parts.length);
  return { words: rarity.weigh(bag), direction: blended(parts), soundness: Math.min(1, weight / SOUND_WEIGHT) };
}

/** Rows whose words other runs share, but not all of them, say what a run is about; greetings and "all tests pass" do not. */
function rowWeight(row: TraceRow, rarity: Rarity): number {
  const significant = rowBag(row).reduce((sum, word) => sum + (rarity.holders(word) > 1 ? rarity.of(word) : 0), 0);
  return ROW_WEIGHT_MIN + significant / (significant + ROW_HALF);
}

function evidence(a: Profile, b: Profile): number {
  const words = sharedWords(a.words, b.words);
  if (!a.direction || !b.direction) return WORDS_ALONE_WEIGHT * words;
  const meaning = (dot(a.direction, b.direction) - UNRELATED.mean) / UNRELATED.deviation;
  return meaning * Math.min(a.soundness, b.soundness) + WORDS_WEIGHT * words;
}

type Link = (a: Trace, b: Trace) => number;

/** The cluster whose members a failed run is most like, if it is like them at all. */
function nearest(trace: Trace, clusters: readonly (readonly Trace[])[], link: Link): readonly Trace[] | null {
  let home: readonly Trace[] | null = null;
  let strongest = JOIN;
  for (const members of clusters) {
    const mean = members.reduce((sum, member) => sum + link(trace, member), 0) / members.length;
    if (mean < strongest) continue;
    home = members;
    strongest = mean;
  }
  return home;
}
