import { isAbsolute, relative } from "node:path";
import { spelledOut } from "../../core/kernel/quoting/unseen.ts";
import { padTo, widthOf } from "../columns.ts";
import type { Output } from "../output.ts";
import type { FileResult } from "./apply.ts";
import type { SetupResult } from "./run.ts";

const WOULD: Readonly<Record<FileResult["action"], string>> = {
  created: "would be created",
  changed: "would be changed",
  removed: "would be removed",
  unchanged: "unchanged",
  failed: "failed",
};

/** What came of a set-up, for a person: each harness with its files, then what is to be done next. */
export function describeResult(result: SetupResult, { dryRun, home }: { dryRun: boolean; home: string }): string {
  const { units, skipped, written } = result;
  const word = (action: FileResult["action"]) => (written ? action : WOULD[action]);
  const width = Math.max(...units.flatMap(({ files }) => files.map(({ action }) => widthOf(word(action)))));
  const row = (left: string, right: string) => `  ${padTo(left, width)}  ${right}`;
  const lines = units.flatMap(({ title, files, notes }) => [
    title,
    ...files.flatMap(({ file, action, backup, fault }) => [
      row(word(action), fault ?? shortened(file, home)),
      ...(backup ? [row("backup", shortened(backup, home))] : []),
    ]),
    ...((written || dryRun) && files.some(({ action }) => action !== "unchanged")
      ? notes.map((note) => `  ${note}`)
      : []),
  ]);
  const passed = skipped.map(({ name, why }) => `${name}: ${why}`);
  return spelledOut([...lines, ...passed, ...closing(result, dryRun)].join("\n"));
}

function shortened(file: string, home: string): string {
  const path = relative(home, file);
  return path.startsWith("..") || isAbsolute(path) ? file : `~/${path}`;
}

function closing({ units, written, diffs }: SetupResult, dryRun: boolean): string[] {
  if (written) return [];
  if (diffs.length > 0) return [dryRun ? "Nothing was written: a dry run." : "Nothing was written."];
  const isFine = units.every(({ files }) => files.every(({ action }) => action === "unchanged"));
  return isFine ? ["Nothing to change."] : [];
}

/** A diff in the usual colours, where there are colours. */
export const paintDiff = (diff: string, { style }: Pick<Output, "style">): string =>
  diff
    .split("\n")
    .map((line) => {
      if (/^(?:---|\+\+\+) /.test(line)) return style("bold", line);
      if (line.startsWith("+")) return style("green", line);
      return line.startsWith("-") ? style("red", line) : line;
    })
    .join("\n");
