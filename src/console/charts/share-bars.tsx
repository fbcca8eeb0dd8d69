import { count } from "../kit/numbers.ts";

export interface Share {
  readonly name: string;
  readonly value: number;
  /** Where the row leads. */
  readonly href?: string;
}

/** Parts of a whole as bars, the largest first. */
export function ShareBars({ label, shares }: { label: string; shares: readonly Share[] }) {
  const sorted = [...shares].sort((a, b) => b.value - a.value);
  const largest = Math.max(1, ...sorted.map(({ value }) => value));
  return (
    <ul class="share-bars" aria-label={label}>
      {sorted.map(({ name, value, href }) => (
        <li key={name}>
          <span class="share-name one-line">{href ? <a href={href}>{name}</a> : name}</span>
          <span class="share-track" aria-hidden="true">
            <span class="share-bar" style={{ width: `${(100 * value) / largest}%` }} />
          </span>
          <span class="share-value">{count(value)}</span>
        </li>
      ))}
    </ul>
  );
}
