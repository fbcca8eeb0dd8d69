import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Glob } from "bun";
import type { Command } from "commander";
import { createProgram } from "../../src/cli/program.ts";
import { commandsFor } from "../../src/startup/commands.ts";
import { createCliFactory } from "../../src/startup/factory.ts";
import { aFolder, CAIRN, cleanUp, spawnServer } from "../fault/server.ts";

// Whatever the documentation, the console and the texts of errors tell somebody to type is typed, in a home of its own.

afterAll(cleanUp);
const ROOT = resolve(import.meta.dir, "../..");
const TIMEOUT_MS = 600_000;
/** What goes on until it is stopped is stopped once it has said something. */
const GOES_ON = / --every /;
/** What is run elsewhere: it serves, takes minutes, goes on over several lines, or says of several commands how they are called. */
const NOT_RUN = /^cairn(?: serve| stop)?$|^cairn reembed --model|<<|\||^cairn keystones \$|^cairn help\$/;

/** The commands of a text: lines of its blocks for a shell, and what stands between backquotes. */
function commandsIn(text: string, isSource: boolean): string[] {
  const blocks = isSource
    ? []
    : Array.from(text.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = ""]) => block.split("\n"));
  const lines = blocks.flat().flatMap((line) => /^(?:\w+=\S+ )*(cairn(?: .*?)?)(?:\s+#.*)?$/.exec(line)?.[1] ?? []);
  const prose = isSource ? text : text.replace(/```[\s\S]*?```/g, "");
  return [...lines, ...Array.from(prose.matchAll(/\\?`(cairn [a-z][^`\\]*)\\?`/g), ([, command = ""]) => command)];
}

async function recommended(): Promise<string[]> {
  const found = new Set<string>();
  for (const pattern of ["README.md", "docs/*.md", "src/**/*.{ts,tsx}"])
    for (const path of new Glob(pattern).scanSync(ROOT)) {
      // Decisions tell of what was, too.
      if (path === "docs/decisions.md") continue;
      const text = await Bun.file(join(ROOT, path)).text();
      for (const command of commandsIn(text, path.startsWith("src/"))) found.add(command.trim());
    }
  return [...found].filter((command) => !NOT_RUN.test(command)).sort();
}

/** A home with something of everything that commands are about, and a server. */
async function aHome() {
  const home = aFolder();
  const at = (name: string): string => join(home, name);
  const data = at("data");
  for (const name of ["bin", "notes", "backups", "skills"]) mkdirSync(at(name), { recursive: true });
  writeFileSync(at("notes/light.md"), "The harbour light is painted white.\n");
  writeFileSync(at("bin/cairn"), `#!/bin/sh\nexec ${CAIRN.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(at("bin/cairn"), 0o755);
  await spawnServer({ folder: data });
  const run = async (command: string) => {
    // What is stopped is the command itself, and no shell around it.
    const child = Bun.spawn(["sh", "-c", GOES_ON.test(command) ? `exec ${command}` : command], {
      cwd: home,
      stdin: new Blob(["{}"]),
      stdout: "pipe",
      stderr: "pipe",
      env: {
        PATH: `${at("bin")}:${process.env.PATH ?? ""}`,
        HOME: home,
        CAIRN_DATA: data,
        CAIRN_EMBEDDER: "hash",
        CAIRN_SKILL_TARGETS: JSON.stringify([{ dir: at("skills"), mode: "additive" }]),
      },
    });
    if (GOES_ON.test(command)) {
      const { value } = await child.stdout.getReader().read();
      child.kill();
      return { code: value ? 0 : await child.exited, out: "", err: "" };
    }
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, out: out.trim(), err: err.trim() };
  };
  return { at, run };
}

type Home = Awaited<ReturnType<typeof aHome>>;

/** What stands for something of whoever reads it, and what is put in its place. */
async function placesIn({ at, run }: Home): Promise<readonly (readonly [RegExp, string])[]> {
  const { out: id } = await run("cairn add 'The night ferry leaves from pier four.'");
  await run(`cairn edit ${id} --text 'The night ferry leaves from pier five.'`);
  await run('cairn docs put plans launch \'{"summary":"Launch plan"}\'');
  await run("cairn keystones set tone 'Write short sentences.'");
  const made = JSON.parse((await run(`cairn backup ${at("backups")}/ --json`)).out);
  await run("cairn export all.jsonl");
  return [
    [/\/mnt\/backups\/cairn-[\w-]+\.db\.zst|\$\{file\}|\bFILE\b/g, made.file],
    [/\/mnt\/backups|\$\{quoted\(folder\)\}|\bFOLDER\b|\bPATH\b/g, at("console-backups")],
    [/--to \S+/g, `--to ${at("moved")}`],
    [/\/srv\/cairn/g, at("restored")],
    [/https:\/\/memory\.example\.org/g, "http://127.0.0.1:9"],
    [/--url \.\.\./g, "--url http://127.0.0.1:9"],
    [/\$\{(?:demoted|existing|deleted|id)\}|\bID\b(?! JSON)/g, id],
    [/\$\{shellWord\(collection\)\}|\$\{plainText\(collection\)\}|\bCOLLECTION\b/g, "plans"],
    [/keystones rm \$\{shellWord\(doc_id\)\}/g, "keystones rm tone"],
    [/\$\{shellWord\(doc_id\)\}|\bID\b/g, "launch"],
    [/\$\{JSON\.stringify\([\w.]+\)\}/g, '{"summary":"Launch plan"}'],
    [/\bJSON\b/g, `'{"summary":"Launch plan"}'`],
    [/setup (?:\$\{\w+\}|HARNESS)/g, "setup claude"],
    [/\$\{name\}|\bCOMMAND\b/g, "add"],
    [/\$\{(?:scope|flags)\b.*\}/g, ""],
    [/\$\{(?:plainText\(name\)|doc_id)\}|\bNAME\b/g, "tone"],
    [/\bAGENT LEVEL\b/g, "anna 2"],
    [/\bEVENT\b/g, "session-start"],
    [/\bSHELL\b/g, "bash"],
    [/\b(?:TEXT|WORDS)\b/g, "'Write plain words.'"],
    // Whatever else a text puts in is most often an id.
    [/\$\{[^}]*\}/g, id],
    [/"\.\.\."/g, "'Write plain words.'"],
    [/[[\]]/g, ""],
  ];
}

