import { useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import type { IntegrityReport, IntegrityRun } from "../../api/schemas.gen.ts";
import { usePolling } from "../../hooks/poll.ts";
import { Badge, Button, Copyable, Progress } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Panel, Show } from "../../kit/layout.tsx";
import { count, plural } from "../../kit/numbers.ts";
import { TableBox } from "../../kit/table-box.tsx";
import { Time } from "../../kit/time.tsx";

const EVERY_MS = 700;

/** Checks the indexes against the rows, or makes them anew, and tells what was found. */
export function IntegrityPanel() {
  const state = useCall("readIntegrityRun", {}, ["jobs"]);
  const [isAsking, setAsking] = useState(false);
  const run = state.data?.run ?? null;
  const isRunning = run?.state === "running";
  usePolling(isRunning, EVERY_MS, [state]);
  const begin = async (kind: "check" | "rebuild") => {
    setAsking(false);
    await call("beginIntegrityRun", { body: { kind } });
    state.reload();
  };
  const actions = (
    <>
      <Button kind="primary" disabled={isRunning || !state.data} onClick={() => begin("check")}>
        Check the indexes
      </Button>
      <Button disabled={isRunning || !state.data} onClick={() => setAsking(true)}>
        Rebuild them…
      </Button>
    </>
  );
  return (
    <Panel title="Index check and rebuild" actions={actions}>
      <Show of={state}>
        {({ run: last }) =>
          last === null ? (
            <p class="dim">
              Not checked since the server was started. A check compares the data file and every index with the rows;
              the server serves meanwhile.
            </p>
          ) : (
            <Run run={last} />
          )
        }
      </Show>
      {isAsking && (
        <Dialog title="Rebuild all indexes" onClose={() => setAsking(false)}>
          <p>
            Every index is made anew from the rows. No memory is lost or changed, and search goes on; it may take
            minutes for many memories, in which the server is slower. It cannot be cancelled: it goes on by itself, and
            after it the indexes are checked.
          </p>
          <div class="actions">
            <Button kind="primary" onClick={() => begin("rebuild")}>
              Rebuild
            </Button>
            <Button onClick={() => setAsking(false)}>Leave them</Button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}

const TITLES = { check: "Check", rebuild: "Rebuild" } as const;

function Run({ run }: { run: IntegrityRun }) {
  const { kind, state, done, total, now, started_at, finished_at, report, rebuilt, error } = run;
  if (state === "running")
    return (
      <div class="stack">
        <Progress label={TITLES[kind]} share={total > 0 ? done / total : null} />
        <p class="dim">
          {now} ({count(done)} of {count(total)}). Begun <Time at={started_at} />. It goes on by itself, also when this
          page is closed; it cannot be cancelled.
        </p>
      </div>
    );
  return (
    <div class="stack">
      <p>
        {TITLES[kind]} ended <Time at={finished_at} />
        {state === "failed" ? ": it failed." : "."}
      </p>
      {error && <p class="field-problem">{error}</p>}
      {rebuilt && (
        <p>
          Made anew for {plural(rebuilt.memories, "memory", "memories")} and {plural(rebuilt.documents, "document")}
          {rebuilt.embeddings_queued > 0 && `; ${plural(rebuilt.embeddings_queued, "vector")} follow by jobs`}.
        </p>
      )}
      {report && <Found report={report} />}
    </div>
  );
}

function Found({ report: { ok, checks, damaged } }: { report: IntegrityReport }) {
  const isTableDamaged = damaged.some(({ derived }) => !derived);
  return (
    <>
      {ok ? (
        <p>
          <Badge word="ok" /> Rows and indexes agree. There is nothing to do.
        </p>
      ) : (
        <div class="stack">
          <p>
            <Badge word="faults found" tone="bad" />{" "}
            {isTableDamaged
              ? "The data file itself is damaged. Stop the server, then run this: it saves every row that can be read, keeps the damaged file and names what is lost."
              : "No row is lost: the indexes can be made anew from the rows, by the button above or by this command."}
          </p>
          <Copyable text="cairn rebuild" />
        </div>
      )}
      {damaged.map(({ table, index, detail }) => (
        <p key={`${table} ${index}`}>
          <strong>{index === null ? table : `${table}, index ${index}`}</strong>: {detail}
        </p>
      ))}
      <details open={!ok}>
        <summary>{plural(checks.length, "check")}</summary>
        <TableBox label="Checks">
          <table>
            <thead>
              <tr>
                <th scope="col">Check</th>
                <th scope="col">Result</th>
                <th scope="col" class="number">
                  Faults
                </th>
                <th scope="col">Detail</th>
              </tr>
            </thead>
            <tbody>
              {checks.map((check) => (
                <tr key={check.name}>
                  <th scope="row">{check.name}</th>
                  <td>
                    <Badge word={check.ok ? "ok" : "faults"} tone={check.ok ? "good" : "bad"} />
                  </td>
                  <td class="number">{count(check.faults)}</td>
                  <td>{check.detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      </details>
    </>
  );
}
