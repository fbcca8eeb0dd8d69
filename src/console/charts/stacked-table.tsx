import { count } from "../kit/numbers.ts";
import { swatchOf } from "./colours.ts";
import { Legend } from "./legend.tsx";

interface StackedTableProps {
  readonly label: string;
  /** What a row is of, then what its bar adds up to, then the further columns. */
  readonly heads: readonly [row: string, total: string, ...others: string[]];
  /** What bars are made of. */
  readonly parts: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    /** One for each part. */
    readonly values: readonly number[];
    readonly others: readonly string[];
  }[];
}

/** A table with a bar of parts in each row. */
export function StackedTable({ label, heads: [head, total, ...others], parts, rows }: StackedTableProps) {
  const sums = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const largest = Math.max(1, ...sums);
  return (
    <figure class="chart">
      <div class="table-box">
        <table class="stacked">
          <caption class="hidden-visually">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{head}</th>
              <th scope="col" class="stacked-bars">
                Share
              </th>
              {[total, ...others].map((name) => (
                <th scope="col" class="number" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, values, others: cells }, row) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <div class="stacked-bar" role="img" aria-label={saidParts(parts, values)}>
                    {values.map((value, i) => (
                      <span
                        key={parts[i]}
                        title={`${parts[i]}: ${count(value)}`}
                        style={{ width: `${(100 * value) / largest}%`, background: swatchOf(i) }}
                      />
                    ))}
                  </div>
                </td>
                {[count(sums[row] ?? 0), ...cells].map((cell, i) => (
                  <td class="number" key={i}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Legend names={parts} />
    </figure>
  );
}

const saidParts = (parts: readonly string[], values: readonly number[]): string =>
  parts.flatMap((part, i) => (values[i] ? [`${part} ${count(values[i])}`] : [])).join(", ") || "none";
