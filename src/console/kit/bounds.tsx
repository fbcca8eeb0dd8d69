import type { Bounds } from "../api/schemas.gen.ts";
import { Progress } from "./controls.tsx";
import { bytes, count } from "./numbers.ts";
import { Pairs } from "./pairs.tsx";
import { TableBox } from "./table-box.tsx";

/** What is left of the calls of one kind, as a reply told. */
export interface RateLeft {
  readonly limit: number;
  readonly remaining: number;
}

const KINDS = [
  ["read", "Reads", "--rate-reads"],
  ["search", "Searches", "--rate-searches"],
  ["write", "Writes", "--rate-writes"],
  ["bulk", "Writes of many, imports", "--rate-bulk"],
] as const;

interface BoundsProps {
  readonly bounds: Bounds;
  /** Of reads, as the page asks by reading; null where it was not looked at. */
  readonly left: RateLeft | null;
}

/** What bounds apply to the caller, what is used of them, and the flags that set them. */
export const BoundsView = ({ bounds: { rates, memories, sizes, streams, server }, left }: BoundsProps) => (
  <div class="stack">
    <Progress
      label={`Memories: ${count(memories.used)} of ${count(memories.limit)}`}
      share={memories.limit > 0 ? memories.used / memories.limit : null}
    />
    <TableBox label="Rates">
      <table>
        <thead>
          <tr>
            <th scope="col">Calls of one caller</th>
            <th scope="col" class="number">
              A second
            </th>
            {left && (
              <th scope="col" class="number">
                Left now
              </th>
            )}
            <th scope="col">Flag</th>
          </tr>
        </thead>
        <tbody>
          {KINDS.map(([kind, words, flag]) => (
            <tr key={kind}>
              <th scope="row">{words}</th>
              <td class="number">{rates[kind] === 0 ? "no limit" : count(rates[kind])}</td>
              {left && (
                <td class="number">
                  {kind === "read" ? `${count(left.remaining)} of ${count(left.limit)}` : "told by its calls"}
                </td>
              )}
              <td>
                <code>{flag}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
    <Pairs
      of={[
        [
          "Body of a call",
          `${bytes(sizes.body_bytes)}, ${count(sizes.body_values)} JSON values, ${sizes.body_depth} levels`,
        ],
        ["Rows in a reply", `${bytes(sizes.reply_bytes)}; a page ends before it`],
        ["Metadata", `${bytes(sizes.metadata_bytes)} of JSON, ${count(sizes.members)} members`],
        ["Document", `${bytes(sizes.document_bytes)} of JSON, ${count(sizes.members)} members`],
        ["Where of a query", `${count(sizes.where_values)} JSON values`],
        ["Streams of changes", `${streams.caller} of one caller, ${streams.server} of all`],
        [
          "Server",
          server
            ? `${count(server.requests)} requests in hand, ${count(server.connections)} connections`
            : "told to the owner of the machine alone",
        ],
      ]}
    />
  </div>
);
