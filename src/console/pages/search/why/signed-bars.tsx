import { decimals } from "../../../kit/numbers.ts";
import { signalWords } from "./signals.ts";

export interface SignedBar {
  /** Name of the signal or part, as replies have it. */
  readonly signal: string;
  readonly value: number;
}

interface SignedBarsProps {
  readonly label: string;
  readonly bars: readonly SignedBar[];
  /** What fills half of the width. */
  readonly scale: number;
}

/** Figures in two directions from a line in the middle: to the right what speaks for it, to the left what speaks against it. */
export const SignedBars = ({ label, bars, scale }: SignedBarsProps) => (
  <ul class="signed-bars" aria-label={label}>
    {bars.map(({ signal, value }) => {
      const { name, about } = signalWords(signal);
      return (
        <li key={signal} title={about === "" ? signal : `${signal}: ${about}`}>
          <span class="signed-name">{name}</span>
          <span class="signed-track" aria-hidden="true">
            <span
              class={`signed-bar ${value < 0 ? "against" : "for"}`}
              style={{ width: `${Math.min(50, (50 * Math.abs(value)) / (scale || 1))}%` }}
            />
          </span>
          <span class="signed-value">{signed(value)}</span>
        </li>
      );
    })}
  </ul>
);

/** A figure with its sign, a true minus sign where it is below zero. */
export const signed = (value: number): string =>
  `${value > 0 ? "+" : value < 0 ? "−" : ""}${decimals(Math.abs(value), 2)}`;
