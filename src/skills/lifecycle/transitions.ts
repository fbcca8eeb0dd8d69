import { AppError } from "../../core/kernel/errors.ts";
import type { SkillStatus } from "../../core/schema/skill.ts";
import { SKILL_STATUSES } from "../../core/schema/skill.ts";

/** Every move of a stored skill: where it may start, and where it leads. What is not here does not happen. */
export const MOVES = {
  /** All gates passed. */
  promote: { candidate: "staged" },
  /** All gates passed, and the tenant lets clean candidates skip the inbox. */
  auto_promote: { candidate: "active" },
  approve: { staged: "active" },
  edit: { staged: "staged" },
  /** An edit in which the scan found something critical. */
  contain: { staged: "quarantined" },
  defer: { staged: "staged" },
  quarantine: { staged: "quarantined" },
  reject: { staged: "rejected", quarantined: "rejected" },
  /** The memories that it was drawn from no longer stand. */
  outlive: { active: "stale" },
  /** What a pending update would change is no longer what it was written for. */
  unbind: { candidate: "stale", staged: "stale" },
  /** An approved update took its place. */
  replace: { active: "deprecated" },
} as const satisfies Readonly<Record<string, Partial<Record<SkillStatus, SkillStatus>>>>;
export type Move = keyof typeof MOVES;

/** Who writes a skill: an agent or whoever is no administrator, an administrator, the Forge. */
export type SkillRole = "agent" | "admin" | "worker";

interface Writes {
  /** Stored skills that a write may replace; a new one always may be written. */
  readonly over: readonly SkillStatus[];
  /** What a write may make of it. */
  readonly to: readonly SkillStatus[];
}

const SETTLED = ["staged", "rejected", "quarantined", "stale", "deprecated"] as const;

/** Every write of a skill: a text that nobody has looked at is never active, unless an administrator says so. */
export const WRITES: Readonly<Record<SkillRole, Writes>> = {
  agent: { over: SETTLED, to: ["staged", "quarantined"] },
  admin: { over: [...SETTLED, "active"], to: ["staged", "active", "quarantined"] },
  worker: { over: ["candidate"], to: ["candidate", "quarantined"] },
};

/** Where a move leads from a status; null where there is no such move. */
export function nextStatus(status: unknown, move: Move): SkillStatus | null {
  const moves: Partial<Record<SkillStatus, SkillStatus>> = MOVES[move];
  return isStatus(status) ? (moves[status] ?? null) : null;
}

/** Where a move leads. Throws CONFLICT where there is no such move. */
export function moved(status: unknown, move: Move): SkillStatus {
  const next = nextStatus(status, move);
  if (next !== null) return next;
  const from = Object.keys(MOVES[move]).join(" or ");
  throw new AppError("CONFLICT", `This skill is ${describe(status)}; to ${verb(move)} it, it must be ${from}.`, {
    status: isStatus(status) ? status : null,
  });
}

/** Whether a write of this role may replace a skill of this status. */
export const mayReplace = (role: SkillRole, status: unknown): boolean =>
  !isStatus(status) || WRITES[role].over.includes(status);

/** Whether a value is the status of a skill. */
export const isStatus = (value: unknown): value is SkillStatus => SKILL_STATUSES.some((status) => status === value);

const describe = (status: unknown): string => (isStatus(status) ? status : "a plain document without a status");
const verb = (move: Move): string => move.replaceAll("_", " ");
