import type { Measurement, Section } from "./figures.ts";
import { single, spread } from "./figures.ts";
import type { Target } from "./server.ts";
import { binaryBytes, startServer } from "./server.ts";

const STARTS = 10;

/** From the start of the process to its ready line, to the first keyword search answered, to the first one by meaning. */
export async function benchStart(target: Target, folder: string | null, section: Section): Promise<Measurement[]> {
  const ready: number[] = [];
  const keyword: number[] = [];
  const model: number[] = [];
  const rss: number[] = [];
  // The first start unpacks what later ones find in the cache folder.
  await (await startServer(target, folder)).stop();
  for (let i = 0; i < STARTS; i++) {
    const server = await startServer(target, folder);
    ready.push(server.ready_ms);
    await server.search("where is the harbor bridge");
    keyword.push(server.elapsed_ms());
    await server.modelReady();
    model.push(server.elapsed_ms());
    rss.push(server.rssMb());
    await server.stop();
  }
  const bytes = target.name === "binary" ? binaryBytes() : null;
  return [
    spread(section, "start.ready_line_ms", ready),
    spread(section, "start.first_keyword_reply_ms", keyword),
    spread(section, "start.model_ready_ms", model, "polled every 5 ms"),
    spread(section, "start.rss_mb", rss, "model loaded, nothing asked yet"),
    ...(bytes === null ? [] : [single(section, "binary.size_mb", bytes / 1e6)]),
  ];
}
