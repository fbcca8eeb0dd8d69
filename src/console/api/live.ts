import { signal } from "@preact/signals";
import { reachable, send } from "./call.ts";
import { isRecord } from "./problem.ts";

/** What may have changed on the server; `all` stands for everything, after the connection was lost. */
export type Topic =
  | "memories"
  | "documents"
  | "entities"
  | "conflicts"
  | "skills"
  | "forge"
  | "access"
  | "settings"
  | "jobs"
  | "backups"
  | "imports";

/** Whether changes are told as they happen. */
export const live = signal<"connecting" | "connected" | "lost" | "paused">("connecting");

interface Listener {
  readonly topics: readonly Topic[];
  told(): void;
}
const listeners = new Set<Listener>();
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 15_000;

/** Calls back after one of the topics changed; gives what ends it. */
export function onChange(topics: readonly Topic[], told: () => void): () => void {
  const listener = { topics, told };
  if (topics.length > 0) listeners.add(listener);
  return () => void listeners.delete(listener);
}

function tell(topics: readonly string[] | "all"): void {
  for (const listener of [...listeners]) {
    if (topics === "all" || listener.topics.some((topic) => topics.includes(topic))) listener.told();
  }
}

let current: AbortController | null = null;

/** Keeps one stream of changes open while the page is looked at. Called again, it begins anew. */
export function watch(): void {
  current?.abort();
  const abort = new AbortController();
  current = abort;
  void follow(abort.signal);
}

async function follow(signal: AbortSignal): Promise<void> {
  let wait = RETRY_FIRST_MS;
  let isFirst = true;
  while (!signal.aborted) {
    try {
      live.value = "connecting";
      const response = await send("events", {}, signal);
      if (!isFirst) tell("all");
      isFirst = false;
      live.value = "connected";
      wait = RETRY_FIRST_MS;
      await readEvents(response, told);
    } catch {
      if (signal.aborted) return;
    }
    live.value = "lost";
    await new Promise((done) => setTimeout(done, wait));
    wait = Math.min(2 * wait, RETRY_MAX_MS);
  }
}

function told(event: string, data: string): void {
  if (event !== "change") return;
  const change: unknown = JSON.parse(data);
  if (isRecord(change) && Array.isArray(change.topics)) tell(change.topics);
}

/** Reads server-sent events, as the HTML standard has them (section "Interpreting an event stream"), until they end. */
async function readEvents(response: Response, on: (event: string, data: string) => void): Promise<void> {
  if (!response.body) return;
  let rest = "";
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    reachable.value = true;
    const blocks = (rest + part).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const member = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = member("data");
      if (data !== undefined) on(member("event") ?? "message", data);
    }
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") {
    if (live.value !== "paused") return;
    tell("all");
    watch();
  } else {
    current?.abort();
    live.value = "paused";
  }
});
