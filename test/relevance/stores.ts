import { z } from "zod";
import { WORLDS, World } from "./sets.ts";
import estuaryGold from "./stores/estuary-retirements.json";
import harbourGold from "./stores/harbour-retirements.json";
import householdGold from "./stores/household-retirements.json";
import lindenhof from "./stores/lindenhof.json";
import lindenhofGold from "./stores/lindenhof-retirements.json";
import orchardGold from "./stores/orchard-retirements.json";
import passerelle from "./stores/passerelle.json";
import passerelleGold from "./stores/passerelle-retirements.json";
import tidewell from "./stores/tidewell.json";
import tidewellGold from "./stores/tidewell-retirements.json";

const Pair = z.strictObject({
  older: z.string(),
  newer: z.string(),
  /** Whether the whole of the older note holds no longer, or a part of it. */
  extent: z.enum(["whole", "part"]),
  why: z.string(),
  /** Whether any careful reader would agree. */
  sure: z.boolean(),
  /** An earlier note ended the older one already. */
  also: z.boolean().optional(),
});
const Trap = z.strictObject({ older: z.string(), newer: z.string(), why: z.string() });
/** What later notes of a store end of earlier ones, and what a careless judge might take for that. */
export const Retirements = z.strictObject({ pairs: z.array(Pair), traps: z.array(Trap) });
export type Retirements = z.infer<typeof Retirements>;

export const Store = World.pick({ name: true, memories: true });
/** Notes of one memory in the order of time. */
export type Store = z.infer<typeof Store>;

const LABELS = {
  orchard: orchardGold,
  household: householdGold,
  harbour: harbourGold,
  estuary: estuaryGold,
  lindenhof: lindenhofGold,
  tidewell: tidewellGold,
  passerelle: passerelleGold,
};

/** A store with its labels; what is only reported is never learned from. */
export interface LabelledStore {
  readonly store: Store;
  readonly retirements: Retirements;
  readonly is_reported: boolean;
}

const REPORTED = ["harbour", "estuary", "passerelle"];

/**
 * The worlds and three stores that were written for this: persons and a workshop (`lindenhof`), a project in which much changes
 * (`tidewell`), an association that writes in three languages (`passerelle`).
 */
export const STORES: readonly LabelledStore[] = Object.entries(LABELS).map(([name, labels]) => {
  const own = [lindenhof, tidewell, passerelle].find((one) => one.name === name);
  const store = Store.parse(own ?? WORLDS.find((world) => world.name === name));
  return { store, retirements: Retirements.parse(labels), is_reported: REPORTED.includes(name) };
});
