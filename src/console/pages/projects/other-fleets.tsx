import { useState } from "preact/hooks";
import { knownFleets } from "../../api/projects.ts";
import type { Project } from "../../api/schemas.gen.ts";
import { Button } from "../../kit/controls.tsx";
import { count } from "../../kit/numbers.ts";
import { Text } from "../../kit/text.tsx";
import { MemoriesOf } from "./memories-of.tsx";
import { MergeDialog } from "./merge-dialog.tsx";

interface OtherFleetsProps {
  readonly projects: readonly Project[];
  readonly onMerged: (into: string) => void;
}

/** Fleets that only requests name: nobody has told of a folder or a repository that is theirs. */
export function OtherFleets({ projects, onMerged }: OtherFleetsProps) {
  const [merging, setMerging] = useState<string | null>(null);
  const others = knownFleets.value.filter(({ fleet_id }) => projects.every(({ id }) => id !== fleet_id));
  const from = others.find(({ fleet_id }) => fleet_id === merging);
  if (others.length === 0) return null;
  return (
    <details class="small" open={projects.length === 0}>
      <summary>Names that only requests use ({count(others.length)})</summary>
      <ul>
        {others.map(({ fleet_id, memory_count }) => (
          <li key={fleet_id}>
            <Text value={fleet_id} max={80} />:{" "}
            <MemoriesOf fleet_id={fleet_id} name={fleet_id} memories={memory_count} />{" "}
            {projects.length > 0 && (
              <Button kind="link" label={`Merge ${fleet_id} into a project`} onClick={() => setMerging(fleet_id)}>
                Merge…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {from && (
        <MergeDialog
          from={{ id: from.fleet_id, name: from.fleet_id, memory_count: from.memory_count }}
          others={projects}
          onClose={() => setMerging(null)}
          onMerged={(into) => {
            setMerging(null);
            onMerged(into);
          }}
        />
      )}
    </details>
  );
}
