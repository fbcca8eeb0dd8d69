import { useState } from "preact/hooks";
import { Text } from "../kit/text.tsx";
import type { Series } from "./plot.ts";

interface ChartTableProps {
  /** What the picture says. */
  readonly label: string;
  /** What a row is of. */
  readonly head: string;
  readonly rows: readonly string[];
  readonly series: readonly Series[];
  readonly say: (value: number | null) => string;
}

/** What a picture shows as figures; made when it is opened. */
export function ChartTable({ label, head, rows, series, say }: ChartTableProps) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section class="table-box chart-table" tabIndex={0} aria-label={`As a table: ${label}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{head}</th>
                {series.map(({ name }) => (
                  <th scope="col" class="number" key={name}>
                    <Text value={name} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                <tr key={row}>
                  <th scope="row">{row}</th>
                  {series.map(({ name, values }) => (
                    <td class="number" key={name}>
                      {say(values[i] ?? null)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