/** A command alone is a name: it is to be there. */
const isName = (command: string): boolean =>
  /^cairn(?: [a-z]+)+$/.test(command) && !/^cairn (?:help|setup claude)/.test(command);
const program = createProgram(createCliFactory({}), await commandsFor({}));
function isThere(name: string): boolean {
  let at: Command | undefined = program;
  for (const word of name.split(" ").slice(1)) at = at?.commands.find((one) => one.name() === word);
  return at !== undefined;
}

/** What is refused in a home where nobody sits at a terminal. */
const NEEDS_SOMEBODY = /Nobody can be asked|terminal|--yes/;

test(
  "every command that documentation, console and errors recommend is understood, and fails in words at most",
  async () => {
    const home = await aHome();
    const places = await placesIn(home);
    const faults: string[] = [];
    for (const written of await recommended()) {
      const command = places.reduce((text, [place, real]) => text.replace(place, () => real), written);
      if (isName(written)) {
        if (!isThere(written)) faults.push(`${written}: there is no such command`);
        continue;
      }
      const { code, err } = await home.run(command);
      const isUnderstood = code !== 2 || NEEDS_SOMEBODY.test(err);
      if (!isUnderstood || code > 3 || /INTERNAL_ERROR|ENOTDIR| {4}at /.test(err))
        faults.push(`${written} (${command}): ${code} ${err}`);
    }
    expect(faults).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "the backups that the console recommends go on, and are listed",
  async () => {
    const { at, run } = await aHome();
    // As `Backups` in the console writes it, with the folder of the server that nobody has made yet.
    for (let i = 0; i < 2; i++)
      expect(await run(`cairn backup '${at("data/backups")}' --every 1h --keep 24`)).toMatchObject({ code: 0 });
    expect(await run(`cairn backup --json`)).toMatchObject({ code: 0 });
    const taken = join(at("backups"), "file");
    writeFileSync(taken, "no folder");
    const refused = await run(`cairn backup '${taken}' --keep 3`);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(taken)]);
    expect(await run("cairn backup --keep 3 --json")).toMatchObject({ code: 0 });
  },
  TIMEOUT_MS,
);
