import type { Topic } from "../api/live.ts";
import { useCall } from "../api/query.ts";
import type { AuditEntry } from "../api/schemas.gen.ts";
import { Loading, Problem } from "./layout.tsx";
import { Time } from "./time.tsx";

const SHOWN = 20;
const SOURCES: Readonly<Record<string, string>> = {
  standalone: "the owner of the machine",
  "api-key": "a key of no agent",
  "gateway-header": "the gateway",
  worker: "Cairn itself",
  rebuild: "Cairn itself",
};

/** Who an entry of the log names. */
const whoOf = ({ agent_id, auth_source }: AuditEntry): string => agent_id ?? SOURCES[auth_source] ?? auth_source;

/** Who wrote and changed a record, newest first, as the log has it; the log is for administrators alone. */
export function WrittenBy({ target_id, topics }: { target_id: string; topics: readonly Topic[] }) {
  const { data, problem, reload } = useCall("listAudit", { query: { target_id, limit: SHOWN } }, topics);
  if (problem?.code === "ADMIN_REQUIRED")
    return <p class="dim">Who wrote it stands in the log, which only an administrator may read.</p>;
  if (problem) return <Problem problem={problem} retry={reload} />;
  if (data === null) return <Loading lines={1} />;
  if (data.items.length === 0) return <p class="dim">The log no longer says who wrote it.</p>;
  return (
    <div class="table-box">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {data.items.map((entry) => (
            <tr key={entry.id}>
              <td>
                <Time at={entry.at} />
              </td>
              <td>{whoOf(entry)}</td>
              <td>
                <code>{entry.action}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
