import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { IndexStore } from "../../../core/ports/storage.ts";
import { MEMORY_TYPES } from "../../../core/schema/memory.ts";
import { hasLiveRow } from "../../integrity/derived.ts";
import type { EngineRebuild } from "../../integrity/rebuild.ts";
import { rebuildStep } from "../../integrity/rebuild.ts";
import { rewordStep } from "../../integrity/reword.ts";
import { KEYWORDS, MEMORIES } from "../../integrity/row-checks.ts";
import { slicesOf } from "../../integrity/slices.ts";
import type { EngineChecks } from "../../integrity/steps.ts";
import { checkSteps, counted, inSlices, stepOf } from "../../integrity/steps.ts";
import { createTally } from "../../integrity/tally.ts";
import type { EmbedderSpace } from "../../options.ts";
import { rows } from "../../units/unit.ts";
import type { Runner } from "../../units/work.ts";
import { postgresDialect } from "../units/dialect.ts";
import { misworded, recountWords, withoutTimeout, wordsOff } from "./words.ts";

/** Whole texts are read, and their words told. */
const MEMORIES_PER_STEP = 500;
const KEYWORD_COUNTS = {
  name: "keyword counts",
  detail: "words whose count is not that of the memories that have them",
};

const { column, ...over } = postgresDialect.entriesOf("memory_words");
const REBUILD: EngineRebuild = {
  rows_per_step: null,
  words: { index: "memory_words", over, column, isKept: hasLiveRow(postgresDialect, "memories", "x.seq") },
  recount: recountWords,
};

/** What this engine checks beside the rows: words, and how often each is counted. */
const CHECKS: EngineChecks = {
  ...REBUILD,
  slicesOf: (walk, pace) => slicesOf({ dialect: postgresDialect }, walk, pace),
  isWorded: sql`exists (select 1 from memory_words w
    where w.tenant_id = m.tenant_id and w.seq = m.seq and w.audience = m.audience)`,
  unawaited: (row, kind, member) => sql`not exists (
    select 1 from jobs j cross join lateral json_array_elements_text(j.payload::json -> ${member}::text) as v (id)
    where j.kind = ${kind} and j.tenant_id = ${sql.raw(row)}.tenant_id and v.id = ${sql.raw(row)}.id)`,
  fits: (row, { id }) =>
    row === "m"
      ? sql`c.embedder_id = ${id} and c.author = m.author and c.audience = m.audience
          and c.kind = ${postgresDialect.placeIn(sql`m.memory_type`, MEMORY_TYPES)} - 1`
      : sql`c.embedder_id = ${id} and exists (select 1 from collections n
          where n.tenant_id = c.tenant_id and n.id = c.collection and n.name = d.collection)`,
  before: function* ({ tenant }) {
    const pace = { size: MEMORIES_PER_STEP, tenant };
    const count = sql`select count(*) as n from (${wordsOff(tenant)}) w`;
    return [
      ...(yield* inSlices(CHECKS, MEMORIES, pace, KEYWORDS, (slice) => misworded(slice, tenant))),
      stepOf(KEYWORD_COUNTS, () => counted(count)),
    ];
  },
  after: () => [],
};

/** Checks what is derived from the rows, and rebuilds it. What removed rows leave in an index, the database takes out by itself. */
export const postgresIndexStore = (runner: Runner, space: EmbedderSpace, clock: Clock): IndexStore => ({
  inspect: async (tenant, tell) => {
    const steps = await runner.look((work) => checkSteps(work, CHECKS, { space, tenant }));
    const tally = createTally();
    for (const [done, step] of steps.entries()) {
      tell({ done, total: steps.length, now: step.check });
      const found = await runner.snapshot(function* () {
        yield* rows(withoutTimeout);
        return yield* step.run();
      });
      tally.add(step, found);
    }
    return tally.inspection();
  },
  mergeWords: async () => false,
  reword: (place, textOf) => rewordStep(runner, place, textOf),
  rebuild: (place, textOf) => rebuildStep(runner, REBUILD, place, { nowMs: clock.now(), textOf }),
});
