import type { Services } from "../core/ports/context.ts";
import { termsOf } from "../text/words/terms.ts";
import type { Pair } from "./pair.ts";

/**
 * Tells pairs that repeat two texts of which a person said that both stand: nobody is asked the same twice, whoever writes it. A
 * repeat has the same words, in any order and case. What people said is looked up with the first pair of a place.
 */
export function saidToStand({ storage }: Services): (pair: Pair) => Promise<boolean> {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const lookUp = async (pair: Pair): Promise<ReadonlySet<string>> => {
    const said = await storage.contradictions.saidToStand(pair.newer.memory);
    return new Set(said.map(({ one, other }) => keyOf(one, other)));
  };
  return async (pair) => {
    const { fleet_id, agent_id } = pair.newer.memory;
    const place = JSON.stringify([fleet_id, agent_id]);
    const texts = known.get(place) ?? lookUp(pair);
    known.set(place, texts);
    return (await texts).has(keyOf(pair.newer.memory.content, pair.older.memory.content));
  };
}

/** The same for two pairs of texts that repeat each other, whichever of them is the newer one. */
const keyOf = (one: string, other: string): string => [statementOf(one), statementOf(other)].sort().join("\n");
const statementOf = (text: string): string => termsOf(text).sort().join(" ");
