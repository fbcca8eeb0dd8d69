/** What pages of one browser tell each other. */
export type Told =
  | { readonly kind: "ask" }
  | { readonly kind: "state"; readonly state: "connecting" | "connected" | "lost" }
  | { readonly kind: "topics"; readonly topics: readonly string[] };

/**
 * Runs work in one page of a browser at a time: a browser has six connections to a server for all its windows, and each stream would
 * take one. The others wait until that page is closed, hidden or done. Without locks, which plain HTTP from elsewhere has not, each page runs it.
 */
export async function oncePerBrowser(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!("locks" in navigator)) return work();
  await navigator.locks.request(name, { signal }, work).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
