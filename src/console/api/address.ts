import { signal } from "@preact/signals";

/** Where programs call, where that is not where this page stands. */
const named = signal<string | null>(null);

/** Where programs call this server: what is pasted into a terminal or the settings of a client. */
export const programsAddress = (): string => named.value ?? location.origin;

/** Asks this page's server where programs call: the console may have a port of its own. */
export async function askProgramsAddress(): Promise<void> {
  const response = await fetch("/", {
    headers: { Accept: "application/json" },
    credentials: "omit",
    cache: "no-store",
  });
  const front: unknown = await response.json();
  if (typeof front !== "object" || front === null || !("api" in front) || typeof front.api !== "string") return;
  if (URL.parse(front.api)?.origin === front.api) named.value = front.api;
}
