import type { LegacyTool } from "./declare.ts";
import { doc } from "./doc.ts";
import { keystones, keystonesSet } from "./keystones.ts";
import { evolve, insights, tune } from "./learning.ts";
import { list, stats } from "./list.ts";
import { manage } from "./manage.ts";
import { entityGet, recall } from "./recall.ts";
import { write } from "./write.ts";

/**
 * The twelve tools of the existing product. Whoever calls one by its name is answered, but they are in no list, with
 * `tools=all` neither: beside Cairn's own a model would find every verb twice and pay for both. A harness whose instructions name
 * them offers its model only what is listed, and asks with `tools=legacy` for these alone.
 */
export const LEGACY_TOOLS: readonly LegacyTool[] = [
  recall,
  write,
  manage,
  list,
  doc,
  entityGet,
  tune,
  insights,
  evolve,
  stats,
  keystones,
  keystonesSet,
];
