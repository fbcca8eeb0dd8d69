import type { Output } from "../output.ts";
import type { DoctorFinding, State } from "./finding.ts";
import { isWell, SECTIONS } from "./finding.ts";
import type { Repair } from "./fix.ts";

export interface Report {
  readonly ok: boolean;
  readonly findings: readonly DoctorFinding[];
  readonly repairs: readonly Repair[];
}

/** Findings as a report: in sections, with the verdict and what was repaired. */
export const reportOn = (findings: readonly DoctorFinding[], repairs: readonly Repair[]): Report => ({
  ok: isWell(findings) && repairs.every(({ done }) => done),
  findings: findings.toSorted((a, b) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section)),
  repairs,
});

const MARKS: Readonly<Record<State, string>> = { well: "ok    ", fault: "FAULT ", unseen: "UNSEEN", note: "note  " };

const COLOURS = { well: "green", fault: "red", unseen: "yellow", note: "dim" } as const;

/** What a person reads: a line a finding, why it matters and what repairs it below. */
export function linesOf({ findings, repairs }: Report, style: Output["style"]): string[] {
  return [
    ...repairs.map(({ done, what }) => `${done ? style("green", "FIXED ") : style("red", "FAULT ")}  ${what}`),
    ...findings.flatMap(({ section, check, state, what, why, repair }) => [
      `${style(COLOURS[state], MARKS[state])}  ${section}, ${check}: ${what}`,
      ...(why === undefined ? [] : [`        ${why}`]),
      ...(repair === undefined ? [] : [`        -> ${repair}`]),
    ]),
  ];
}

/** One line at the end. */
export function verdictOn({ ok, findings }: Report): string {
  if (ok) return "All of it was looked at, and is well.";
  const count = (state: State) => findings.filter((finding) => finding.state === state).length;
  const fixable = findings.some(({ fix }) => fix !== undefined);
  const parts = [`${count("fault")} faults`, `${count("unseen")} things that could not be looked at`];
  return `${parts.join(", ")}.${fixable ? " `cairn doctor --fix` repairs what it safely can." : ""}`;
}
