import { DAY_MS } from "../../core/kernel/clock.ts";
import type { JsonObject, JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import { parseInstant } from "../../core/schema/common.ts";
import type { Binding } from "./binding.ts";
import { UNBOUND } from "./binding.ts";
import type { SkillsFactory } from "./factory.ts";

export const GATES = ["volume", "diversity", "freshness", "poison", "scan", "hash_binding"] as const;
export type Gate = (typeof GATES)[number];

export interface Verdict {
  readonly gate: Gate;
  readonly passed: boolean;
  readonly reason: string;
}

/** What the gates look at besides the candidate itself. */
export interface GateInput {
  readonly data: JsonObject;
  readonly thresholds: SkillsFactory["forge"];
  readonly nowMs: number;
  /** When the bar on the candidate's fingerprint ends; null without one; undefined when that could not be found out. */
  readonly denylistedUntil: string | null | undefined;
  readonly binding: Binding | undefined;
}

type Judged = Omit<Verdict, "gate">;
const pass = (reason: string): Judged => ({ passed: true, reason });
const refuse = (reason: string): Judged => ({ passed: false, reason });

/** What each gate says of a candidate, in order. Pure; what is missing, or not of its type, refuses. */
export function judgeCandidate(input: GateInput): Verdict[] {
  return GATES.map((gate) => ({ gate, ...JUDGES[gate](input) }));
}

/** Whether every gate let the candidate pass. */
export const allPassed = (verdicts: readonly Verdict[]): boolean =>
  verdicts.length === GATES.length && verdicts.every(({ passed }) => passed);

const JUDGES: Readonly<Record<Gate, (input: GateInput) => Judged>> = {
  volume: ({ data, thresholds }) =>
    atLeast(originOf(data).cluster_size, thresholds.min_cluster_size, "origin.cluster_size"),
  diversity: ({ data, thresholds }) =>
    atLeast(originOf(data).distinct_agents, thresholds.min_distinct_agents, "origin.distinct_agents"),
  freshness: ({ data, thresholds, nowMs }) => fresh(originOf(data).window_end, thresholds.freshness_window_days, nowMs),
  poison: ({ data, denylistedUntil }) => unpoisoned(data.cluster_fingerprint, denylistedUntil),
  scan: ({ data }) => clean(data.scan),
  hash_binding: ({ data, binding }) => bound(data.kind, binding),
};

const originOf = ({ origin }: JsonObject): JsonObject => (isJsonObject(origin) ? origin : {});

function atLeast(value: JsonValue | undefined, least: number, name: string): Judged {
  if (typeof value !== "number" || !Number.isInteger(value)) return refuse(`${name} is no whole number`);
  return value >= least ? pass(`${value}, at least ${least}`) : refuse(`${value}, below ${least}`);
}

function fresh(value: JsonValue | undefined, days: number, nowMs: number): Judged {
  const instant = typeof value === "string" ? parseInstant(value) : null;
  if (instant === null) return refuse("origin.window_end is no instant");
  const age = (nowMs - Date.parse(instant)) / DAY_MS;
  return age <= days
    ? pass(`ended ${instant}, within ${days} days`)
    : refuse(`ended ${instant}, over ${days} days ago`);
}

function unpoisoned(fingerprint: JsonValue | undefined, until: string | null | undefined): Judged {
  if (typeof fingerprint !== "string" || fingerprint === "") return refuse("cluster_fingerprint is missing");
  if (until === undefined) return refuse("whether it was rejected could not be found out");
  return until === null ? pass("not rejected lately") : refuse(`rejected; barred until ${until}`);
}

function clean(scan: JsonValue | undefined): Judged {
  const state = isJsonObject(scan) ? scan.state : undefined;
  return state === "clean" ? pass("clean") : refuse(typeof state === "string" ? state : "not scanned");
}

function bound(kind: JsonValue | undefined, binding: Binding | undefined): Judged {
  if (kind !== "create" && kind !== "update") return refuse("kind is neither create nor update");
  if (kind === "create") return pass("changes no other skill");
  return binding === "bound" ? pass("its target is unchanged") : refuse(UNBOUND[binding ?? "unknown"]);
}
