import { signal } from "@preact/signals";
import { reachable, send } from "./call.ts";
import { apiKey } from "./key.ts";
import { asProblem, isRecord } from "./problem.ts";
import type { Told } from "./shared.ts";
import { oncePerBrowser } from "./shared.ts";

/** What may have changed on the server; a listener to any is told as well when changes begin to be followed. */
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
const UNAUTHORIZED = 401;
const KEY_SHOWN = 10;
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

/** Takes over what is told of the stream. What changed while nobody followed it was told to nobody: anything may have. */
function hear(told: Told): void {
  if (told.kind === "topics") tell(told.topics);
  if (told.kind !== "state") return;
  const isAnew = told.state === "connected" && live.value !== "connected";
  live.value = told.state;
  if (isAnew) tell("all");
}

let current: AbortController | null = null;

/** Follows changes while the page is looked at, by one stream for all pages of this browser that use the same key. Called again, it begins anew. */
export function watch(): void {
  current?.abort();
  const abort = new AbortController();
  current = abort;
  // The first characters of a key are no secret: lists of keys show them.
  const name = `cairn-changes ${apiKey.value?.slice(0, KEY_SHOWN) ?? ""}`;
  const others = new BroadcastChannel(name);
  abort.signal.addEventListener("abort", () => others.close());
  let leads = false;
  others.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind !== "ask") hear(data);
    else if (leads) others.postMessage({ kind: "state", state: stateToTell() } satisfies Told);
  };
  others.postMessage({ kind: "ask" } satisfies Told);
  void oncePerBrowser(name, abort.signal, () => {
    leads = true;
    return follow(abort.signal, (told) => {
      hear(told);
      others.postMessage(told);
    });
  });
}

const stateToTell = () => (live.value === "paused" ? "lost" : live.value);

/** Reads the stream, again and again, until the page is left or its key is refused. */
async function follow(signal: AbortSignal, on: (told: Told) => void): Promise<void> {
  let wait = RETRY_FIRST_MS;
  while (!signal.aborted) {
    try {
      on({ kind: "state", state: "connecting" });
      const response = await send("events", {}, signal);
      on({ kind: "state", state: "connected" });
      wait = RETRY_FIRST_MS;
      await readEvents(response, (topics) => on({ kind: "topics", topics }));
    } catch (error) {
      if (signal.aborted || asProblem(error).status === UNAUTHORIZED) return;
    }
    on({ kind: "state", state: "lost" });
    await new Promise((done) => setTimeout(done, wait));
    wait = Math.min(2 * wait, RETRY_MAX_MS);
  }
}

/** Reads server-sent events, as the HTML standard has them (section "Interpreting an event stream"), until they end. */
async function readEvents(response: Response, on: (topics: readonly string[]) => void): Promise<void> {
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
      if (member("event") !== "change" || data === undefined) continue;
      const change: unknown = JSON.parse(data);
      if (isRecord(change) && Array.isArray(change.topics)) on(change.topics);
    }
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") {
    if (live.value === "paused") watch();
  } else {
    current?.abort();
    live.value = "paused";
  }
});
