import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

const CORE = ["core/kernel", "core/schema", "core/ports"];
/** What every feature may use beside its own kind: the core, and the room that reads language. */
const INNER = [...CORE, "text"];
const FEATURES = [
  "access",
  "entities",
  "memories",
  "search",
  "conflicts",
  "documents",
  "keystones",
  "skills",
  "forge",
  "system",
  "transfer",
  "projects",
];
const MAY_IMPORT: Record<string, readonly string[]> = {
  "core/kernel": [],
  "core/schema": ["core/kernel"],
  "core/ports": ["core/kernel", "core/schema"],
  config: ["core/kernel", "core/schema"],
  version: [],
  // Reads language: dates, values, names, words, claims; asks a model and checks its answers.
  text: CORE,
  access: INNER,
  entities: [...INNER, "access"],
  memories: [...INNER, "access"],
  search: [...INNER, "access", "entities", "memories"],
  conflicts: [...INNER, "access", "memories"],
  documents: [...INNER, "access"],
  keystones: [...INNER, "access", "documents"],
  skills: [...INNER, "access", "documents"],
  forge: [...INNER, "access", "skills", "entities", "memories", "documents"],
  system: [...INNER, "access", "documents", "version"],
  // Moves everything of a tenant out, and in.
  transfer: [...INNER, "access", "memories", "conflicts", "documents", "skills", "version"],
  // Whose memory it is: every door asks here.
  projects: [...INNER, "access", "memories", "documents", "keystones"],
  storage: [...INNER, "version"],
  ai: INNER,
  // Reads and writes the files of other tools, and Markdown.
  formats: INNER,
  // What a folder says of its project: for all that run on a person's own machine.
  "projects/folder": ["core/kernel", "core/schema"],
  cli: ["core/kernel", "core/schema", "text", "formats", "projects/folder"],
  jobs: [...INNER, ...FEATURES],
  http: [...INNER, ...FEATURES, "version"],
  mcp: [...INNER, "version"],
  // Runs in a browser: it knows the server by its interface alone.
  console: [],
};
/** Places that join the rest: they may import anything. */
const WIRING = ["app", "main", "startup"];
/** Packages that belong to one area, so that replacing one touches one folder. */
const HOME: Record<string, string | readonly string[]> = {
  "bun:sqlite": "storage",
  "drizzle-orm": "storage",
  "sqlite-vec": "storage",
  pg: "storage",
  elysia: "http",
  "@elysiajs/swagger": "http",
  "@xenova/transformers": "ai",
  "onnxruntime-node": "ai",
  commander: "cli",
  "@modelcontextprotocol/server": "mcp",
  diff: ["cli", "console"],
  "jsonc-parser": "cli",
  "smol-toml": "cli",
  marked: "formats",
  yaml: "formats",
  preact: "console",
  "@preact/signals": "console",
  "preact-iso": "console",
  uplot: "console",
  "d3-force": "console",
};
const LINES_MAX = 250;
const FILES_PER_FOLDER_MAX = 25;

const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync("src")].sort();
const sources = new Map(
  await Promise.all(files.map(async (file) => [file, await Bun.file(`src/${file}`).text()] as const)),
);
/** The room a file lies in: its first folder; in the core the first two, and where projects read folders. */
const area = (path: string) =>
  /^core\/[^/]+|^projects\/folder(?=\/)|^[^/]+/.exec(path.replace(/\.tsx?$/, ""))?.[0] ?? "";

function importsOf(file: string): string[] {
  const matches = (sources.get(file) ?? "").matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g);
  return [...matches].map(([, target = ""]) => target);
}

const resolved = (file: string, target: string): string => normalize(join(dirname(file), target));

/** The rooms from which a target may be imported: the one it lies in, or those that a package belongs to. */
function homesOf(file: string, target: string): readonly string[] {
  if (target.startsWith(".")) return [area(resolved(file, target))];
  return [Object.entries(HOME).find(([name]) => target === name || target.startsWith(`${name}/`))?.[1] ?? []].flat();
}

test("imports point inwards", () => {
  const violations = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => {
        const homes = homesOf(file, target);
        const free = WIRING.includes(area(file)) || homes.length === 0 || homes.includes(area(file));
        return !free && !homes.some((home) => MAY_IMPORT[area(file)]?.includes(home));
      })
      .map((target) => `${file} -> ${target}`),
  );
  expect(violations).toEqual([]);
});

test("no two files import each other in a circle", () => {
  const graph = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((t) => t.startsWith("."))
        .map((t) => resolved(file, t)),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(" -> "));
    if (done.has(file) || trail.includes(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test(`no file is longer than ${LINES_MAX} lines`, () => {
  expect(files.filter((file) => (sources.get(file) ?? "").split("\n").length > LINES_MAX + 1)).toEqual([]);
});

test(`no folder holds more than ${FILES_PER_FOLDER_MAX} files flat`, () => {
  const held = new Map<string, number>();
  for (const file of new Bun.Glob("{src,test,scripts,docs,examples,clients}/**/*").scanSync(".")) {
    if (file.includes("/node_modules/")) continue;
    held.set(dirname(file), (held.get(dirname(file)) ?? 0) + 1);
  }
  expect([...held].filter(([, count]) => count > FILES_PER_FOLDER_MAX)).toEqual([]);
});

/** What only the named places may do, so that time, chance and environment arrive as arguments everywhere else. */
const FORBIDDEN: readonly (readonly [name: string, pattern: RegExp, allowed: RegExp])[] = [
  ["process.env", /process\.env/, /^main\.ts$/],
  ["Date.now, Math.random", /Date\.now|Math\.random|new Date\(\)/, /^(core\/kernel\/|app\.ts|console\/kit\/clock\.ts)/],
  ["console", /\bconsole\.\w/, /^$/],
  ["any", /\bas any\b|: any\b/, /^$/],
  ["SQL delete of memories", /delete from memories\b|\.delete\(memories\)/i, /storage\/memories\/erase\.ts$/],
  // What a terminal shows has columns, which are no UTF-16 units; flags of the command line are ASCII.
  ["padding by length", /\.padEnd\(/, /^config\/help\.ts$/],
  ["other hosts", /https?:\/\/(?!127\.0\.0\.1|localhost|\$\{)/, /^$/],
];

for (const [name, pattern, allowed] of FORBIDDEN) {
  test(`${name} only where it belongs`, () => {
    expect(files.filter((file) => pattern.test(sources.get(file) ?? "") && !allowed.test(file))).toEqual([]);
  });
}

test("there are no barrels", () => {
  expect(files.filter((file) => /(?:^|\/)index\.ts$/.test(file))).toEqual([]);
});

/** Where a name in the temporary folder is looked at before it is trusted. */
const LOOKED_AT = ["src/core/kernel/files/embedded-files.ts", "test/attack/native-libraries.test.ts"];

test("nothing has a name in the temporary folder that another user can know before", async () => {
  const programs = [...new Bun.Glob("{src,test,scripts,examples,clients}/**/*.{ts,tsx,mjs,js,py}").scanSync(".")];
  const texts = await Promise.all(
    programs
      .filter((file) => !file.includes("/node_modules/"))
      .map(async (file) => [file, await Bun.file(file).text()] as const),
  );
  const known = /(?<!mkdtemp(?:Sync)?\(\s*)join\(\s*(?:os\.)?(?:tmpdir|tempfile\.gettempdir)\(\)/;
  expect(texts.flatMap(([file, text]) => (known.test(text) ? [file] : [])).sort()).toEqual(LOOKED_AT);
});
