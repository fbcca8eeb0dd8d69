import { useCall } from "../../api/query.ts";
import type { Status } from "../../api/schemas.gen.ts";
import { usePolling } from "../../hooks/poll.ts";
import { Badge } from "../../kit/controls.tsx";
import { Panel, Show } from "../../kit/layout.tsx";
import { bytes, count, duration, plural } from "../../kit/numbers.ts";
import { Pairs } from "../../kit/pairs.tsx";
import { IntegrityPanel } from "./integrity-panel.tsx";
import { ModelPanel } from "./model-panel.tsx";
import { ModelsTable } from "./models-table.tsx";

const EVERY_MS = 5_000;

/** Whether the server is well, what it runs on, and what can be done where it is not. */
export function HealthTab() {
  const health = useCall("health", {});
  const status = useCall("status", {}, ["jobs"]);
  usePolling(status.problem === null, EVERY_MS, [health, status]);
  return (
    <>
      <div class="split">
        <Panel title="Server">
          <Show of={health}>
            {({ status: word, unhealthy_dependencies, platform_init_errors }) => (
              <>
                <p>
                  <Badge word={word} /> {WORDS[word]}
                </p>
                {[...unhealthy_dependencies, ...platform_init_errors].map((one) => (
                  <p key={one}>{one}</p>
                ))}
                {word !== "ok" && (
                  <p class="dim">
                    The <a href="/operations?tab=log&level=warn">log</a> has the cause; <code>cairn doctor</code> looks
                    further.
                  </p>
                )}
              </>
            )}
          </Show>
          <Show of={status}>{(known) => <Pairs of={serverPairs(known)} />}</Show>
        </Panel>
        <Panel title="Storage and index">
          <Show of={status}>{(known) => <Pairs of={storagePairs(known)} />}</Show>
        </Panel>
      </div>
      <Panel title="Models">
        <Show of={status}>{(known) => <ModelsTable status={known} />}</Show>
      </Panel>
      <div class="split">
        <IntegrityPanel />
        <ModelPanel />
      </div>
    </>
  );
}

const WORDS = {
  ok: "Everything works.",
  degraded: "It serves, but not all of it works.",
  unhealthy: "It cannot do its work.",
} as const;

const MODES = {
  standalone: "standalone: one tenant, no key asked of callers on this machine",
  "multi-tenant": "several tenants, a key each",
} as const;

const serverPairs = ({ release, mode, uptime_seconds, dependencies, search_threads }: Status) =>
  [
    ["Release", release],
    ["Mode", MODES[mode]],
    ["Up for", duration(uptime_seconds)],
    ["Storage", dependencies.storage],
    ["Event bus", dependencies.event_bus],
    ["Redis", dependencies.redis],
    ["Search threads", search_threads === 0 ? "none: the thread that serves searches" : count(search_threads)],
  ] as const;

const INDEX = {
  loading: "being read into memory; searches are answered meanwhile, more slowly",
  ready: "ready",
  off: "off: searches read the data file",
} as const;

/** Where others than the owner of the machine, or a system that cannot say, get null. */
const NOT_TOLD = "not told";
const size = (value: number | null): string => (value === null ? NOT_TOLD : bytes(value));

function storagePairs({ storage, search_index, embedding }: Status) {
  const { engine, ephemeral, data_bytes, log_bytes, free_bytes } = storage;
  const { state, rows, bytes: held, ready_ms } = search_index;
  const files = [
    ["Data file", size(data_bytes)],
    ["Write-ahead log", size(log_bytes)],
    ["Free on the disk", size(free_bytes)],
  ] as const;
  return [
    ["Engine", engine],
    ["Kept", ephemeral ? "in memory: gone when the server ends" : "on the disk"],
    ...(ephemeral ? [] : files),
    ["Index in memory", INDEX[state]],
    ["Vectors in it", rows === null ? NOT_TOLD : `${plural(rows, "row")} of ${count(embedding.dimensions)} dimensions`],
    ["Its size", size(held)],
    ["Read in", ready_ms === null ? NOT_TOLD : ready_ms < 1_000 ? `${ready_ms} ms` : duration(ready_ms / 1_000)],
  ] as const;
}
