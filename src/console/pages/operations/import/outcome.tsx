import { useState } from "preact/hooks";
import { Button } from "../../../kit/controls.tsx";
import { save } from "../../../kit/download.ts";
import { memoryAddress } from "../../../kit/memory-words.ts";
import { count, plural } from "../../../kit/numbers.ts";
import { TableBox } from "../../../kit/table-box.tsx";
import { Text } from "../../../kit/text.tsx";
import type { OutcomeName, Told } from "./report.ts";
import { asLines, OUTCOME_WORDS } from "./report.ts";
import type { Ended } from "./run.ts";

const SHOWN_FIRST = 50;
const SHOWN_MAX = 1_000;

/** What became of a file: counts, and by line what was not stored as it is. */
export function Outcome({ ended, title, name }: { ended: Ended; title: string; name: string }) {
  const { report, resumed_from, isCancelled } = ended;
  const [isAll, setAll] = useState(false);
  // Safe: the members of the table of words are the names of the outcomes.
  const names = Object.keys(OUTCOME_WORDS) as OutcomeName[];
  const told = report.told.slice(0, isAll ? SHOWN_MAX : SHOWN_FIRST);
  return (
    <section class="stack" aria-label={title}>
      <h3>{title}</h3>
      {isCancelled && <p>What was sent until then is stored. The same file goes on there.</p>}
      {resumed_from > 0 && <p>It went on after the first {count(resumed_from)}, which an earlier run had stored.</p>}
      <div class="figures">
        {names.map((one) => (
          <div class="figure" key={one}>
            <strong>{count(report.counts[one])}</strong>
            {OUTCOME_WORDS[one]}
          </div>
        ))}
      </div>
      {told.length > 0 && (
        <>
          <TableBox label="What was not stored as it is">
            <table>
              <thead>
                <tr>
                  <th scope="col" class="number">
                    Line
                  </th>
                  <th scope="col">Outcome</th>
                  <th scope="col">Why</th>
                </tr>
              </thead>
              <tbody>
                {told.map((one, i) => (
                  <tr key={i}>
                    <th scope="row" class="number">
                      {count(one.line)}
                    </th>
                    <td>{one.outcome}</td>
                    <td>
                      <Why told={one} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableBox>
          <div class="actions">
            {report.told.length > told.length && !isAll && (
              <Button onClick={() => setAll(true)}>Show {count(Math.min(SHOWN_MAX, report.told.length))}</Button>
            )}
            <Button onClick={() => save([asLines(report)], `${name}.outcome.jsonl`)}>
              Download {plural(report.told.length, "line")}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function Why({ told: { error, id, outcome } }: { told: Told }) {
  if (error) return <Text value={error} max={500} />;
  if (id === null) return <>{OUTCOME_WORDS[outcome]}</>;
  return <a href={memoryAddress(id)}>The memory that is here</a>;
}
