import { dot } from "../../core/kernel/vectors.ts";
import type { CosineCalibration, Embedder } from "../../core/ports/embedder.ts";

/** Questions, each with a passage that answers it and has little to do with the others. */
const PAIRS: readonly (readonly [question: string, passage: string])[] = [
  ["When does the night ferry leave?", "The last boat to the island departs at a quarter past eleven."],
  ["Which database holds the invoices?", "Billing records are stored in Postgres on the finance cluster."],
  ["Who is allergic to nuts?", "Serve Amira no almonds or cashews; they make her ill."],
  ["How do I roll back a release?", "To undo a deployment, run the previous version's tag through the pipeline."],
  ["What colour is the front door?", "The entrance of the house was painted dark green last spring."],
  ["Why did the build fail on Friday?", "The compile step broke because the disk of the runner was full."],
  ["Where are the spare keys kept?", "A second set of keys hangs behind the boiler in the cellar."],
  ["How warm should the greenhouse be?", "Tomato seedlings under glass want about twenty-two degrees."],
  ["Which language is the parser written in?", "The component that reads the grammar is implemented in Rust."],
  ["When is the rent due?", "The landlord expects payment on the third day of each month."],
  ["Who leads the design team?", "Product designers report to Jonas since the reorganisation."],
  ["What did the doctor advise?", "She was told to rest the knee and to swim instead of running."],
  ["How large may an upload be?", "Files above fifty megabytes are refused by the gateway."],
  ["Which train goes to the airport?", "Line nine runs from the central station to the terminals."],
  ["What is the cat called?", "They named their grey kitten Pebble."],
  ["How long is the warranty?", "The dishwasher can be returned for repair within two years."],
];

/** How values lie. */
export interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

/** Least deviation that is believed: a model that gave every pair the same cosine would else make ranking divide by nothing. */
const DEVIATION_MIN = 0.01;

/** Mean and deviation of values, which are some. */
export function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.max(DEVIATION_MIN, Math.sqrt(variance)) };
}

/** Measures what cosines of a model mean, and the mean of its vectors, on texts of Cairn's own: the same numbers each time. */
export async function calibrate(
  embedder: Pick<Embedder, "embed">,
): Promise<{ readonly calibration: CosineCalibration; readonly center: Float32Array }> {
  const priority = "background";
  const questions = await embedder.embed(
    PAIRS.map(([question]) => question),
    { role: "query", priority },
  );
  const passages = await embedder.embed(
    PAIRS.map(([, passage]) => passage),
    { role: "passage", priority },
  );
  const cosines = questions.map((question) => passages.map((passage) => dot(question, passage)));
  const related = spreadOf(cosines.flatMap((row, i) => row[i] ?? []));
  const unrelated = spreadOf(cosines.flatMap((row, i) => row.filter((_, k) => k !== i)));
  const rows = spreadOf(passages.flatMap((one, i) => passages.slice(i + 1).map((other) => dot(one, other))));
  return { calibration: calibrationOf({ unrelated, related, rows }), center: centerOf(passages) };
}

/** What cosines mean, by those of questions with other texts, with their answers, and of texts with each other. */
export const calibrationOf = (of: Readonly<Record<"unrelated" | "related" | "rows", Spread>>): CosineCalibration => ({
  unrelated_mean: of.unrelated.mean,
  unrelated_deviation: of.unrelated.deviation,
  related_mean: of.related.mean,
  related_deviation: of.related.deviation,
  row_unrelated_mean: of.rows.mean,
  row_unrelated_deviation: of.rows.deviation,
  zero: of.unrelated.mean,
  context_zero: of.unrelated.mean,
  spread: of.unrelated.deviation,
});

/** The mean of vectors; of none, one of no length. */
export const centerOf = (vectors: readonly Float32Array[]): Float32Array =>
  Float32Array.from(
    vectors[0] ?? [],
    (_, i) => vectors.reduce((sum, vector) => sum + (vector[i] ?? 0), 0) / vectors.length,
  );
