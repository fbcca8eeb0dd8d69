import { useEffect } from "preact/hooks";
import type { Topic } from "../api/live.ts";
import { knownFleets, knownProjects } from "../api/projects.ts";
import { useCall } from "../api/query.ts";

const TOPICS: readonly Topic[] = ["access", "memories"];
/** Names change seldom, and to count what each holds takes the server a while. */
const PACE = { least_ms: 3_000 } as const;

/** Keeps what pages know of projects as the server has it; shows nothing. */
export function KnownProjects(): null {
  const projects = useCall("listProjects", {}, TOPICS, PACE);
  const fleets = useCall("listFleets", {}, TOPICS, PACE);
  useEffect(() => {
    if (projects.data) knownProjects.value = projects.data.items;
  }, [projects.data]);
  useEffect(() => {
    if (fleets.data) knownFleets.value = fleets.data;
  }, [fleets.data]);
  return null;
}
