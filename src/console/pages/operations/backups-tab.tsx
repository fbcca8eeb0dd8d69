import { useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import type { BackupRun, BackupState } from "../../api/schemas.gen.ts";
import { usePolling } from "../../hooks/poll.ts";
import { Button, Copyable, Field, Progress } from "../../kit/controls.tsx";
import { Empty, Panel } from "../../kit/layout.tsx";
import { bytes, count, plural } from "../../kit/numbers.ts";
import { TableBox } from "../../kit/table-box.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { OfOwner } from "./of-owner.tsx";

const EVERY_MS = 500;

/** Makes backups while the server serves, and says where they lie and how they are put back. */
export function BackupsTab() {
  const state = useCall("listBackups", {}, ["backups"]);
  const isRunning = state.data?.run?.state === "running";
  usePolling(isRunning, EVERY_MS, [state]);
  return (
    <OfOwner of={state} what="A backup">
      {(known) => (
        <>
          <Begin state={known} onBegun={state.reload} />
          <Panel title="Backups">
            <List state={known} />
          </Panel>
          <Panel title="Verify and restore">
            <HowTo state={known} />
          </Panel>
        </>
      )}
    </OfOwner>
  );
}

function Begin({ state: { folder, run }, onBegun }: { state: BackupState; onBegun: () => void }) {
  const [destination, setDestination] = useState("");
  const [keep, setKeep] = useState("");
  const isRunning = run?.state === "running";
  const begin = async () => {
    const body = {
      ...(destination.trim() === "" ? {} : { destination: destination.trim() }),
      ...(keep === "" ? {} : { keep: Number(keep) }),
    };
    await call("beginBackup", { body });
    onBegun();
  };
  return (
    <Panel
      title="Back up now"
      actions={
        <Button kind="primary" disabled={isRunning || (folder === null && destination.trim() === "")} onClick={begin}>
          Back up now
        </Button>
      }
    >
      <div class="stack">
        <p class="dim">
          One file with everything, of one moment, written while the server serves. It holds every text and the hashes
          of keys: keep it as you keep the data.
        </p>
        <div class="split">
          <Field
            label="Destination"
            hint={`A folder, or a new file, by its full path on the machine of the server; a new folder ends in /. ${folder === null ? "This server keeps nothing on a disk, so name one." : "Left empty: the folder below."}`}
          >
            {(id) => (
              <input
                dir="auto"
                id={id}
                type="text"
                placeholder={folder ?? "/mnt/backups"}
                value={destination}
                onInput={({ currentTarget }) => setDestination(currentTarget.value)}
              />
            )}
          </Field>
          <Field
            label="Keep only the newest"
            hint="Left empty: all stay. Else older backups in that folder are deleted, so that this many stay."
          >
            {(id) => (
              <input
                id={id}
                type="number"
                min={1}
                step={1}
                placeholder="all"
                value={keep}
                onInput={({ currentTarget }) => setKeep(currentTarget.value)}
              />
            )}
          </Field>
        </div>
        {run && <Run run={run} />}
      </div>
    </Panel>
  );
}

function Run({
  run: { state, made, done, total, now, started_at, finished_at, backup, left, error },
}: {
  run: BackupRun;
}) {
  if (state === "running")
    return (
      <>
        <Progress label="Backup" share={total > 0 ? done / total : null} />
        <p class="dim">
          {now}. Begun <Time at={started_at} />. It goes on by itself, also when this page is closed.
        </p>
      </>
    );
  return (
    <>
      <p>
        The last one {state === "failed" ? "failed" : "was finished"} <Time at={finished_at} />.
      </p>
      {error && <p class="field-problem">{error}</p>}
      {backup && (
        <p>
          <Text value={backup.file} /> ({bytes(backup.bytes)}){made && `: nothing was there, and a ${made} was made`}
        </p>
      )}
      {left.length > 0 && (
        <p class="dim">
          Left, since others wrote it, it is dated later, or it cannot be removed: <Text value={left.join(", ")} />
        </p>
      )}
    </>
  );
}

function List({ state: { folder, backups, fault } }: { state: BackupState }) {
  if (folder === null) return <Empty title="This server keeps everything in memory: it has no folder of backups." />;
  if (fault) return <p class="field-problem">{fault}</p>;
  return (
    <>
      <p class="dim">
        They lie in <Text value={folder} />, on the machine of the server.
      </p>
      {backups.length === 0 ? (
        <Empty title="There is no backup yet.">
          <p>Make one above, or have one made every hour:</p>
          <Copyable text={`cairn backup ${quoted(folder)} --every 1h --keep 24`} />
        </Empty>
      ) : (
        <TableBox label="Backups">
          <table>
            <thead>
              <tr>
                <th scope="col">File</th>
                <th scope="col">Of</th>
                <th scope="col" class="number">
                  Size
                </th>
                <th scope="col" class="number">
                  Unpacked
                </th>
                <th scope="col">Holds</th>
                <th scope="col">Written by</th>
              </tr>
            </thead>
            <tbody>
              {backups.map(({ file, bytes: size, manifest }) => (
                <tr key={file}>
                  <th scope="row" title={file}>
                    {file.split(/[\\/]/).at(-1)}
                  </th>
                  <td>
                    <Time at={manifest.created_at} />
                  </td>
                  <td class="number">{bytes(size)}</td>
                  <td class="number">{bytes(manifest.bytes)}</td>
                  <td>{holds(manifest.counts)}</td>
                  <td>Cairn {manifest.release}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </>
  );
}

function holds(counts: Readonly<Record<string, number>>): string {
  const { memories = 0, documents = 0 } = counts;
  const rows = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return `${plural(memories, "memory", "memories")}, ${plural(documents, "document")} (${count(rows)} rows in all)`;
}

function HowTo({ state: { folder, backups } }: { state: BackupState }) {
  const file = quoted(backups[0]?.file ?? `${folder ?? "/mnt/backups"}/cairn-2026-11-24T12-00-00.db.zst`);
  return (
    <div class="stack">
      <p class="dim">Unpacks it elsewhere, checks every index and searches in it:</p>
      <Copyable text={`cairn backup verify ${file}`} />
      <p class="dim">
        Puts it back into a folder that no server uses; data that lies there is kept beside it, in{" "}
        <code>before-restore-TIME</code>:
      </p>
      <Copyable text={`cairn restore ${file} --data /srv/cairn`} />
    </div>
  );
}

/** A path as a shell takes it for one word. */
const quoted = (path: string): string => (/^[\w./\\:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
