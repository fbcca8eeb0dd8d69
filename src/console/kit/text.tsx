/** Characters that order or hide others and would let a text look like another: shown by their code instead. */
const UNSEEN = /((?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])(?<!\u200c|\u200d|\u00ad)/u;

/** A text as it was written, nothing of it taken for markup; isolated from the direction of what stands around it. */
export function Text({ value, max }: { value: string; max?: number }) {
  const shown = max !== undefined && value.length > max ? `${value.slice(0, max)}…` : value;
  return (
    <bdi class="text" dir="auto">
      {shown.split(UNSEEN).map((part, i) =>
        i % 2 === 0 ? (
          part
        ) : (
          <span class="control" key={i} title="A character that is not shown">
            U+{part.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}
          </span>
        ),
      )}
    </bdi>
  );
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text with parts of it marked; spans count UTF-16 units, in order and apart from each other. */
export function MarkedText({ value, spans }: { value: string; spans: readonly Span[] }) {
  const cuts = spans.flatMap(({ start, end }) => [start, end]);
  const parts = [0, ...cuts].map((cut, i) => value.slice(cut, cuts[i] ?? value.length));
  return (
    <bdi class="text" dir="auto">
      {parts.map((part, i) => {
        const shown = <Text value={part} />;
        return i % 2 === 0 ? <span key={i}>{shown}</span> : <mark key={i}>{shown}</mark>;
      })}
    </bdi>
  );
}
