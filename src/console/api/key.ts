import { signal } from "@preact/signals";

const KEPT_AS = "cairn-key";

/** The key that calls are made with; null where none is needed or none was given. Kept for this tab alone. */
export const apiKey = signal<string | null>(sessionStorage.getItem(KEPT_AS));

/** Uses another key from now on; null forgets it. */
export function keepKey(key: string | null): void {
  if (key === null) sessionStorage.removeItem(KEPT_AS);
  else sessionStorage.setItem(KEPT_AS, key);
  apiKey.value = key;
}
