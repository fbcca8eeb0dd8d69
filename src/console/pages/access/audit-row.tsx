import type { AuditEntry } from "../../api/schemas.gen.ts";
import { memoryAddress } from "../../kit/memory-words.ts";
import { TableBox } from "../../kit/table-box.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { changedMembers } from "./changed-members.ts";

const SHOWN_MAX = 2_000;

interface AuditRowProps {
  readonly entry: AuditEntry;
  /** Asks for everything that was done to the same thing. */
  readonly onTarget: (id: string) => void;
}

/** One entry of the audit log: who did what to what, and the members that it changed. */
export function AuditRow({ entry, onTarget }: AuditRowProps) {
  const { at, agent_id, auth_source, action, target_id, before, after, reason } = entry;
  const changes = changedMembers(before, after);
  return (
    <li>
      <details>
        <summary data-row>
          <strong>{action}</strong> by{" "}
          {agent_id === null ? (WHO[auth_source] ?? auth_source) : <Text value={agent_id} max={80} />}, <Time at={at} />
          {reason && (
            <>
              {": "}
              <Text value={reason} max={200} />
            </>
          )}
        </summary>
        <div class="stack audit-detail">
          <p>
            Of <Text value={target_id} max={200} />; who it was is known by: {auth_source}.{" "}
            {action.startsWith("memory.") && <a href={memoryAddress(target_id)}>Open the memory</a>}{" "}
            <button type="button" class="link" onClick={() => onTarget(target_id)}>
              All that was done to it
            </button>
          </p>
          {changes.length === 0 ? (
            <p class="dim">No members are kept of it.</p>
          ) : (
            <TableBox label="Members that changed">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Member</th>
                    <th scope="col">Before</th>
                    <th scope="col">After</th>
                  </tr>
                </thead>
                <tbody>
                  {changes.map(([name, old, now]) => (
                    <tr key={name}>
                      <th scope="row">
                        <Text value={name} max={100} />
                      </th>
                      <td class="audit-before">
                        {old === null ? <span class="dim">nothing</span> : <Text value={old} max={SHOWN_MAX} />}
                      </td>
                      <td class="audit-after">
                        {now === null ? <span class="dim">nothing</span> : <Text value={now} max={SHOWN_MAX} />}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableBox>
          )}
        </div>
      </details>
    </li>
  );
}

/** Who acts where no agent is named. */
const WHO: Readonly<Record<string, string>> = {
  standalone: "the owner",
  "api-key": "a key of the tenant",
  "gateway-header": "the gateway",
};
