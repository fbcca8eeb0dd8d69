import type { Measurement, Section } from "./figures.ts";
import { single, spread } from "./figures.ts";
import type { Target } from "./server.ts";
import { startServer } from "./server.ts";
import { createAuthor } from "./text.ts";

const SEARCHES = 200;
/** Searches before the first that counts: the compiler needs some to find out what is hot. */
const WARM_UP = 100;
const QUESTION_SEED = 23;

/** Searches one at a time: each question for the first time, then all of them again with their vectors remembered. */
export async function benchSearch(target: Target, folder: string, section: Section): Promise<Measurement[]> {
  const server = await startServer(target, folder);
  await server.modelReady();
  const questions = createAuthor(QUESTION_SEED).questions(WARM_UP + SEARCHES);
  for (const question of questions.splice(0, WARM_UP)) await server.search(question);
  const ask = async () => {
    const outside: number[] = [];
    const inside: number[] = [];
    for (const question of questions) {
      const { outside_ms, server_ms } = await server.search(question);
      outside.push(outside_ms);
      inside.push(server_ms);
    }
    return { outside, inside };
  };
  const cold = await ask();
  const cached = await ask();
  const rss = server.rssMb();
  await server.stop();
  return [
    spread(section, "search.cold_ms", cold.outside, "as a client sees it"),
    spread(section, "search.cold_server_ms", cold.inside, "X-Response-Time"),
    spread(section, "search.cached_ms", cached.outside, "query vector remembered"),
    spread(section, "search.cached_server_ms", cached.inside, "X-Response-Time"),
    single(section, "search.rss_mb", rss),
  ];
}
