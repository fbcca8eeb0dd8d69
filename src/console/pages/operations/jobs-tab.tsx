import { useCall } from "../../api/query.ts";
import type { Status, UnfinishedJobs } from "../../api/schemas.gen.ts";
import { usePolling } from "../../hooks/poll.ts";
import { Empty, Panel, Show } from "../../kit/layout.tsx";
import { count, decimals, duration } from "../../kit/numbers.ts";
import { Pairs } from "../../kit/pairs.tsx";
import { TableBox } from "../../kit/table-box.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { kindWords } from "./job-words.ts";

const EVERY_MS = 2_000;

/** What is still to be done for what was written, how fast that goes, and what of it fails. */
export function JobsTab() {
  const status = useCall("status", {}, ["jobs"]);
  const jobs = useCall("listJobs", {}, ["jobs"]);
  usePolling(jobs.problem === null && status.problem === null, EVERY_MS, [status, jobs]);
  return (
    <>
      <Panel title="Deferred work">
        <Show of={status}>{(known) => <Pace jobs={known.jobs} />}</Show>
      </Panel>
      <Show of={jobs}>
        {({ counts, failing }) => (
          <>
            <Panel title="By kind">
              {counts.length === 0 ? (
                <Empty title="Nothing waits: all that was written is worked into." />
              ) : (
                <Kinds counts={counts} />
              )}
            </Panel>
            <Panel title="Failing">
              {failing.length === 0 ? <p class="dim">No job fails.</p> : <Failing jobs={failing} />}
            </Panel>
          </>
        )}
      </Show>
    </>
  );
}

const rate = (value: number | null): string => (value === null ? "not known now" : `${decimals(value, 1)} a second`);

function Pace({ jobs }: { jobs: Status["jobs"] }) {
  if (jobs === null) return <p class="dim">This key is not told.</p>;
  const { pending, due, running, scheduled, failing, seconds_left } = jobs;
  const figures = [
    ["unfinished", pending],
    ["due now", due],
    ["running", running],
    ["for later", scheduled],
    ["failing", failing],
  ] as const;
  return (
    <div class="stack">
      <div class="figures">
        {figures.map(([words, value]) => (
          <div class="figure" key={words}>
            <strong>{count(value)}</strong>
            {words}
          </div>
        ))}
      </div>
      <Pairs
        of={[
          ["To be embedded", `${count(jobs.embedding_pending)}, ${rate(jobs.embedded_per_second)}`],
          ["To be understood", `${count(jobs.understanding_pending)}, ${rate(jobs.understood_per_second)}`],
          ["Time left", seconds_left === null ? "not known yet" : seconds_left === 0 ? "none" : duration(seconds_left)],
        ]}
      />
    </div>
  );
}

const Kinds = ({ counts }: Pick<UnfinishedJobs, "counts">) => (
  <TableBox label="Jobs by kind">
    <table>
      <thead>
        <tr>
          <th scope="col">Work</th>
          {["Due", "Running", "For later", "Failing"].map((title) => (
            <th scope="col" class="number" key={title}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {counts.map(({ kind, due, running, scheduled, failing }) => (
          <tr key={kind}>
            <th scope="row">
              <Kind kind={kind} />
            </th>
            {[due, running, scheduled, failing].map((value, i) => (
              <td class="number" key={i}>
                {count(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </TableBox>
);

const Kind = ({ kind }: { kind: string }) => {
  const words = kindWords(kind);
  return words === null ? (
    <code>{kind}</code>
  ) : (
    <>
      {words}
      <br />
      <code class="dim">{kind}</code>
    </>
  );
};

const Failing = ({ jobs }: { jobs: UnfinishedJobs["failing"] }) => (
  <>
    <p class="dim">
      Each is tried again by itself, in the end once an hour, for as long as it fails. The{" "}
      <a href="/operations?tab=log&level=warn">log</a> has more of the cause.
    </p>
    <TableBox label="Failing jobs">
      <table>
        <thead>
          <tr>
            <th scope="col">Work</th>
            <th scope="col">Tenant</th>
            <th scope="col" class="number">
              Tried
            </th>
            <th scope="col">Next</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(({ kind, tenant_id, attempt, run_after, reason }, i) => (
            <tr key={i}>
              <th scope="row">
                <Kind kind={kind} />
              </th>
              <td>{tenant_id ?? <span class="dim">none</span>}</td>
              <td class="number">{count(attempt)}</td>
              <td>
                <Time at={run_after} />
              </td>
              <td>
                <Text value={reason} max={1_000} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  </>
);
