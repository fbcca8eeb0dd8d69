import { useState } from "preact/hooks";
import { Button, Progress } from "../../../kit/controls.tsx";
import { Panel, Problem } from "../../../kit/layout.tsx";
import { bytes, count, duration, plural } from "../../../kit/numbers.ts";
import { Pairs } from "../../../kit/pairs.tsx";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import { Outcome } from "./outcome.tsx";
import type { ReadFile } from "./run.ts";
import type { ImportState } from "./state.ts";
import { chooseFile, importState, store, tryOut } from "./state.ts";

/** Takes a file of Cairn's own export, tells what would become of it, and stores it. */
export function ImportPanel() {
  const { file, read, working, dry, done, problem } = importState.value;
  return (
    <Panel title="Import an export of Cairn">
      <div class="stack">
        {!working && <Choose file={file} />}
        {working && file && <Working working={working} file={file} total={read?.total ?? null} />}
        {problem && <Problem problem={problem} />}
        {read && !working && <Ready read={read} isTried={dry !== null} isDone={done !== null && !done.isCancelled} />}
        {dry && !done && !working && (
          <Outcome ended={dry} title="The dry run: nothing is stored yet" name={read?.file.name ?? ""} />
        )}
        {done && !working && (
          <Outcome ended={done} title={done.isCancelled ? "Cancelled" : "Imported"} name={read?.file.name ?? ""} />
        )}
      </div>
    </Panel>
  );
}

function Choose({ file }: { file: File | null }) {
  const [isOver, setOver] = useState(false);
  return (
    <label
      class={`drop ${isOver ? "is-over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        chooseFile(event.dataTransfer?.files[0] ?? null);
      }}
    >
      <span>
        {file ? (
          <>
            <Text value={file.name} />, {bytes(file.size)}
          </>
        ) : (
          "Drop the file that “Export” or cairn export all.jsonl wrote, or choose it"
        )}
      </span>
      <input
        type="file"
        aria-label="File to import"
        accept=".jsonl,.ndjson,.json"
        onChange={({ currentTarget }) => {
          chooseFile(currentTarget.files?.[0] ?? null);
          currentTarget.value = "";
        }}
      />
    </label>
  );
}

function Ready({ read, isTried, isDone }: { read: ReadFile; isTried: boolean; isDone: boolean }) {
  const { frame, total, stored } = read;
  const isPart = stored > 0 && stored < total;
  const isNext = isTried || isPart;
  return (
    <>
      <Pairs
        of={[
          ["Written by", frame?.release ? `Cairn ${frame.release}` : "not said"],
          ["Written", frame?.exported_at ? <Time at={frame.exported_at} /> : "not said"],
          ["Of the tenant", frame?.tenant_id ? <Text value={frame.tenant_id} /> : "not said"],
          ["Entries", count(total)],
          ["Stored by earlier runs", stored >= total ? "all of them" : count(stored)],
        ]}
      />
      <p class="dim">
        What is here already stays as it is. Ids, dates, authors and statuses of memories are kept. Rules, skills,
        agents with their trust and settings are left out: <code>cairn import FILE --trust-source</code> shows them, and
        brings them where you know who wrote the file.
      </p>
      <div class="actions">
        <Button kind={isNext ? "plain" : "primary"} onClick={() => tryOut(read)}>
          Dry run
        </Button>
        <Button kind={isNext ? "primary" : "plain"} onClick={() => store(read)}>
          {isPart ? `Go on after the first ${count(stored)}` : isDone || stored >= total ? "Import again" : "Import"}
        </Button>
        <Button onClick={() => chooseFile(null)}>Close the file</Button>
      </div>
    </>
  );
}

const TITLES = { reading: "Reading the file", "dry run": "Dry run", import: "Import" } as const;

interface WorkingProps {
  readonly working: NonNullable<ImportState["working"]>;
  readonly file: File;
  readonly total: number | null;
}

function Working({ working: { task, cancel, isCancelling, progress, seconds }, file, total }: WorkingProps) {
  const share = file.size > 0 ? progress.bytes / file.size : null;
  const rate = seconds > 0 ? progress.entries / seconds : 0;
  const left = share !== null && share > 0 && seconds > 1 ? (seconds / share) * (1 - share) : null;
  const said = [
    `${bytes(progress.bytes)} of ${bytes(file.size)}`,
    total === null
      ? plural(progress.entries, "entry", "entries")
      : `${count(progress.entries)} of ${plural(total, "entry", "entries")}`,
    `${count(Math.round(rate))} a second`,
    left === null ? null : `${duration(left)} left`,
    progress.counts && progress.counts.refused > 0 ? `${count(progress.counts.refused)} refused` : null,
  ];
  return (
    <>
      <Progress label={TITLES[task]} share={share} />
      <p class="dim">{said.filter(Boolean).join(", ")}</p>
      {task === "import" && (
        <p class="dim">
          Leave this tab of the browser open: the file is read here. What is stored stays stored; the same file goes on
          where it was.
        </p>
      )}
      <div class="actions">
        <Button disabled={isCancelling} onClick={cancel}>
          {isCancelling ? "Cancelling after this batch" : "Cancel"}
        </Button>
      </div>
    </>
  );
}
