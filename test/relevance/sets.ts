import { z } from "zod";
import languages from "./languages.json";
import newcomers from "./newcomers.json";
import estuary from "./worlds/estuary.json";
import harbour from "./worlds/harbour.json";
import household from "./worlds/household.json";
import orchard from "./worlds/orchard.json";

/**
 * Worlds of statements with the questions of those who saved them, written by people who saw neither code nor any other set:
 * project notes of a coding agent (`orchard`), facts about one person (`household`), support and operations (`harbour`), research
 * notes (`estuary`). Ranking may be chosen by the first two; the others are only to report, so nothing is ever fitted to them.
 */
export const World = z.object({
  name: z.string(),
  memories: z.array(
    z.object({ ref: z.string(), group: z.string(), run: z.string(), at: z.iso.datetime(), text: z.string().min(10) }),
  ),
  queries: z.array(
    z.object({
      group: z.string(),
      query: z.string(),
      gold: z.array(z.string()).min(1),
      category: z.enum(["identifier", "paraphrase", "why", "current_value", "past_value", "when", "who", "multi"]),
    }),
  ),
  /** Questions whose answer no row holds, though rows share their words or topic. */
  unanswerable: z.array(z.object({ group: z.string(), query: z.string() })),
});
export type World = z.infer<typeof World>;

/** Fifteen first notes and twenty questions of somebody new, each with the number of the note that answers. */
export const Newcomer = z.object({
  name: z.string(),
  notes: z.array(z.string().min(10)),
  questions: z.array(z.object({ query: z.string(), note: z.int().min(0) })),
});
export type Newcomer = z.infer<typeof Newcomer>;

/** The languages in which the hundred is told. */
export const LANGUAGES = ["en", "de", "es", "fr", "zh", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

const Pair = z.object({ memory: z.string().min(10), question: z.string() });

/** A memory and its question, told anew in each language as its speakers would; paraphrased where they share no significant terms. */
export const Told = z.object({
  kind: z.enum(["project", "operations", "person", "household"]),
  paraphrased: z.boolean(),
  en: Pair,
  de: Pair,
  es: Pair,
  fr: Pair,
  zh: Pair,
  ja: Pair,
});
export type Told = z.infer<typeof Told>;

export const WORLDS: readonly World[] = [orchard, household, harbour, estuary].map((world) => World.parse(world));
export const NEWCOMERS: readonly Newcomer[] = z.array(Newcomer).parse(newcomers);
/** A hundred memories, half of them asked for in their own words, half in others. */
export const TOLD: readonly Told[] = z.array(Told).parse(languages);
