import { z } from "zod";
import kestrelPrompts from "./prompts/kestrel.json";
import tidewellPrompts from "./prompts/tidewell.json";
import { WORLDS, World } from "./sets.ts";
import cobalt from "./stores/cobalt.json";
import cobaltGold from "./stores/cobalt-retirements.json";
import estuaryGold from "./stores/estuary-retirements.json";
import ferrol from "./stores/ferrol.json";
import ferrolGold from "./stores/ferrol-retirements.json";
import harbourGold from "./stores/harbour-retirements.json";
import householdGold from "./stores/household-retirements.json";
import kestrel from "./stores/kestrel.json";
import kestrelGold from "./stores/kestrel-retirements.json";
import lindenhof from "./stores/lindenhof.json";
import lindenhofGold from "./stores/lindenhof-retirements.json";
import millrace from "./stores/millrace.json";
import millraceGold from "./stores/millrace-retirements.json";
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
  kestrel: kestrelGold,
  lindenhof: lindenhofGold,
  tidewell: tidewellGold,
  passerelle: passerelleGold,
  millrace: millraceGold,
  cobalt: cobaltGold,
  ferrol: ferrolGold,
};

/** A store with its labels; what is only reported is never learned from. */
export interface LabelledStore {
  readonly store: Store;
  readonly retirements: Retirements;
  readonly is_reported: boolean;
}

const REPORTED = ["harbour", "estuary", "passerelle", "kestrel"];

/**
 * The worlds and seven stores that were written for this: persons and a workshop (`lindenhof`), a designer and her family
 * (`cobalt`), projects in which much changes (`tidewell`, `kestrel`, `millrace`), an association and a firm that write in three
 * languages (`passerelle`) and four (`ferrol`).
 */
export const STORES: readonly LabelledStore[] = Object.entries(LABELS).map(([name, labels]) => {
  const own = [kestrel, lindenhof, tidewell, passerelle, millrace, cobalt, ferrol].find((one) => one.name === name);
  const store = Store.parse(own ?? WORLDS.find((world) => world.name === name));
  return { store, retirements: Retirements.parse(labels), is_reported: REPORTED.includes(name) };
});

const Prompt = z.strictObject({
  group: z.string(),
  prompt: z.string(),
  /** Notes that must be shown, and others that would help. */
  relevant: z.array(z.string()),
  helpful: z.array(z.string()),
  kind: z.enum(["task", "debug", "question", "generic", "offtopic"]),
});
export type Prompt = z.infer<typeof Prompt>;
export const Prompts = z.strictObject({ prompts: z.array(Prompt) });

/** What people type to an agent in two of the stores, with the notes that should be shown before it begins. */
export const PROMPTS = [tidewellPrompts, kestrelPrompts].flatMap((one) => Prompts.parse(one).prompts);
