// Usage: npm run test:examples (after npm run build)
//
// Runs every example against the executable as its README says. pytest is used where it is installed, else that one is passed over.
import { delimiter, join, resolve } from "node:path";

const DIST = resolve("dist");
const PATH = `${DIST}${delimiter}${process.env.PATH ?? ""}`;
const bun = process.execPath;

interface Ran {
  readonly ok: boolean;
  readonly out: string;
}

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
  const { value } = await server.stdout.getReader().read();
  const { url } = JSON.parse(new TextDecoder().decode(value));
  try {
    return await work(url);
  } finally {
    server.kill();
    await server.exited;
  }
}

const expecting = ({ ok, out }: Ran, ...parts: readonly string[]): Ran => ({
  ok: ok && parts.every((part) => out.includes(part)),
  out,
});

/** An endpoint that answers as a small model would. */
function languageModel() {
  const content = "You release every Thursday after the standup [m1].";
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
  return Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ choices }) });
}

const EXAMPLES: Readonly<Record<string, () => Promise<Ran | null>>> = {
  "agent-loop": () =>
    beside({}, async (url) =>
      expecting(
        await run("agent-loop", ["node", "agent.mjs"], { CAIRN_URL: url }),
        "known: nothing",
        "known: Tuesday",
        "known: Thursday",
      ),
    ),
  "ci-bun": () => run("ci-bun", [bun, "test", "./memory.test.ts"]),
  "ci-node": () => run("ci-node", ["node", "--test", "memory.test.mjs"]),
  "ci-pytest": async () =>
    Bun.spawnSync(["python3", "-m", "pytest", "--version"], { stderr: "ignore", stdout: "ignore" }).exitCode === 0
      ? run("ci-pytest", ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"], { PYTHONDONTWRITEBYTECODE: "1" })
      : null,
  ollama: async () => {
    const model = languageModel();
    const env = { CAIRN_LLM_BASE_URL: `http://127.0.0.1:${model.port}`, CAIRN_LLM_MODEL: "example" };
    try {
      return await beside(env, async (url) =>
        expecting(await run("ollama", ["node", "ask.mjs"], { CAIRN_URL: url }), "every Thursday after the standup"),
      );
    } finally {
      await model.stop(true);
    }
  },
};

let failed = 0;
for (const [name, example] of Object.entries(EXAMPLES)) {
  const ran = await example();
  if (ran === null) console.log(`- ${name}: passed over, pytest is not installed`);
  else console.log(`${ran.ok ? "✓" : "✗"} ${name}${ran.ok ? "" : `\n${ran.out}`}`);
  if (ran?.ok === false) failed++;
}
process.exit(failed === 0 ? 0 : 1);
