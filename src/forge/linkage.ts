import { createYielder, mapCooperatively } from "../core/kernel/event-loop.ts";

/** Strength of the link between two things, by their places in the list; symmetric. */
export type Strength = (a: number, b: number) => number;

export interface LinkageRules {
  /** Two groups join when the mean link between their members is at least this. */
  readonly join: number;
  /** How much weaker than a group's own mean link the link to another group may be. */
  readonly slack: number;
  /** Pairs that must not come into one group. */
  apart?(a: number, b: number): boolean;
}

interface Group {
  readonly members: readonly number[];
  /** Sum of the links between its members. */
  readonly inner: number;
}

/** The strongest link of a group to one that comes after it in the list. */
interface Nearest {
  readonly place: number;
  readonly link: number;
}

/**
 * Average linkage: the two groups that are most alike join, until none are alike enough. A group that is close within does
 * not take in what is far from it by its own measure, so that neither a subject that all share nor a chain of neighbours
 * glues groups. The same list always gives the same groups. Requests have their turn meanwhile.
 */
export async function averageLinkage(count: number, strength: Strength, rules: LinkageRules): Promise<number[][]> {
  const sums = await sumsOf(count, strength);
  const groups: (Group | null)[] = Array.from({ length: count }, (_, i) => ({ members: [i], inner: 0 }));
  /** The better one of what is known and the link of two groups; of equal ones, the earlier. */
  const nearer = (known: Nearest | null, i: number, j: number): Nearest | null => {
    const [a, b] = [groups[i], groups[j]];
    if (!a || !b) return known;
    const link = sums.of(i, j) / (a.members.length * b.members.length);
    if (link < rules.join || (known && link <= known.link)) return known;
    return mayJoin(a, b, link, rules) ? { place: j, link } : known;
  };
  const nearestTo = (i: number): Nearest | null => {
    let best: Nearest | null = null;
    for (let j = i + 1; j < count; j++) best = nearer(best, i, j);
    return best;
  };
  // What is nearest to a group stays so until one of the two changes.
  const nearest = await mapCooperatively(groups, (_, i) => nearestTo(i));
  const yieldIfDue = createYielder();
  for (let pair = closest(nearest); pair; pair = closest(nearest)) {
    await yieldIfDue();
    const [i, j] = pair;
    join(groups, sums, pair);
    nearest[j] = null;
    for (let k = 0; k < count; k++) {
      const place = nearest[k]?.place;
      if (k === i || place === i || place === j) nearest[k] = nearestTo(k);
      else if (k < i) nearest[k] = nearer(nearest[k] ?? null, k, i);
    }
  }
  return groups.flatMap((group) => (group ? [group.members.toSorted((a, b) => a - b)] : []));
}

type Pair = readonly [number, number];

function closest(nearest: readonly (Nearest | null)[]): Pair | null {
  let from = -1;
  for (const [i, near] of nearest.entries()) {
    if (near && near.link > (nearest[from]?.link ?? Number.NEGATIVE_INFINITY)) from = i;
  }
  const to = nearest[from]?.place;
  return to === undefined ? null : [from, to];
}

/** Sums of links between the members of two groups, by the places of the groups. */
interface Sums {
  of(i: number, j: number): number;
  put(i: number, j: number, sum: number): void;
}

async function sumsOf(count: number, strength: Strength): Promise<Sums> {
  const sums = new Float64Array(count * count);
  const put = (i: number, j: number, sum: number) => {
    sums[i * count + j] = sum;
    sums[j * count + i] = sum;
  };
  const yieldIfDue = createYielder();
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) put(i, j, strength(i, j));
    await yieldIfDue();
  }
  return { of: (i, j) => sums[i * count + j] ?? 0, put };
}

/** The second group goes into the first, at the place of the first. */
function join(groups: (Group | null)[], sums: Sums, [i, j]: Pair): void {
  const [a, b] = [groups[i], groups[j]];
  if (!a || !b) return;
  groups[i] = { members: [...a.members, ...b.members], inner: a.inner + b.inner + sums.of(i, j) };
  groups[j] = null;
  for (let k = 0; k < groups.length; k++) sums.put(i, k, sums.of(i, k) + sums.of(j, k));
}

function mayJoin(a: Group, b: Group, link: number, { slack, apart }: LinkageRules): boolean {
  if (link < cohesion(a) - slack || link < cohesion(b) - slack) return false;
  return !apart || !a.members.some((x) => b.members.some((y) => apart(x, y)));
}

/** Mean link between the members of a group; nothing to hold one back that has no pair yet. */
function cohesion({ members, inner }: Group): number {
  const pairs = (members.length * (members.length - 1)) / 2;
  return pairs === 0 ? Number.NEGATIVE_INFINITY : inner / pairs;
}
