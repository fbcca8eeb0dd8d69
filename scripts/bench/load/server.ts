import { readFileSync } from "node:fs";
import { z } from "zod";

const READY_LIMIT_MS = 60_000;
const POLL_MS = 20;
const UNLIMITED = ["--rate-writes=0", "--rate-bulk=0", "--rate-searches=0", "--rate-reads=0"];

/** A server process under load. */
export interface LoadServer {
  readonly url: string;
  /** Resident memory now, in megabytes. */
  rssMb(): number;
  /** Ends it and resolves with how long that took; at once when it has ended before. */
  stop(): Promise<number>;
  /** Ends it as a power cut would: no handler runs. */
  kill(): Promise<void>;
}

const Ready = z.object({ url: z.string() });
const Status = z.object({ embedding: z.object({ phase: z.string() }) });

/** Starts Cairn over a folder, without limits and with further flags, and waits for its model. */
export async function startLoadServer(
  command: readonly string[],
  folder: string,
  { embedder, flags = [] }: { readonly embedder: string; readonly flags?: readonly string[] },
): Promise<LoadServer> {
  const own = ["--data", folder, "--port=0", "--ready-json", `--embedder=${embedder}`];
  const child = Bun.spawn(
    [...command, "serve", ...own, ...UNLIMITED, ...flags],
    // No config file or setting of this machine may change what is measured.
    { env: { HOME: process.env.HOME ?? "", XDG_CONFIG_HOME: "/nonexistent" }, stdout: "pipe", stderr: "ignore" },
  );
  const { url } = Ready.parse(JSON.parse(await firstLine(child.stdout)));
  await untilModelReady(url);
  return {
    url,
    rssMb: () => residentMb(child.pid),
    stop: async () => {
      const startedAt = performance.now();
      child.kill("SIGTERM");
      await child.exited;
      return Math.round(performance.now() - startedAt);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
  }
  throw new Error("The server ended before it was ready. Run it by hand to see why.");
}

async function untilModelReady(url: string): Promise<void> {
  for (let waited = 0; waited < READY_LIMIT_MS; waited += POLL_MS) {
    const { embedding } = Status.parse(await (await fetch(`${url}/api/v1/status`)).json());
    if (embedding.phase === "ready") return;
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`The model was not ready after ${READY_LIMIT_MS} ms.`);
}

/** VmRSS of a process, in kB on Linux; NaN elsewhere. */
function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
