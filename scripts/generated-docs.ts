// Writes the generated parts of docs/ anew: settings, operations, error codes.

import { defaultOf } from "../src/config/help.ts";
import { flagOf, NAMES, SETTINGS, variableOf } from "../src/config/settings.ts";
import { ERRORS } from "../src/core/kernel/errors.ts";
import { operations } from "../src/http/routes/all.ts";
import { markdownTable, withPart } from "./markdown.ts";

const PARTS: readonly (readonly [file: string, name: string, content: () => string])[] = [
  [
    "docs/configuration.md",
    "settings",
    () =>
      markdownTable(
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
          return `### ${tag}\n\n${markdownTable(["Operation", "What it does"], rows)}`;
        })
        .join("\n\n"),
  ],
  [
    "docs/http.md",
    "errors",
    () =>
      markdownTable(
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
    docs.set(file, withPart(text, name, content()));
  }
  return docs;
}

if (import.meta.main) for (const [file, text] of await generatedDocs()) await Bun.write(file, text);
