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
  /** Sums of its links to the members of every group, by the place of the group. */
  readonly links: Float64Array;
}

/**
 * Average linkage: the two groups that are most alike join, until none are alike enough. A group that is close within does
 * not take in what is far from it by its own measure, so that neither a subject that all share nor a chain of neighbours
 * glues groups. Ties fall to the earlier members, so the same list gives the same groups. Cubic in `count`.
 */
export function averageLinkage(count: number, strength: Strength, rules: LinkageRules): number[][] {
  const groups = new Map<number, Group>();
  for (let i = 0; i < count; i++) {
    const links = Float64Array.from({ length: count }, (_, j) => (i === j ? 0 : strength(i, j)));
    groups.set(i, { members: [i], inner: 0, links });
  }
  for (let pair = closest(groups, rules); pair; pair = closest(groups, rules)) join(groups, pair);
  return [...groups.values()].map(({ members }) => members.toSorted((a, b) => a - b));
}

type Pair = readonly [number, number];

function closest(groups: ReadonlyMap<number, Group>, rules: LinkageRules): Pair | null {
  let best: Pair | null = null;
  let strongest = rules.join;
  for (const [i, a] of groups) {
    for (const [j, b] of groups) {
      if (j <= i) continue;
      const link = (a.links[j] ?? 0) / (a.members.length * b.members.length);
      if (link < strongest || (best && link === strongest)) continue;
      if (!mayJoin(a, b, link, rules)) continue;
      best = [i, j];
      strongest = link;
    }
  }
  return best;
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

/** The second group goes into the first, at the place of the first. */
function join(groups: Map<number, Group>, [i, j]: Pair): void {
  const [a, b] = [groups.get(i), groups.get(j)];
  if (!a || !b) return;
  const links = a.links.map((link, at) => link + (b.links[at] ?? 0));
  groups.set(i, { members: [...a.members, ...b.members], inner: a.inner + b.inner + (a.links[j] ?? 0), links });
  groups.delete(j);
  for (const [at, { links: toOthers }] of groups) if (at !== i) toOthers[i] = (toOthers[i] ?? 0) + (toOthers[j] ?? 0);
}
