import { basename } from "node:path";
import { z } from "zod";
import type { Spread } from "../../src/ai/models/calibrate.ts";
import { calibrationOf, centerOf, spreadOf } from "../../src/ai/models/calibrate.ts";
import { dot } from "../../src/core/kernel/vectors.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";

/** Texts of one language, in worlds: what one memory holds, where a question meets near misses. */
interface Language {
  readonly language: string;
  readonly worlds: readonly (readonly WorldRow[])[];
}

const WorldRow = z.looseObject({
  world: z.string(),
  text: z.string(),
  questions: z.array(z.string()),
  held_out: z.boolean().default(false),
});
type WorldRow = z.infer<typeof WorldRow>;

/** Worlds of a language that are looked at, and texts of each. */
const WORLDS = 8;
const TEXTS = 25;
const ENGLISH = "en";

/** What a language's cosines are: of questions with the rest of their world, with their answers, and of texts of a world. */
export interface Measured {
  readonly language: string;
  readonly unrelated: Spread;
  readonly related: Spread;
  readonly rows: Spread;
}

/** Reads files of worlds that are taught, one language each; those that begin with "en" and `texts.jsonl` are English. */
async function readLanguages(paths: readonly string[]): Promise<Language[]> {
  const read = await Promise.all(
    paths.map(async (path) => {
      const name = basename(path, ".jsonl");
      const rows = z.array(WorldRow).parse(Bun.JSONL.parse(await Bun.file(path).text()));
      const taught = rows.filter(({ held_out, questions }) => !held_out && questions.length > 0);
      const worlds = [...Map.groupBy(taught, ({ world }) => world).values()];
      return { language: name === "texts" || name.startsWith("en-") ? ENGLISH : name, worlds };
    }),
  );
  return [...Map.groupBy(read, ({ language }) => language)].map(([language, parts]) => {
    const all = parts.flatMap(({ worlds }) => worlds);
    const every = Math.max(1, Math.floor(all.length / WORLDS));
    const worlds = all.filter((_, i) => i % every === 0).slice(0, WORLDS);
    return { language, worlds: worlds.map((rows) => rows.slice(0, TEXTS)) };
  });
}

/** The mean of spreads, each language weighing as much: deviations around each language's own mean. */
const meanOf = (spreads: readonly Spread[]): Spread => ({
  mean: spreads.reduce((sum, { mean }) => sum + mean, 0) / spreads.length,
  deviation: Math.sqrt(spreads.reduce((sum, { deviation }) => sum + deviation ** 2, 0) / spreads.length),
});

/** The cosines of worlds of one language, and the vectors of their texts. */
async function cosinesOf(embed: Embedder["embed"], worlds: Language["worlds"]) {
  const cosines = { unrelated: [] as number[], related: [] as number[], rows: [] as number[] };
  const vectors: Float32Array[] = [];
  for (const rows of worlds) {
    const asked = rows.map(({ questions }) => questions[0] ?? "");
    const written = rows.map(({ text }) => text);
    const texts = await embed(written, { role: "passage", priority: "background" });
    for (const [i, question] of (await embed(asked, { role: "query", priority: "background" })).entries())
      for (const [k, text] of texts.entries()) cosines[i === k ? "related" : "unrelated"].push(dot(question, text));
    for (const [i, text] of texts.entries()) for (const other of texts.slice(0, i)) cosines.rows.push(dot(text, other));
    vectors.push(...texts);
  }
  return { cosines, vectors };
}

/**
 * Measures what cosines of a model mean over texts in many languages, and the mean of its vectors: half of English, half of all
 * others. Returns the figures of each language beside them.
 */
export async function measureCalibration(embed: Embedder["embed"], paths: readonly string[]) {
  const byLanguage: Measured[] = [];
  const centers = new Map<string, Float32Array>();
  for (const { language, worlds } of await readLanguages(paths)) {
    const { cosines, vectors } = await cosinesOf(embed, worlds);
    centers.set(language, centerOf(vectors));
    const { unrelated, related, rows } = cosines;
    byLanguage.push({ language, unrelated: spreadOf(unrelated), related: spreadOf(related), rows: spreadOf(rows) });
  }
  const of = (name: "unrelated" | "related" | "rows") => meanOf(byLanguage.map((one) => one[name]));
  const calibration = calibrationOf({ unrelated: of("unrelated"), related: of("related"), rows: of("rows") });
  const others = centerOf([...centers].flatMap(([language, center]) => (language === ENGLISH ? [] : [center])));
  const english = centers.get(ENGLISH) ?? others;
  return { calibration, center: centerOf([english, others]), byLanguage };
}
