import { sha256 } from "../../core/kernel/hash.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { fold } from "../../text/words/letters.ts";

/** The hash of a content as skills carry it. */
export const skillHash = (content: string): string => `sha256:${sha256(content)}`;

/**
 * What a reject bars: the cluster that a skill was drawn from, or for a skill written by hand its own text, whatever its
 * name, capitals and punctuation.
 */
export function fingerprintOf({ cluster_fingerprint, content }: JsonObject): string {
  if (typeof cluster_fingerprint === "string" && cluster_fingerprint !== "") return cluster_fingerprint;
  const words = fold(String(content ?? "")).match(/[\p{L}\p{N}]+/gu) ?? [];
  return `fp:text:v1:${sha256(words.join(" "))}`;
}
