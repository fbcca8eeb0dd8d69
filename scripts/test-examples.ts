// Usage: npm run test:examples (after npm run build)
//
// Runs every example against the executable as its README says. pytest is used where it is installed, else that one is skipped.
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { z } from "zod";

const DIST = resolve("dist");
const PATH = `${DIST}${delimiter}${process.env.PATH ?? ""}`;
const bun = process.execPath;

interface Ran {
  readonly ok: boolean;
  readonly out: string;
}
/** What became of an example, or why it was not run. */
type Outcome = Ran | { readonly skipped: string };

async function run(folder: string, command: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = Bun.spawn([...command], {
    cwd: `examples/${folder}`,
    env: { ...process.env, PATH, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { ok: (await child.exited) === 0, out: out + err };
}

/** Runs something beside an instance of its own. */
async function beside(env: Record<string, string>, work: (url: string) => Promise<Ran>): Promise<Ran> {
  const flags = ["serve", "--ephemeral", "--port", "0", "--ready-json", "--log-level", "error"];
  const server = Bun.spawn([join(DIST, "cairn"), ...flags], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  try {
    let line = "";
    for await (const chunk of server.stdout) {
      line += new TextDecoder().decode(chunk);
      if (line.endsWith("\n")) break;
    }
    if (line === "") return { ok: false, out: `Cairn did not start; its exit code is ${await server.exited}.` };
    return await work(JSON.parse(line).url);
  } finally {
    server.kill();
    await server.exited;
  }
}

/** Fails what does not say each of these, in this order. */
function expecting({ ok, out }: Ran, ...parts: readonly string[]): Ran {
  let from = 0;
  for (const part of parts) {
    const at = out.indexOf(part, from);
    if (at < 0) return { ok: false, out: `${out}\nThis does not say, or not in its place: ${part}` };
    from = at + part.length;
  }
  return { ok, out };
}

const MODEL = "example";
const Chat = z.object({ model: z.string(), messages: z.array(z.object({ content: z.string() })) });

/**
 * An endpoint that completes chats as OpenAI's does. It answers from the prompt, in words that stand in no memory: an answer
 * with them shows that the question and both memories went there and came back.
 */
function languageModel() {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: {
      "/v1/chat/completions": {
        POST: async (request) => {
          const { model, messages } = Chat.parse(await request.json());
          if (model !== MODEL) return new Response("no such model", { status: 404 });
          const prompt = JSON.stringify(messages);
          const told = ["When do we release", "Thursday", "one approval"].every((part) => prompt.includes(part));
          const content = told ? "Thursdays, once somebody agreed [m1, m2]." : "I was told too little.";
          return Response.json({ choices: [{ index: 0, message: { role: "assistant", content } }] });
        },
      },
    },
    fetch: () => new Response("not found", { status: 404 }),
  });
}

/** The answer of the model; then, with the model gone, the memories' own sentences and the reason. */
async function ollama(): Promise<Ran> {
  const model = languageModel();
  const settings = { CAIRN_LLM_BASE_URL: `http://127.0.0.1:${model.port}`, CAIRN_LLM_MODEL: MODEL };
  const ask = () => beside(settings, (url) => run("ollama", [bun, "ask.ts"], { CAIRN_URL: url }));
  try {
    const answered = expecting(await ask(), "Thursdays, once somebody agreed (");
    if (!answered.ok) return answered;
  } finally {
    await model.stop(true);
  }
  return expecting(await ask(), "We release every Thursday", "llm_unavailable: ");
}

async function pytest(folder: string, more: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const python = Bun.which("python3");
  if (python === null) return { skipped: "python3 is not installed" };
  const found = Bun.spawnSync([python, "-m", "pytest", "--version"], { stderr: "ignore", stdout: "ignore" });
  if (found.exitCode !== 0) return { skipped: "pytest is not installed for python3" };
  const command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", ...more];
  return run(folder, command, { PYTHONDONTWRITEBYTECODE: "1", ...env });
}

/** The package lies in this repository, so that npm links to it and asks no registry. */
async function withPackage(command: readonly string[]): Promise<Ran> {
  const flags = ["--offline", "--no-audit", "--no-fund", "--no-package-lock"];
  const installed = await run("agent-tests", ["npm", "install", ...flags]);
  return installed.ok ? run("agent-tests", command) : installed;
}

async function agentLoop(): Promise<Ran> {
  const ran = await beside({}, (url) => run("agent-loop", [bun, "agent.ts"], { CAIRN_URL: url }));
  return expecting(ran, "known: nothing", "again: known already", "known: Tuesday", "corrected:", "known: Thursday");
}

const EXAMPLES: Readonly<Record<string, () => Promise<Outcome>>> = {
  "agent-loop": agentLoop,
  "ci-bun": () => run("ci-bun", [bun, "test", "./memory.test.ts"]),
  "ci-node": () => run("ci-node", ["node", "--test", "memory.test.mjs"]),
  "ci-pytest": () => pytest("ci-pytest", []),
  "agent-tests, Node": () => withPackage(["node", "--test"]),
  "agent-tests, Bun": () => withPackage([bun, "test", "./agent.test.mjs"]),
  "agent-tests, pytest": () =>
    pytest("agent-tests", ["-p", "pytest_cairn"], { PYTHONPATH: resolve("clients/testing") }),
  ollama,
};

if (!existsSync(join(DIST, "cairn"))) {
  console.error("dist/cairn is missing: run `npm run build` first.");
  process.exit(1);
}
let failed = 0;
let skipped = 0;
for (const [name, example] of Object.entries(EXAMPLES)) {
  const outcome = await example();
  if ("skipped" in outcome) console.log(`- ${name}: skipped, ${outcome.skipped}`);
  else console.log(`${outcome.ok ? "✓" : "✗"} ${name}${outcome.ok ? "" : `\n${outcome.out}`}`);
  if ("ok" in outcome && !outcome.ok) failed++;
  if ("skipped" in outcome) skipped++;
}
if (skipped > 0) console.log(`${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
