import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Project } from "../../api/schemas.gen.ts";
import { Button } from "../../kit/controls.tsx";
import { Panel } from "../../kit/layout.tsx";
import { count } from "../../kit/numbers.ts";
import { Pair } from "../../kit/pairs.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { NameDialog } from "./name-dialog.tsx";
import { Unsettled } from "./unsettled.tsx";

interface ProjectPanelProps {
  readonly project: Project;
  /** Called when it is no longer as it was given. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** One project: all that is known of it, renamed here. */
export function ProjectPanel({ project, onChanged, onClose }: ProjectPanelProps) {
  const [opened, setOpened] = useState<"rename" | "alias" | null>(null);
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
          <Button label="Close the project" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div class="stack">
        {project.unsettled_before !== null && <Unsettled project={project} onSettled={onChanged} />}
        {absorbing.length > 0 && (
          <p class="document-note">
            A merge of <Text value={absorbing.join(", ")} /> into it was broken off. Merge it again to go on.
          </p>
        )}
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
      {opened && <NameDialog project={project} kind={opened} onClose={done} />}
    </Panel>
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
