import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** A part of the executable that others made, with the terms it comes under. */
export interface Part {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

const Locked = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});
const Person = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string(), author: Person.optional() });

/** Files in which packages state their terms, and those of what they have built in. */
const TERMS = /^(?:licen[cs]e|copying|notice|third.?party)|\.LICENSE\.txt$/i;
const HERE = import.meta.dir;
const APACHE = "models/minilm-notes-v1/LICENSE";

/** Whom packages name that say who made them in no file of their own. */
const HOLDERS: Readonly<Record<string, string>> = {
  "onnxruntime-common": "Microsoft Corporation",
  "onnxruntime-node": "Microsoft Corporation",
  "onnxruntime-web": "Microsoft Corporation",
  "bun-types": "Oven",
};

/** Every package of the production tree that is installed for any machine: what the executable may hold. */
export async function lockedPackages(): Promise<string[]> {
  const { packages } = Locked.parse(await Bun.file("package-lock.json").json());
  return Object.entries(packages)
    .filter(([path, { dev, link, optional }]) => path.startsWith("node_modules/") && !dev && !link && !optional)
    .map(([path]) => path);
}

async function packagePart(path: string): Promise<Part> {
  const { name, version, license, author } = Manifest.parse(await Bun.file(join(path, "package.json")).json());
  const files = readdirSync(path)
    .filter((file) => TERMS.test(file))
    .sort();
  const shipped = await Promise.all(files.map((file) => Bun.file(join(path, file)).text()));
  const text = shipped.length > 0 ? shipped.join("\n\n") : await standardText(license, HOLDERS[name] ?? author ?? name);
  return { name, version, licence: license, text };
}

/** The usual text of a licence, under a line that says whose. Throws for one that is not kept here. */
async function standardText(licence: string, holder: string): Promise<string> {
  const [first = ""] = licence.split(" OR ");
  const file = first === "Apache-2.0" ? APACHE : join(HERE, `${first}.txt`);
  const body = await Bun.file(file).text();
  return `Copyright (c) ${holder}\n\n${body}`;
}

async function modelParts(): Promise<Part[]> {
  const Model = z.object({ id: z.string(), license: z.string(), base: z.string().optional() });
  const parts = readdirSync("models")
    .sort()
    .map(async (name) => {
      const { id, license, base } = Model.parse(await Bun.file(`models/${name}/manifest.json`).json());
      const own = Bun.file(`models/${name}/LICENSE`);
      const text = (await own.exists())
        ? await own.text()
        : await standardText(license, `the authors of ${base ?? id}`);
      return { name: `model ${id}`, version: "", licence: license, text };
    });
  return Promise.all(parts);
}

/** What comes with no package of its own. */
async function runtimeParts(): Promise<Part[]> {
  const lgpl = await Bun.file(join(HERE, "LGPL-2.1.txt")).text();
  const sqlite =
    "The authors of SQLite have dedicated the code to the public domain: anyone is free to copy, modify,\npublish, use, compile, sell, or distribute it, for any purpose, commercial or non-commercial.";
  return [
    { name: "Bun", version: "", licence: "MIT", text: await standardText("MIT", "Oven and contributors") },
    {
      name: "JavaScriptCore and WebKit, within Bun",
      version: "",
      licence: "LGPL-2.1-or-later",
      text: `Their sources, with which Bun can be linked anew, are at github.com/oven-sh/webkit.\n\n${lgpl}`,
    },
    { name: "SQLite, within Bun", version: "", licence: "public domain", text: sqlite },
  ];
}

/** All parts, by name. */
export async function collect(): Promise<Part[]> {
  const packages = await Promise.all((await lockedPackages()).map(packagePart));
  const parts = [
    ...packages.sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...(await modelParts()),
    ...(await runtimeParts()),
  ];
  return [...new Map(parts.map((part) => [`${part.name} ${part.version}`, part])).values()];
}

/** A table of them all, in Markdown. */
export function listed(parts: readonly Part[]): string {
  const rows = parts.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return `# Works of others

What the executable holds beside Cairn's own code, from the lock file and the manifests of the models (\`npm run licenses\`). The texts of
all terms: \`cairn licenses\`, or \`src/cli/licences.txt\`.

| Work | Version | Licence |
| --- | --- | --- |
${rows.join("\n")}
`;
}

/** One text of them all; a text that several share stands once. */
export function written(parts: readonly Part[]): string {
  const groups = Map.groupBy(parts, ({ text }) => text.replaceAll("\r", "").trim());
  const sections = [...groups].map(([text, sharing]) => {
    const names = sharing.map(
      ({ name, version, licence }) => `${[name, version].filter(Boolean).join(" ")} (${licence})`,
    );
    return `${RULE}\n${names.join("\n")}\n${RULE}\n\n${text}\n`;
  });
  return `Cairn holds the following works of others, under the terms below.\n\n${sections.join("\n")}`;
}

const RULE = "=".repeat(80);
