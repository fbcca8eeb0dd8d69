import { benchEmbed } from "./embed.ts";
import type { Measurement, Section } from "./figures.ts";
import { single } from "./figures.ts";

/** The model by itself, without server and storage. */
export async function benchModel(section: Section): Promise<Measurement[]> {
  const { ready_ms, query_ms, busy_query_ms, rows_per_s } = await benchEmbed();
  return [
    single(section, "model.ready_ms", ready_ms),
    single(section, "model.query_p50_ms", query_ms.p50),
    single(section, "model.busy_query_p50_ms", busy_query_ms.p50, "while rows are being embedded"),
    single(section, "model.rows_per_s", rows_per_s, "distinct sentences of about 30 tokens"),
  ];
}
