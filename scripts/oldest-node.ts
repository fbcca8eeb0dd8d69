// Usage: npm run test:oldest-node
//
// Runs the two commands of README in a clone of what is committed, with the oldest Node that package.json promises and the npm
// that came with it: they must work, and warn of nothing.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";

const Promised = z.object({ engines: z.object({ node: z.string().startsWith(">=") }) });
const { engines } = Promised.parse(await Bun.file("package.json").json());
const NODE = engines.node.slice(">=".length);
/** What is delivered with that Node. */
const NPM = "10.1.0";

const folder = mkdtempSync(join(tmpdir(), "cairn-oldest-node-"));
const [tools, bin, clone] = [join(folder, "tools"), join(folder, "bin"), join(folder, "clone")];
/** What npm itself tells scripts that it runs is not for another npm. */
const given = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) && name !== "NODE_OPTIONS"),
);

/** Runs a command to its end. Throws with what it said where it fails. */
function run(command: readonly string[], cwd: string, variables: Record<string, string | undefined>): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd, env: variables, stdin: "ignore" });
  const said = `${stdout}${stderr}`;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${said}`);
  return said;
}

/** The variables of this machine and its npm's settings, with the oldest Node and its npm before all others. */
const env = {
  ...given,
  PATH: `${bin}:${process.env.PATH}`,
  npm_config_globalconfig: run(["npm", "config", "get", "globalconfig"], folder, given).trim(),
  npm_config_update_notifier: "false",
  npm_config_prefer_offline: "true",
};

/** Puts the oldest Node, and its npm, before all others. Returns whether the registry has them for this machine. */
function installTools(): boolean {
  mkdirSync(tools);
  mkdirSync(bin);
  writeFileSync(join(tools, "package.json"), "{}");
  const node = `node-${process.platform}-${process.arch}`;
  try {
    run(["npm", "install", "--no-audit", "--no-fund", `${node}@${NODE}`, `npm@${NPM}`], tools, given);
  } catch (error) {
    console.warn(`Skipped: Node ${NODE} with npm ${NPM} cannot be had here. ${error}`);
    return false;
  }
  symlinkSync(join(tools, "node_modules", node, "bin", "node"), join(bin, "node"));
  const npm = join(tools, "node_modules", "npm", "bin", "npm-cli.js");
  writeFileSync(join(bin, "npm"), `#!/bin/sh\nexec node '${npm}' "$@"\n`);
  chmodSync(join(bin, "npm"), 0o755);
  const found = run(["sh", "-c", "node --version && npm --version"], folder, env);
  if (found !== `v${NODE}\n${NPM}\n`) throw new Error(`These are not the oldest ones: ${found}`);
  return true;
}

/** `npm start`, until it is ready and has answered. */
async function start(): Promise<void> {
  const command = ["npm", "start", "--silent", "--", "--ephemeral", "--port", "0", "--ready-json"];
  const server = Bun.spawn(command, { cwd: clone, env, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  try {
    const { value } = await server.stdout.getReader().read();
    const { url } = z.object({ url: z.url() }).parse(JSON.parse(new TextDecoder().decode(value)));
    const { status } = await fetch(`${url}/api/v1/health`);
    if (status !== 200) throw new Error(`npm start answered ${status}.`);
  } finally {
    // An npm of that age outlives what it has started; the server ends with it.
    server.kill("SIGKILL");
    await server.exited;
  }
}

async function testInClone(): Promise<void> {
  run(["git", "clone", "--quiet", resolve("."), clone], folder, given);
  const installed = run(["npm", "ci"], clone, env);
  if (/\bwarn\b/i.test(installed)) throw new Error(`npm ci warns:\n${installed}`);
  await start();
  run(["npm", "test", "--", "test/unit/kernel", "test/unit/config"], clone, env);
  console.log(`Node ${NODE} with npm ${NPM} installs, starts and tests.`);
}

try {
  if (installTools()) await testInClone();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
