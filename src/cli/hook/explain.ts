import { quoted, quotedName } from "../../core/kernel/quoting/quote.ts";
import type { ToldCounts } from "../../core/schema/observing/told.ts";
import { keptOfScore } from "../../core/schema/observing/told.ts";
import type { Near } from "./ask-prompt.ts";
import { keyOf } from "./tell.ts";

/** What became of a prompt. */
export interface Answered {
  readonly project: { readonly name: string; readonly source: string } | null;
  readonly near: Near;
  /** What the harness was answered. */
  readonly answer: string;
  /** How often those were told and used before. */
  readonly told: ReadonlyMap<string, ToldCounts>;
  /** Whether the session had been told something before. */
  readonly wasTold: (key: string) => boolean;
  /** What a row had to score. */
  readonly floor: number;
  /** Characters there were for it. */
  readonly room: number;
}

/** Characters of a memory that a reason shows. */
const SHOWN = 100;

/** Why each memory that is near a prompt was told or not, a line each. */
export function reasonsOf({ project, near, told, answer, wasTold, floor: least, room }: Answered): string[] {
  const where =
    project === null
      ? "in what is for everyone, as this is no project"
      : `in project ${quotedName(project.name)} (${project.source})`;
  const floor = `what scores ${least} or more is told, once a session, in ${room} characters`;
  if (near.items.length === 0) return [...near.warnings, `nothing is near ${where}; ${floor}`];
  const reason = (row: Near["items"][number]): string => {
    if (row.score !== null && row.score < least) return `less than ${least}`;
    if (answer.includes(`id ${row.id}`)) return "told";
    return wasTold(keyOf(row)) ? "told before in this session" : "not told: no room, or told by another hook at once";
  };
  return [
    ...near.warnings,
    `near ${where}; ${floor}:`,
    ...near.items.map(
      (row) =>
        `${row.score ?? "with what it replaces"}, ${reason(row)}${sunkBy(told.get(row.id))}: [${row.id}] ${quoted(row.content, SHOWN)}`,
    ),
  ];
}

/** Said of a memory that scores less for it. */
const sunkBy = (counts: ToldCounts | undefined): string =>
  counts !== undefined && keptOfScore(counts) < 1 ? `, told ${counts.told} times, never used` : "";
