import { useEffect, useRef, useState } from "preact/hooks";
import type { Input } from "../../../api/call.ts";
import { onChange } from "../../../api/live.ts";
import { useCall } from "../../../api/query.ts";
import type { MemoryStats } from "../../../api/schemas.gen.ts";
import { useAddress } from "../../../hooks/address.ts";
import { useSeen } from "../../../hooks/use-seen.ts";
import { Button, Select } from "../../../kit/controls.tsx";
import { Empty, Panel, Show } from "../../../kit/layout.tsx";
import { ProjectSelect } from "../../../kit/project-select.tsx";
import { MemoryMapView } from "./map-view.tsx";

interface MapPanelProps {
  readonly stats: MemoryStats;
}

/** A map of the memories of a project, on which what is alike lies together; made when one comes to it. */
export function MapPanel({ stats }: MapPanelProps) {
  const ref = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(ref);
  const { values, set } = useAddress();
  const fleet = values.project ?? "";
  const type = values.type ?? "";
  const query: Input<"memoryMap"> = {
    query: { ...(fleet === "" ? {} : { fleet_id: fleet }), ...(type === "" ? {} : { memory_type: type }) },
  };
  const map = useCall("memoryMap", isSeen ? query : null);
  const isOld = useIsOld(map.data);
  const types = Object.keys(stats.by_type);
  return (
    <Panel
      title="Map of memories"
      class="wide-panel"
      actions={
        <>
          {isOld && <Button onClick={map.reload}>Memories changed: draw again</Button>}
          <ProjectSelect value={fleet} onChange={(project) => set({ project }, { replace: true })} />
          <Select
            label="Type"
            value={type}
            options={[["", "all types"], ...named(types, type)]}
            onChange={(chosen) => set({ type: chosen }, { replace: true })}
          />
        </>
      }
    >
      <div ref={ref} class="map-place">
        {isSeen && (
          <Show of={map} lines={10}>
            {(data) =>
              data.points.length > 0 ? (
                <MemoryMapView map={data} />
              ) : (
                <Empty title="No memories with vectors here.">
                  <p>Choose another project or type; new memories get their vectors within seconds.</p>
                </Empty>
              )
            }
          </Show>
        )}
      </div>
    </Panel>
  );
}

/** Values to choose from, the chosen one always among them. */
const named = (names: readonly string[], chosen: string): (readonly [string, string])[] =>
  [...new Set([...names, ...(chosen === "" ? [] : [chosen])])].map((name) => [name, name] as const);

/** Whether memories changed since something was read of them: drawing takes the server a while, so that one is asked. */
function useIsOld(of: unknown): boolean {
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    setOld(false);
    return onChange(["memories"], () => setOld(true));
  }, [of]);
  return isOld && of !== null;
}
