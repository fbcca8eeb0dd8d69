import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { z } from "zod";

const Setup = z.object({
  chromium: z.string(),
  command: z.array(z.string()).min(1),
  more: z.record(z.string(), z.string()),
});
/** The browser, and what starts a server, as whoever runs this found them. */
export const setup = Setup.parse(JSON.parse(process.env.BROWSER_SETUP ?? "null"));

const Ready = z.object({ event: z.literal("ready"), url: z.string() });
const UNLIMITED = ["--rate-writes=0", "--rate-bulk=0", "--rate-searches=0", "--rate-reads=0"];

export interface TestServer {
  readonly url: string;
  /** Calls an operation; throws what a refusal says. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a server of its own, in memory unless a folder is among the flags. */
export async function startServer(flags: readonly string[] = ["--ephemeral"]): Promise<TestServer> {
  const [command = "", ...first] = setup.command;
  const all = [
    ...first,
    "serve",
    "--ready-json",
    "--embedder=hash",
    "--with-parent",
    "--log-level=warn",
    ...UNLIMITED,
    ...flags,
  ];
  const named = all.some((flag) => flag.startsWith("--port=")) ? all : [...all, "--port=0"];
  const child = spawn(command, named, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, BROWSER_SETUP: "", XDG_CONFIG_HOME: "/nonexistent" },
  });
  const ended = new Promise<void>((done) => {
    child.once("exit", () => done());
  });
  const { value: line = "" } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  child.stdout.resume();
  const { url } = Ready.parse(JSON.parse(line));
  return {
    url,
    call: async (method, path, body, headers = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: "error",
        headers: { "Content-Type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
