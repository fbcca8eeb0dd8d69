/** Characters that order or hide others and would let a text look like another: shown by their code instead. */
const UNSEEN = /((?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])(?<!\u200c|\u200d|\u00ad)/u;

/** A text as it was written, nothing of it taken for markup; isolated from direction and language of what stands around it. */
export function Text({ value, max }: { value: string; max?: number }) {
  const shown = max === undefined ? value : cutTo(value, max);
  return (
    <bdi class="text" dir="auto" lang="">
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
    <bdi class="text" dir="auto" lang="">
      {parts.map((part, i) => {
        const shown = <Text value={part} />;
        return i % 2 === 0 ? <span key={i}>{shown}</span> : <mark key={i}>{shown}</mark>;
      })}
    </bdi>
  );
}

const characters = new Intl.Segmenter();
/** UTF-16 units of a character as people see it, at most: heaps of marks are cut. */
const CHARACTER_MAX = 64;

/** Where a text may be cut, at `at` (in UTF-16 units) or before, so that no character that people see is cut in two. */
export function cutAt(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  if (/^[ -~]{2}$/.test(text.slice(at - 1, at + 1))) return at;
  const start = characters.segment(text.slice(0, at + CHARACTER_MAX)).containing(at)?.index ?? at;
  if (at - start <= CHARACTER_MAX) return start;
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

/** The beginning of a text, with an ellipsis where it was cut. */
export const cutTo = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, cutAt(text, max))}…` : text;
