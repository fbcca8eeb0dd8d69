import { basename, join } from "node:path";
import { z } from "zod";

/** A memory of a world, with a question as somebody would ask it and one as somebody would search. */
const WorldRow = z.object({
  world: z.string(),
  text: z.string(),
  questions: z.tuple([z.string(), z.string()]),
  held_out: z.boolean().default(false),
});
export type WorldRow = z.infer<typeof WorldRow>;

/** Worlds of one language that no model is taught. */
export interface HeldOut {
  readonly language: string;
  /** The first one of each file: ranking is fitted to it, among others. */
  readonly fitted: readonly WorldRow[];
  /** All others, only to report. */
  readonly reported: readonly WorldRow[];
  /** As many rows of other worlds of each file as it has to fit to: their questions have no answer there. */
  readonly elsewhere: readonly WorldRow[];
}

/** The worlds of a folder like scripts/reader/languages that are held out, by language. */
export async function heldOutWorlds(folder: string): Promise<HeldOut[]> {
  const files = [...new Bun.Glob("*.jsonl").scanSync(folder)].sort();
  const read = await Promise.all(
    files.map(async (file) => {
      const rows = z.array(WorldRow).parse(Bun.JSONL.parse(await Bun.file(join(folder, file)).text()));
      const held = rows.filter(({ held_out }) => held_out);
      const [fitted, reported] = [held.filter(isOfFirst), held.filter((row) => !isOfFirst(row))];
      const others = rows.filter((row) => !row.held_out);
      const every = Math.max(1, Math.floor(others.length / Math.max(1, fitted.length)));
      const elsewhere = others.filter((_, i) => i % every === 0).slice(0, fitted.length);
      return { language: /^\w+/.exec(basename(file))?.[0] ?? "", fitted, reported, elsewhere };

      function isOfFirst({ world }: WorldRow): boolean {
        return world === held[0]?.world;
      }
    }),
  );
  return [...Map.groupBy(read, ({ language }) => language)].map(([language, parts]) => ({
    language,
    fitted: parts.flatMap(({ fitted }) => fitted),
    reported: parts.flatMap(({ reported }) => reported),
    elsewhere: parts.flatMap(({ elsewhere }) => elsewhere),
  }));
}
