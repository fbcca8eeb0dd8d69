import { plural } from "../../../kit/numbers.ts";
import type { Answer } from "../use-search.ts";
import { scaleOf } from "../why/why-here.tsx";
import { FoundRow } from "./found-row.tsx";

interface FoundListProps {
  readonly answer: Answer;
  /** Ids of the rows that are unfolded; null for the first alone. */
  readonly open: readonly string[] | null;
  readonly onOpen: (open: readonly string[]) => void;
  readonly cited: ReadonlySet<string>;
}

const STRATEGIES = {
  hybrid: "by meaning and words",
  temporal: "by meaning and words, led by the time that the question names",
  recent_context: "by meaning and words, the newest first",
  keyword_only: "by words alone",
} as const;

/** What is returned, best first. */
export function FoundList({ answer: { reply }, open, onOpen, cited }: FoundListProps) {
  const { items, diagnostic } = reply;
  const candidates = new Map(diagnostic?.all_candidates.map((one) => [one.id, one]));
  const scale = scaleOf(items.flatMap(({ id }) => candidates.get(id) ?? []));
  const opened = open ?? items.slice(0, 1).map(({ id }) => id);
  const toggle = (id: string) => onOpen(opened.includes(id) ? opened.filter((one) => one !== id) : [...opened, id]);
  return (
    <>
      {diagnostic && (
        <p class="small dim">
          {items.length} of {plural(diagnostic.candidates_considered, "memory", "memories")} that were considered, found{" "}
          {STRATEGIES[diagnostic.retrieval_strategy]}.
        </p>
      )}
      <ol class="found-list" aria-label="What is returned">
        {items.map((memory, i) => (
          <FoundRow
            key={memory.id}
            memory={memory}
            rank={i + 1}
            candidate={candidates.get(memory.id) ?? null}
            scale={scale}
            isOpen={opened.includes(memory.id)}
            onToggle={() => toggle(memory.id)}
            isCited={cited.has(memory.id)}
          />
        ))}
      </ol>
    </>
  );
}
