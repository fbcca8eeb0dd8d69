import { Text } from "../kit/text.tsx";
import { swatchOf } from "./colours.ts";

interface LegendProps {
  readonly names: readonly string[];
  /** What is said beside each name: its value where one points. */
  readonly values?: readonly string[] | null;
  /** The moment or place that the values are of. */
  readonly at?: string | null;
}

/** Which colour is whose. */
export const Legend = ({ names, values = null, at = null }: LegendProps) => (
  <figcaption class="legend">
    {names.map((name, i) => (
      <span key={name}>
        <span class="swatch" style={{ background: swatchOf(i) }} aria-hidden="true" /> <Text value={name} />
        {values && <strong> {values[i]}</strong>}
      </span>
    ))}
    {at && <span class="legend-at">{at}</span>}
  </figcaption>
);
