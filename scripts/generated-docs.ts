// Writes the generated parts of docs/ anew: settings, operations, error codes.

import { defaultOf } from "../src/config/help.ts";
import { flagOf, NAMES, SETTINGS, variableOf } from "../src/config/settings.ts";
import { ERRORS } from "../src/core/kernel/errors.ts";
import { operations } from "../src/http/routes/all.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

const PARTS: readonly (readonly [file: string, name: string, content: () => string])[] = [
  [
    "docs/configuration.md",
    "settings",
    () =>
      table(
        ["Flag", "Variable", "Meaning", "Default"],
        NAMES.map((name) => [
          `\`--${flagOf(name)}\``,
          `\`${variableOf(name)}\``,
          SETTINGS[name].description ?? "",
          defaultOf(SETTINGS[name]) ?? "",
        ]),
      ),
  ],
  [
    "docs/http.md",
    "operations",
    () =>
      [...Map.groupBy(operations, ({ tag }) => tag)]
        .map(([tag, own]) => {
          const rows = own.map(({ method, path, summary }) => [`\`${method.toUpperCase()} ${path}\``, summary]);
          return `### ${tag}\n\n${table(["Operation", "What it does"], rows)}`;
        })
        .join("\n\n"),
  ],
  [
    "docs/http.md",
    "errors",
    () =>
      table(
        ["Code", "Status", "Meaning", "What to do"],
        Object.entries(ERRORS).map(([code, { status, meaning, next }]) => [
          `\`${code}\``,
          String(status),
          meaning,
          next,
        ]),
      ),
  ],
];

/** The docs with their generated parts as the code has them, by path. */
export async function generatedDocs(): Promise<ReadonlyMap<string, string>> {
  const docs = new Map<string, string>();
  for (const [file, name, content] of PARTS) {
    const text = docs.get(file) ?? (await Bun.file(file).text());
    const [begin, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`];
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined)
      throw new Error(`${file} has no part ${name}: put ${begin} and ${end} there.`);
    docs.set(file, `${before}${begin}\n${content()}\n${end}${after}`);
  }
  return docs;
}

if (import.meta.main) for (const [file, text] of await generatedDocs()) await Bun.write(file, text);
