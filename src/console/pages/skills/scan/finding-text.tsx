import { useState } from "preact/hooks";
import { Text } from "../../../kit/text.tsx";
import type { Finding, Piece } from "./findings.ts";
import { piecesOf } from "./findings.ts";

/** Lines of one text that are shown before somebody asks for the rest. */
const LINES_MAX = 1_500;

/** The id of the place where a finding begins. */
const markId = (number: number): string => `finding-${number}`;

/** Brings the mark of a finding into sight. */
export function jumpTo(number: number): void {
  const mark = document.getElementById(markId(number));
  mark?.scrollIntoView({ block: "center" });
  mark?.focus({ preventScroll: true });
}

interface FindingTextProps {
  readonly value: string;
  /** What was found in this very text. */
  readonly findings: readonly Finding[];
  readonly from?: number;
  readonly to?: number;
}

/** A text, or a part of it, in which the places of findings are marked with their numbers. */
export const FindingText = ({ value, findings, from = 0, to = value.length }: FindingTextProps) => (
  <>
    {piecesOf(value, findings, from, to).map((piece) =>
      piece.findings.length === 0 ? (
        <Text key={piece.start} value={piece.text} />
      ) : (
        <Mark key={piece.start} piece={piece} />
      ),
    )}
  </>
);

function Mark({ piece: { text, start, findings } }: { piece: Piece }) {
  const beginning = findings.filter(({ place }) => place?.start === start);
  const isCritical = findings.some(({ severity }) => severity === "critical");
  return (
    <mark
      class={`finding-mark ${isCritical ? "is-critical" : ""}`}
      title={findings.map(({ code, message }) => `${code}: ${message}`).join("\n")}
    >
      {beginning.map(({ number }) => (
        <span class="finding-number" id={markId(number)} key={number} tabIndex={-1}>
          <span class="hidden-visually">finding </span>
          {number}
        </span>
      ))}
      <Text value={text} />
    </mark>
  );
}

/** A long text line by line, with the numbers of its lines. */
export function NumberedText({ value, findings }: Pick<FindingTextProps, "value" | "findings">) {
  const [isWhole, setWhole] = useState(false);
  const lines = linesOf(value);
  const lastMarked = lines.findLastIndex(({ from, to }) =>
    findings.some(({ place }) => place && place.start <= to && place.end > from),
  );
  const shown = isWhole ? lines : lines.slice(0, Math.max(LINES_MAX, lastMarked + 1));
  return (
    <>
      <div class="skill-lines">
        {shown.map(({ from, to }, i) => (
          <div class="skill-line" key={from}>
            <span class="skill-line-number" aria-hidden="true">
              {i + 1}
            </span>
            <span>
              <FindingText value={value} findings={findings} from={from} to={to} />
            </span>
          </div>
        ))}
      </div>
      {shown.length < lines.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      )}
    </>
  );
}

/** Where each line begins and ends, its break left out. */
function linesOf(text: string): { from: number; to: number }[] {
  let from = 0;
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      const to = from + line.length;
      const place = { from, to };
      from = to + 1;
      return place;
    });
}
