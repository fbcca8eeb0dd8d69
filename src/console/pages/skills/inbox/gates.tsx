import type { InboxCard } from "../../../api/schemas.gen.ts";
import { Badge } from "../../../kit/controls.tsx";
import { Text } from "../../../kit/text.tsx";

type Gates = NonNullable<InboxCard["gates"]>;

/** What each gate asks. */
const QUESTIONS: Readonly<Record<string, string>> = {
  volume: "Enough runs",
  diversity: "Enough different agents",
  freshness: "Seen lately",
  poison: "Not rejected lately",
  scan: "Scan",
  hash_binding: "What it changes is unchanged",
};

const passedOf = (gates: Gates): number => gates.filter(({ passed }) => passed === true).length;

/** How many gates a candidate passed. */
export const GateCount = ({ gates }: { gates: Gates }) => (
  <Badge
    word={`gates: ${passedOf(gates)} of ${gates.length}`}
    tone={passedOf(gates) === gates.length ? "good" : "bad"}
  />
);

/** What each gate said of a candidate, and why. */
export const GateTable = ({ gates }: { gates: Gates }) => (
  <div class="table-box">
    <table>
      <thead>
        <tr>
          <th scope="col">Gate</th>
          <th scope="col">It said</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {gates.map(({ gate, passed, reason }) => (
          <tr key={String(gate)}>
            <td>{QUESTIONS[String(gate)] ?? String(gate)}</td>
            <td>
              <Badge word={passed === true ? "passed" : "refused"} tone={passed === true ? "good" : "bad"} />
            </td>
            <td>
              <Text value={String(reason ?? "")} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
