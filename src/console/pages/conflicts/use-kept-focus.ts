import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type List = RefObject<HTMLElement | null>;

/** The card of a finding; null where the list shows none. */
export const cardOf = ({ current }: List, key: string): HTMLElement | null =>
  current?.querySelector<HTMLElement>(`[data-conflict="${CSS.escape(key)}"]`) ?? null;

/**
 * Keeps the focus in a list of cards. When the one that has it leaves, whoever took it away, the focus goes to the next one that
 * is still there, else to the last one, else to the list itself.
 */
export function useKeptFocus(list: List, keys: readonly string[]): void {
  const before = useRef(keys);
  // Asked while the cards are still as they were.
  const held = list.current?.querySelector<HTMLElement>("[data-conflict]:focus-within")?.dataset.conflict;
  useLayoutEffect(() => {
    const were = before.current;
    before.current = keys;
    if (held === undefined || document.activeElement !== document.body) return;
    const next = were.slice(were.indexOf(held)).find((key) => keys.includes(key)) ?? keys.at(-1);
    (next === undefined ? list.current : cardOf(list, next))?.focus();
  });
}
