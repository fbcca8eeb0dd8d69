import { useLayoutEffect, useRef } from "preact/hooks";
import { call } from "../../api/call.ts";
import { asProblem } from "../../api/problem.ts";
import type { Conflict } from "../../api/schemas.gen.ts";
import { toast } from "../../kit/toast.tsx";
import { ConflictCard, decisionOf } from "./conflict-card.tsx";
import type { Conflicts } from "./use-conflicts.ts";
import { keyOf } from "./use-conflicts.ts";
import { cardOf, useKeptFocus } from "./use-kept-focus.ts";
import type { Decision } from "./words.ts";
import { DECISION_TO, DONE } from "./words.ts";

/** The findings as cards; when one that has the focus leaves, as it does after a decision, the focus goes to the next one. */
export function ConflictList({ items, feed }: { items: readonly Conflict[]; feed: Conflicts }) {
  const ref = useRef<HTMLElement>(null);
  const busy = useRef(new Set<string>());

  const decide = async (conflict: Conflict, decision: Decision, reason: string) => {
    const key = keyOf(conflict);
    if (busy.current.has(key)) return;
    busy.current.add(key);
    // A button is off while its work goes on, and what is off loses the focus.
    cardOf(ref, key)?.focus({ preventScroll: true });
    try {
      await review(conflict, decision, reason);
      toast(DONE[decision], { undo: () => review(conflict, DECISION_TO[conflict.state], "").then(feed.reload) });
      feed.drop(conflict);
    } finally {
      busy.current.delete(key);
    }
  };
  useKeptFocus(ref, items.map(keyOf));
  useCardKeys((key, card) => {
    const conflict = items.find((one) => keyOf(one) === card);
    const decision = conflict && decisionOf(key, conflict);
    if (!conflict || !decision) return false;
    const reason = cardOf(ref, card)?.querySelector("input")?.value ?? "";
    decide(conflict, decision, reason).catch((error: unknown) => toast(asProblem(error).message, { kind: "problem" }));
    return true;
  });
  return (
    <section class="stack conflicts" ref={ref} tabIndex={-1} aria-label="Conflicts">
      {items.map((conflict) => (
        <ConflictCard
          key={keyOf(conflict)}
          conflict={conflict}
          onDecide={(decision, reason) => decide(conflict, decision, reason)}
        />
      ))}
    </section>
  );
}

const review = ({ newer, older }: Conflict, decision: Decision, reason: string): Promise<Conflict> =>
  call("reviewConflict", {
    body: { newer_id: newer.id, older_id: older.id, decision, ...(reason.trim() === "" ? {} : { reason }) },
  });

/**
 * Calls back with keys pressed while a card, or a button in it, has the focus. The frame's keys go before: it listens to the
 * document, which hears of a key before the window does.
 */
function useCardKeys(onKey: (key: string, card: string) => boolean): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey, repeat, defaultPrevented } = event;
      if (defaultPrevented || ctrlKey || metaKey || altKey || repeat || !(target instanceof HTMLElement)) return;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      const card = target.closest<HTMLElement>("[data-conflict]")?.dataset.conflict;
      if (card !== undefined && latest.current(key, card)) event.preventDefault();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
