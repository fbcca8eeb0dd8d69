import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Project } from "../../api/schemas.gen.ts";
import { Button, Progress } from "../../kit/controls.tsx";
import { Panel } from "../../kit/layout.tsx";
import { count } from "../../kit/numbers.ts";
import { Pair } from "../../kit/pairs.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { mergeProjects } from "./merging.ts";
import { NameDialog } from "./name-dialog.tsx";
import { Unsettled } from "./unsettled.tsx";

interface ProjectPanelProps {
  readonly project: Project;
  readonly others: readonly Project[];
  /** Called when it is no longer as it was given. */
  readonly onChanged: () => void;
  /** Called with the id of the one that it became part of. */
  readonly onMerged: (into: string) => void;
  readonly onClose: () => void;
}

/** One project: all that is known of it, renamed and merged here. */
export function ProjectPanel({ project, others, onChanged, onMerged, onClose }: ProjectPanelProps) {
  const [opened, setOpened] = useState<"rename" | "alias" | "merge" | null>(null);
  const { id, name, names, remotes, places, memory_count, created_at, absorbing } = project;
  const done = () => {
    setOpened(null);
    onChanged();
  };
  return (
    <Panel
      title={<Text value={name} />}
      actions={
        <>
          <Button onClick={() => setOpened("rename")}>Rename</Button>
          <Button onClick={() => setOpened("alias")}>Add a name</Button>
          <Button onClick={() => setOpened("merge")} disabled={others.length === 0}>
            Merge
          </Button>
          <Button label="Close the project" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div class="stack">
        {project.unsettled_before !== null && <Unsettled project={project} onSettled={onChanged} />}
        {absorbing.map((from) => (
          <GoOn key={from} from={from} into={id} onDone={onChanged} />
        ))}
        <dl class="pairs">
          <Pair name="Id">
            <code>
              <Text value={id} />
            </code>
          </Pair>
          <Pair name="Names that mean it">
            <List of={names} />
          </Pair>
          <Pair name="Remotes">
            <List of={remotes} />
          </Pair>
          <Pair name="Folders">
            <List of={places} />
          </Pair>
          <Pair name="Memories">
            <a href={`/memories?${new URLSearchParams({ fleet_id: id })}`}>{count(memory_count)}</a>
          </Pair>
          <Pair name="Known since">
            <Time at={created_at} />
          </Pair>
        </dl>
      </div>
      {opened === "merge" && (
        <MergeDialog
          from={project}
          others={others}
          onClose={done}
          onMerged={(into) => {
            setOpened(null);
            onMerged(into);
          }}
        />
      )}
      {(opened === "rename" || opened === "alias") && <NameDialog project={project} kind={opened} onClose={done} />}
    </Panel>
  );
}

interface GoOnProps {
  readonly from: string;
  readonly into: string;
  readonly onDone: () => void;
}

/** A merge that was broken off, and the way to go on with it. */
function GoOn({ from, into, onDone }: GoOnProps) {
  const [moved, setMoved] = useState<number | null>(null);
  const goOn = () => mergeProjects({ from, into, onStep: setMoved, isEnded: () => false }).finally(onDone);
  return (
    <div class="document-note">
      <p>
        Not all of <Text value={from} /> became part of it yet: the merge was broken off.
      </p>
      {moved !== null && <Progress label={`${count(moved)} moved`} share={null} />}
      <Button onClick={goOn}>Go on with it</Button>
    </div>
  );
}

/** One below the other. */
const List = ({ of }: { of: readonly string[] }): ComponentChildren =>
  of.length === 0 ? (
    <span class="dim">none</span>
  ) : (
    <ul class="plain-list">
      {of.map((one) => (
        <li key={one}>
          <Text value={one} />
        </li>
      ))}
    </ul>
  );
