import { useEffect, useState } from "preact/hooks";
import { call } from "../../../api/call.ts";
import { nameOfFleet } from "../../../api/projects.ts";
import { useCall } from "../../../api/query.ts";
import type { AuditEntry } from "../../../api/schemas.gen.ts";
import { Button } from "../../../kit/controls.tsx";
import { Show } from "../../../kit/layout.tsx";
import { Text } from "../../../kit/text.tsx";
import { Dated } from "../../../kit/time.tsx";

const PAGE_ENTRIES = 50;

/** Who changed a memory, when, and from what to what: the newest first. Administrators alone are told. */
export function Versions({ id }: { id: string }) {
  const newest = useCall("listAudit", { query: { target_id: id, limit: PAGE_ENTRIES } }, ["memories"]);
  const [older, setOlder] = useState<readonly AuditEntry[]>([]);
  const first = newest.data?.items ?? [];
  // After a change the newest page is another one: what was read behind the old one no longer follows it.
  useEffect(() => setOlder([]), [first[0]?.id]);
  const last = older.at(-1) ?? first.at(-1);
  const [isWhole, setWhole] = useState(false);
  const showOlder = async () => {
    if (!last) return;
    const { items } = await call("listAudit", { query: { target_id: id, limit: PAGE_ENTRIES, before_id: last.id } });
    setOlder([...older, ...items]);
    setWhole(items.length < PAGE_ENTRIES);
  };
  const isRefused = newest.problem?.code === "ADMIN_REQUIRED" || newest.problem?.status === 403;
  return (
    <section>
      <h3>Versions and audit</h3>
      {isRefused ? (
        <p class="dim">
          Only administrators are shown who changed a memory. Sign in with the key of one (
          <code>cairn keys create --admin</code>).
        </p>
      ) : (
        <Show of={newest} lines={2}>
          {() => (
            <>
              {first.length === 0 && <p class="dim">Nothing is kept of it: the log of changes holds no entry.</p>}
              <ol class="plain-list versions">
                {[...first, ...older].map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </ol>
              {first.length === PAGE_ENTRIES && !isWhole && <Button onClick={showOlder}>Show older ones</Button>}
            </>
          )}
        </Show>
      )}
    </section>
  );
}

const SAID: Readonly<Record<string, string>> = {
  "memory.create": "Written",
  "memory.update": "Changed",
  "memory.delete": "Deleted",
  "memory.restore": "Restored",
  "memory.status": "Status changed",
  "memory.supersede": "Superseded another",
  "memory.import": "Imported",
  "memory.move": "Moved",
  "memory.review": "Finding decided",
};

/** Who an entry names where no agent acted. */
const CALLERS: Readonly<Record<string, string>> = {
  standalone: "the owner",
  "api-key": "a key of no agent",
  "gateway-header": "the gateway",
};

function Entry({ entry }: { entry: AuditEntry }) {
  const { action, at, agent_id, auth_source, reason, before, after } = entry;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (one) => one !== "fields",
  );
  const fields = Array.isArray(after?.fields) ? after.fields.map(String).filter((one) => !names.includes(one)) : [];
  return (
    <li>
      <p class="row small">
        <strong title={action}>{SAID[action] ?? action}</strong>
        <span>
          by <Text value={agent_id ?? CALLERS[auth_source] ?? auth_source} />
        </span>
        <span class="dim">
          <Dated at={at} />
        </span>
        {reason && (
          <span class="dim">
            <Text value={reason} max={300} />
          </span>
        )}
      </p>
      {names.length > 0 && (
        <dl class="changes small">
          {names.map((name) => (
            <div key={name}>
              <dt>{name === "fleet_id" ? "project" : name.replaceAll("_", " ")}</dt>
              <dd>
                {before !== null && <Value name={name} value={before[name]} />} <span aria-hidden="true">→</span>
                <span class="hidden-visually">became</span> <Value name={name} value={after?.[name]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {fields.length > 0 && <p class="small dim">Also changed: {fields.join(", ")}</p>}
    </li>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (value === undefined || value === null) return <span class="dim">{name === "fleet_id" ? "none" : "nothing"}</span>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (
    <code>
      <Text value={name === "fleet_id" ? nameOfFleet(text) : text} max={80} />
    </code>
  );
}
