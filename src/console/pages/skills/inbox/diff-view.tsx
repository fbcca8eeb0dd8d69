import { diffLines } from "diff/lib/diff/line.js";
import { plural } from "../../../kit/numbers.ts";
import { Text } from "../../../kit/text.tsx";

/** Longest that a comparison may take. */
const COMPARE_MS = 1_000;
/** Unchanged lines that are shown around a change. */
const AROUND = 3;

type Kind = "added" | "removed" | "same";
const SIGNS: Readonly<Record<Kind, string>> = { added: "+", removed: "−", same: " " };

/** What was changed from one text to another, line by line. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const changes = diffLines(before, after, { timeout: COMPARE_MS, ignoreNewlineAtEof: true });
  if (!changes) return <p class="dim">The two texts are too long and too different to be compared here.</p>;
  if (changes.every(({ added, removed }) => !added && !removed)) return <p class="dim">Nothing is changed.</p>;
  const count = (kind: "added" | "removed") =>
    changes.filter((one) => one[kind]).reduce((sum, one) => sum + one.count, 0);
  return (
    <>
      <p class="dim">
        {plural(count("added"), "line")} added, {plural(count("removed"), "line")} removed
      </p>
      <div class="diff">
        {changes.map(({ value, added, removed }, i) => {
          const lines = value.replace(/\n$/, "").split("\n");
          if (added) return <Lines key={i} lines={lines} kind="added" />;
          if (removed) return <Lines key={i} lines={lines} kind="removed" />;
          return <Unchanged key={i} lines={lines} isFirst={i === 0} isLast={i === changes.length - 1} />;
        })}
      </div>
    </>
  );
}

/** Unchanged lines; those far from a change are folded. */
function Unchanged({ lines, isFirst, isLast }: { lines: readonly string[]; isFirst: boolean; isLast: boolean }) {
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  const folded = lines.slice(head, lines.length - tail);
  if (folded.length <= 1) return <Lines lines={lines} kind="same" />;
  return (
    <>
      <Lines lines={lines.slice(0, head)} kind="same" />
      <details>
        <summary>{plural(folded.length, "unchanged line")}</summary>
        <Lines lines={folded} kind="same" />
      </details>
      <Lines lines={lines.slice(lines.length - tail)} kind="same" />
    </>
  );
}

function Lines({ lines, kind }: { lines: readonly string[]; kind: Kind }) {
  const Element = ({ added: "ins", removed: "del", same: "div" } as const)[kind];
  return (
    <>
      {lines.map((line, i) => (
        <Element class={`diff-line is-${kind}`} key={i}>
          <span class="diff-sign">{SIGNS[kind]}</span>
          <span>
            <Text value={line} />
          </span>
        </Element>
      ))}
    </>
  );
}
