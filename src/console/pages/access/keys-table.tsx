import { nameOfFleet } from "../../api/projects.ts";
import type { Key } from "../../api/schemas.gen.ts";
import { Badge, Button } from "../../kit/controls.tsx";
import { plural } from "../../kit/numbers.ts";
import { TableBox } from "../../kit/table-box.tsx";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { trustWords } from "./trust.ts";

const COLUMNS = ["Begins", "State", "Agent", "Project", "Trust", "Label", "Made", "Revoked"] as const;

/** Keys in use first, each with what it opens; the revoked ones below them on demand. */
export function KeysTable({ keys, onRevoke }: { keys: readonly Key[]; onRevoke: (key: Key) => void }) {
  const used = keys.filter(({ revoked_at }) => revoked_at === null);
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null);
  return (
    <div class="stack">
      {used.length === 0 ? <p class="dim">None is in use.</p> : <Table keys={used} onRevoke={onRevoke} />}
      {revoked.length > 0 && (
        <details>
          <summary>{plural(revoked.length, "revoked key")}</summary>
          <Table keys={revoked} onRevoke={null} />
        </details>
      )}
    </div>
  );
}

function Table({ keys, onRevoke }: { keys: readonly Key[]; onRevoke: ((key: Key) => void) | null }) {
  return (
    <TableBox label="Keys">
      <table>
        <thead>
          <tr>
            {COLUMNS.map((title) => (
              <th scope="col" key={title}>
                {title}
              </th>
            ))}
            {onRevoke && <th scope="col">Do</th>}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                <code>{key.key_prefix}…</code>
              </th>
              <td>
                <Badge
                  word={key.revoked_at === null ? "in use" : "revoked"}
                  tone={key.revoked_at === null ? "good" : "bad"}
                />
              </td>
              <td>
                {key.agent_id === null ? <span class="dim">any of the tenant</span> : <Text value={key.agent_id} />}
              </td>
              <td>
                {key.fleet_id === null ? <span class="dim">none</span> : <Text value={nameOfFleet(key.fleet_id)} />}
              </td>
              <td>
                {trustWords(key.trust)}
                {key.admin && (
                  <>
                    {" "}
                    <Badge word="administrator" tone="warn" />
                  </>
                )}
              </td>
              <td>{key.label === null ? <span class="dim">none</span> : <Text value={key.label} max={80} />}</td>
              <td>
                <Time at={key.created_at} />
              </td>
              <td>
                <Time at={key.revoked_at} />
              </td>
              {onRevoke && (
                <td>
                  <Button kind="danger" label={`Revoke the key ${key.key_prefix}`} onClick={() => onRevoke(key)}>
                    Revoke…
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
