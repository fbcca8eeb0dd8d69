import type { StageTime } from "../../../api/schemas.gen.ts";
import { decimals } from "../../../kit/numbers.ts";

const WORDS: Readonly<Record<string, string>> = {
  embed: "waiting for the vectors of the question",
  names: "entities that it names",
  candidates: "finding what may answer",
  vectors: "nearest vectors",
  words: "words",
  rows: "reading the rows",
  scoring: "weighing the signals",
  "superseded-by-newest": "newest of what says the same",
  placing: "floors, equal texts, successors",
  shown: "making the reply",
  summary: "writing the summary",
};
const REST = "rest";
const SERIES = 8;

interface StageTimesProps {
  readonly stages: readonly StageTime[];
  /** What the server says that the whole took, in milliseconds. */
  readonly took_ms: number | null;
}

/** How long each stage took: one bar, and the same as a table. */
export function StageTimes({ stages, took_ms }: StageTimesProps) {
  const sum = stages.reduce((all, { ms }) => all + ms, 0);
  const rest = Math.max(0, (took_ms ?? sum) - sum);
  const all = Math.max(sum + rest, Number.MIN_VALUE);
  const shown = took_ms === null ? stages : [...stages, { name: REST, ms: rest }];
  const colour = (i: number) => (shown[i]?.name === REST ? "var(--line)" : `var(--series-${(i % SERIES) + 1})`);
  const share = (ms: number) => `${decimals((100 * ms) / all, 0)} %`;
  return (
    <>
      <p class="small dim">
        The stages took {decimals(sum, 1)} ms
        {took_ms === null ? "." : ` of ${decimals(took_ms, 1)} ms, which the server needed in all (X-Response-Time).`}
      </p>
      <div
        class="stage-bar"
        role="img"
        aria-label={`Shares of the time: ${shown.map(({ name, ms }) => `${name} ${share(ms)}`).join(", ")}`}
      >
        {shown.map(({ name, ms }, i) => (
          <span
            key={name}
            title={`${name}: ${decimals(ms, 2)} ms`}
            style={{ width: `${(100 * ms) / all}%`, background: colour(i) }}
          />
        ))}
      </div>
      <div class="table-box">
        <table class="small">
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col">What</th>
              <th scope="col" class="number">
                ms
              </th>
              <th scope="col" class="number">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((stage, i) => (
              <StageRows key={stage.name} stage={stage} colour={colour(i)} share={share} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface StageRowsProps {
  readonly stage: StageTime;
  readonly colour: string;
  readonly share: (ms: number) => string;
}

const StageRows = ({ stage: { name, ms, parts = [] }, colour, share }: StageRowsProps) => (
  <>
    <tr>
      <th scope="row">
        <span class="swatch" style={{ background: colour }} aria-hidden="true" /> {name}
      </th>
      <td>{name === REST ? "what no stage covers: taking the request in, handing it over" : WORDS[name]}</td>
      <td class="number">{decimals(ms, 2)}</td>
      <td class="number">{share(ms)}</td>
    </tr>
    {parts.map((part) => (
      <tr key={part.name} class="stage-part">
        <th scope="row">{part.name}</th>
        <td>{WORDS[part.name]}</td>
        <td class="number">{decimals(part.ms, 2)}</td>
        <td class="number">{share(part.ms)}</td>
      </tr>
    ))}
  </>
);
