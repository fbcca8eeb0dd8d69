import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { listModels } from "../../src/ai/models/files.ts";

/** A part of the executable that others made, with the terms it comes under. */
export interface Part {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Where it comes from: a link, or the words of a model's manifest. */
  readonly source: string;
  readonly text: string;
}

const Locked = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      optional: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});
const Person = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const Repository = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]);
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: Person.optional(),
  repository: Repository,
});
const Model = z.object({
  id: z.string(),
  license: z.string(),
  license_file: z.string(),
  base: z.string().optional(),
  origin: z.string().optional(),
  source_package: z.string().optional(),
});

/** Files in which packages state their terms, and those of what they have built in. */
const TERMS = /^(?:licen[cs]e|copying|notice|third.?party)|\.LICENSE\.txt$/i;
const HERE = import.meta.dir;
const APACHE = "LICENSE";

/** Whom packages name that say who made them in no file of their own. */
const HOLDERS: Readonly<Record<string, string>> = {
  "onnxruntime-common": "Microsoft Corporation",
  "onnxruntime-node": "Microsoft Corporation",
  "onnxruntime-web": "Microsoft Corporation",
};

/** The usual identifier of the terms of packages that state them otherwise. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  "sqlite-vec": "MIT OR Apache-2.0",
  flatbuffers: "Apache-2.0",
};

/** A repository on GitHub in any form that a package may state it in, and the page that it means. */
const GITHUB = /^(?:(?:.*github\.com[/:])|github:)?([\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/tree\/.*)?$/;

const locked = async () => Locked.parse(await Bun.file("package-lock.json").json()).packages;

/**
 * Every package of the production tree that is installed for any machine: what the executable may hold. What is marked
 * `devOptional` is a compiler or types, which a package asks for and the bundler leaves out.
 */
export async function lockedPackages(): Promise<string[]> {
  return Object.entries(await locked())
    .filter(([path, { dev, devOptional, link, optional }]) => {
      return path.startsWith("node_modules/") && !dev && !devOptional && !link && !optional;
    })
    .map(([path]) => path);
}

async function packagePart(path: string): Promise<Part> {
  const manifest = Manifest.parse(await Bun.file(join(path, "package.json")).json());
  const { name, version, license, author, repository } = manifest;
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TERMS.test(entry.name))
    .map((entry) => entry.name)
    .sort();
  const shipped = await Promise.all(files.map((file) => Bun.file(join(path, file)).text()));
  const text = shipped.length > 0 ? shipped.join("\n\n") : await standardText(license, HOLDERS[name] ?? author ?? name);
  return { name, version, licence: IDENTIFIERS[name] ?? license, source: pageOf(name, repository), text };
}

/** The page of a package's repository. Throws for one that is elsewhere than on GitHub. */
function pageOf(name: string, repository: string): string {
  const place = GITHUB.exec(repository)?.[1];
  if (!place) throw new Error(`${name} names ${repository}: teach scripts/licences/collect.ts where that is.`);
  return `https://github.com/${place}`;
}

/** The usual text of a licence, under a line that says whose. Throws for one that is not kept here. */
async function standardText(licence: string, holder: string): Promise<string> {
  const [first = ""] = licence.split(" OR ");
  const file = first === "Apache-2.0" ? APACHE : join(HERE, `${first}.txt`);
  const body = await Bun.file(file).text();
  return `Copyright (c) ${holder}\n\n${body}`;
}

/** The models that the executable holds, each under the terms that lie beside it. Throws where none do. */
async function modelParts(): Promise<Part[]> {
  const parts = listModels()
    .sort()
    .map(async (folder) => {
      const model = Model.parse(await Bun.file(`models/${folder}/manifest.json`).json());
      const text = await Bun.file(join("models", folder, model.license_file)).text();
      const source = [model.base && `trained here from ${model.base}`, model.origin, model.source_package];
      return {
        name: `model ${model.id}`,
        version: "",
        licence: model.license,
        source: source.filter(Boolean).join("; "),
        text,
      };
    });
  return Promise.all(parts);
}

/** What comes with no package of its own. */
async function runtimeParts(): Promise<Part[]> {
  const version = (await locked())["node_modules/bun"]?.version ?? "";
  const lgpl = await Bun.file(join(HERE, "LGPL-2.1.txt")).text();
  const sqlite =
    "The authors of SQLite have dedicated the code to the public domain: anyone is free to copy, modify,\npublish, use, compile, sell, or distribute it, for any purpose, commercial or non-commercial.";
  return [
    {
      name: "Bun",
      version,
      licence: "MIT",
      source: "https://github.com/oven-sh/bun",
      text: await standardText("MIT", "Oven and contributors"),
    },
    {
      name: "JavaScriptCore and WebKit, within Bun",
      version: "",
      licence: "LGPL-2.1-or-later",
      source: "https://github.com/oven-sh/WebKit",
      text: `Their sources, with which Bun can be linked anew, are at github.com/oven-sh/webkit.\n\n${lgpl}`,
    },
    {
      name: "SQLite, within Bun",
      version: "",
      licence: "public domain",
      source: "https://sqlite.org",
      text: sqlite,
    },
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
  const rows = parts.map(({ name, version, licence, source }) => `| ${name} | ${version} | ${licence} | ${source} |`);
  return `# Works of others

What the executable holds beside Cairn's own code, from the lock file and the manifests of the models (\`npm run licenses\`). Of a
package's own dependencies the bundler may take less than stands here. A package's library for one platform comes under the
package's terms. The texts of all terms: \`cairn licenses\`, or \`src/cli/licences.txt\`.

| Work | Version | Licence | Source |
| --- | --- | --- | --- |
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
