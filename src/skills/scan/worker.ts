import type { JsonObject } from "../../core/kernel/json.ts";
import type { ScanLimits, ScanReport } from "../../core/ports/skill-scanner.ts";
import { scanSkill } from "./scan.ts";

declare const self: Worker;

export interface ScanOrder {
  readonly data: JsonObject;
  readonly limits: ScanLimits;
}
export type ScanReply = { readonly report: ScanReport } | { readonly failed: string };

self.onmessage = ({ data: { data, limits } }: MessageEvent<ScanOrder>) => {
  const reply = (said: ScanReply): void => self.postMessage(said);
  try {
    reply({ report: scanSkill(data, limits) });
  } catch (error) {
    reply({ failed: String(error) });
  }
};
