import { useEffect, useRef, useState } from "preact/hooks";

const PAUSE_MS = 400;

interface QuestionBoxProps {
  readonly question: string;
  /** After a pause in the typing, and on Enter. */
  readonly onAsk: (question: string, isEntered: boolean) => void;
}

/** The question; it is asked after a pause, not with every key. */
export function QuestionBox({ question, onAsk }: QuestionBoxProps) {
  const [typed, setTyped] = useState(question);
  // What is asked here comes back as the question, when more may have been typed: only others are taken over.
  const asked = useRef(question);
  const ask = useRef(onAsk);
  ask.current = (next, isEntered) => {
    asked.current = next;
    onAsk(next, isEntered);
  };
  useEffect(() => {
    if (question === asked.current) return;
    asked.current = question;
    setTyped(question);
  }, [question]);
  useEffect(() => {
    const next = typed.trim();
    if (next === question) return;
    const timer = setTimeout(() => ask.current(next, false), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const submit = (event: Event) => {
    event.preventDefault();
    ask.current(typed.trim(), true);
  };
  return (
    <form class="question" onSubmit={submit}>
      <input
        dir="auto"
        type="search"
        aria-label="Question"
        placeholder="Ask as an agent would ask"
        value={typed}
        maxLength={5_000}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={typed.trim() === ""}>
        Search
      </button>
    </form>
  );
}
