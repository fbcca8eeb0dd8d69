import type { JsonObject } from "../../kernel/json.ts";
import { KEYSTONES, KeystoneData } from "../keystone.ts";
import { KEYSTONE_PROPOSALS, ProposalData } from "../keystone-proposal.ts";
import type { RulePlace } from "./place.ts";
import { isSamePlace, placeOf } from "./place.ts";

/*
 * A rule is called by its name wherever it stands, and in storage a collection holds a doc_id once. The first rule of a name is
 * stored under the name itself, each further one under the name, a mark that no name holds, and the lowest number that is free.
 * The number says nothing: where a rule stands, its fleet and its data say, and whoever writes chooses among all rules of the
 * name under the write lock, so that two who write to one place write one rule. Nobody outside of storage is shown the number.
 */

/** Stands between a name and the number. */
const MARK = "~";
/** What sorts after every name with a mark and before every other. */
const BEYOND_MARK = "\u007f";

/** A document as far as it says what it is called and where it stands. */
interface Placed {
  readonly collection: string;
  readonly doc_id: string;
  readonly fleet_id?: string | null | undefined;
  readonly data: JsonObject;
}

/** Whether names of a collection stand in several places. */
export const hasPlaces = (collection: string): boolean => collection === KEYSTONES || collection === KEYSTONE_PROPOSALS;

/** The doc_id of a document as its callers know it. */
export const shownName = ({ collection, doc_id }: Pick<Placed, "collection" | "doc_id">): string =>
  hasPlaces(collection) ? (doc_id.split(MARK, 1)[0] ?? doc_id) : doc_id;

/** Between which doc_ids those of a name lie that have a number: from the first on, before the second. */
export const numberedNames = (name: string): readonly [from: string, before: string] => [
  `${name}${MARK}`,
  `${name}${BEYOND_MARK}`,
];

/** Where a stored rule stands, or would once somebody accepts it. */
export function placeOfDocument({ collection, fleet_id, data }: Omit<Placed, "doc_id">): RulePlace {
  if (collection === KEYSTONES) return placeOf(fleet_id, KeystoneData.parse(data));
  const { rule, place } = ProposalData.parse(data);
  return place ?? placeOf(fleet_id, rule ?? { scope: fleet_id == null ? "tenant" : "fleet" });
}

/** Where a rule is to be written. */
export interface WrittenPlace {
  readonly place: RulePlace;
  /** Whether rules of this name elsewhere stay as they are; else the only one of the name is replaced wherever it stands. */
  readonly keepsOthers: boolean;
}

/** Under which doc_id a rule is written, among the documents of its name. */
export function writtenAs(name: string, namesakes: readonly Placed[], { place, keepsOthers }: WrittenPlace): string {
  const there = namesakes.find((one) => isSamePlace(placeOfDocument(one), place));
  const replaced = there ?? (!keepsOthers && namesakes.length === 1 ? namesakes[0] : undefined);
  if (replaced) return replaced.doc_id;
  const taken = new Set(namesakes.map(({ doc_id }) => doc_id));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}${MARK}${number}`;
  return free;
}
