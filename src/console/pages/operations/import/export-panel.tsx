import { useRef, useState } from "preact/hooks";
import { send } from "../../../api/call.ts";
import type { CallProblem } from "../../../api/problem.ts";
import { asProblem, CallProblem as Refusal } from "../../../api/problem.ts";
import { knownFleet } from "../../../api/projects.ts";
import { Button, Copyable, Progress } from "../../../kit/controls.tsx";
import { save } from "../../../kit/download.ts";
import { Panel, Problem } from "../../../kit/layout.tsx";
import { bytes } from "../../../kit/numbers.ts";
import { ProjectField } from "../../../kit/project-field.tsx";

/** What a browser can be trusted to hold before it is saved. */
const BYTES_MAX = 512_000_000;
/** Behind the last line, which counts the records, nothing follows. */
const END = /\n\{"record":"end",[^\n]*\}\n?$/;
const TAIL_BYTES = 4_096;
const COMMAND = "cairn export all.jsonl";

/** Takes everything of the tenant, or of one project, into a file. */
export function ExportPanel() {
  const [project, setProject] = useState("");
  const [read, setRead] = useState<number | null>(null);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  const run = async () => {
    const control = new AbortController();
    abort.current = control;
    setProblem(null);
    setSaid(null);
    setRead(0);
    const fleet_id = knownFleet(project.trim()) ?? project.trim();
    try {
      const blob = await collect(fleet_id, control, setRead);
      const name = `cairn-${fleet_id === "" ? "all" : fleet_id.replace(/[^\w.-]+/g, "-")}.jsonl`;
      save([blob], name);
      setSaid(`${name}, ${bytes(blob.size)}: the browser saves it where it saves downloads.`);
    } catch (error) {
      if (control.signal.aborted && !(error instanceof Refusal)) setSaid("Cancelled: nothing is saved.");
      else setProblem(asProblem(error));
    } finally {
      setRead(null);
    }
  };
  return (
    <Panel title="Export">
      <div class="stack">
        <p class="dim">
          Everything of the tenant, of one moment, as JSON Lines: memories, documents, rules, skills, entities,
          findings, agents, settings. Keys, deleted memories and the audit log are never in it. The browser holds it
          until it is whole: above {bytes(BYTES_MAX)} use <code>{COMMAND}</code>.
        </p>
        <ProjectField hint="Left empty: everything." value={project} onChange={setProject} />
        {read !== null && <Progress label={`${bytes(read)} read`} share={null} />}
        {problem && <Problem problem={problem} />}
        {problem?.code === "TOO_LARGE" && <Copyable text={COMMAND} />}
        {said && <p role="status">{said}</p>}
        <div class="actions">
          <Button onClick={run}>Export</Button>
          {read !== null && <Button onClick={() => abort.current?.abort()}>Cancel</Button>}
        </div>
      </div>
    </Panel>
  );
}

/** Reads an export as it comes. Throws CallProblem where it grows too large or its end is missing. */
async function collect(fleet_id: string, control: AbortController, told: (bytes: number) => void): Promise<Blob> {
  const response = await send("exportTenant", { query: { fleet_id } }, control.signal);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let read = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    read += part.length;
    told(read);
    if (read <= BYTES_MAX) continue;
    control.abort();
    throw new Refusal(
      0,
      "TOO_LARGE",
      `It is larger than ${bytes(BYTES_MAX)}. This command writes it to a file as it comes:`,
    );
  }
  const blob = new Blob(parts);
  if (!END.test(`\n${await blob.slice(-TAIL_BYTES).text()}`))
    throw new Refusal(0, "CUT_OFF", "It ended in the middle, and is not saved. Export again.");
  return blob;
}
