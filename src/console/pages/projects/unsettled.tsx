import { call } from "../../api/call.ts";
import type { Project } from "../../api/schemas.gen.ts";
import { Button, Copyable } from "../../kit/controls.tsx";
import { shellWord } from "../../kit/curl.ts";
import { plural } from "../../kit/numbers.ts";
import { Time } from "../../kit/time.tsx";
import { toast } from "../../kit/toast.tsx";

/** What of a project may be another one's of the same name, and how it is placed. */
export function Unsettled({ project, onSettled }: { project: Project; onSettled: () => void }) {
  const { id, name, unsettled_before, unsettled_count } = project;
  const before = unsettled_before ?? "";
  const settle = async () => {
    await call("settleProject", { body: { project: id } });
    toast(`What is left in ${name} is its own.`);
    onSettled();
  };
  return (
    <div class="document-note">
      <p>
        Two repositories share this name, and nobody has said whose{" "}
        {plural(unsettled_count, "memory is", "memories are")} that {unsettled_count === 1 ? "was" : "were"} written
        before <Time at={before} />. No hook tells them until they are placed:
      </p>
      <ol>
        <li>
          <a href={`/memories?${new URLSearchParams({ fleet_id: id, created_before: before })}`}>Look at them</a>,
          choose those of the other repository, and move them to its project.
        </li>
        <li>Then say that what is left is its own.</li>
      </ol>
      <p>Or by agent, run, date or text, in a terminal:</p>
      <Copyable text={`cairn project split --project ${shellWord(name)} --to PROJECT --by-agent AGENT`} />
      <div class="actions">
        <Button onClick={settle}>What is left is its own</Button>
      </div>
    </div>
  );
}
