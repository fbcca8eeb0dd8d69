import type { Status } from "../../api/schemas.gen.ts";
import { Badge } from "../../kit/controls.tsx";
import { TableBox } from "../../kit/table-box.tsx";

type ModelName = "embedding" | "judge" | "llm";

const MODELS: readonly (readonly [name: ModelName, title: string, what: string])[] = [
  ["embedding", "Embedding", "finds memories and documents by their meaning"],
  ["judge", "Judge", "tells whether two memories contradict"],
  ["llm", "Language model", "optional: summaries, unsure contradictions, drafts of skills"],
];

/** Each model, where it runs and whether it is ready. */
export const ModelsTable = ({ status }: { status: Status }) => (
  <TableBox label="Models">
    <table>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">State</th>
          <th scope="col">Name</th>
          <th scope="col">Where</th>
        </tr>
      </thead>
      <tbody>
        {MODELS.map(([name, title, what]) => {
          const { provider, model, configured } = status[name];
          return (
            <tr key={name}>
              <th scope="row">
                {title}
                <br />
                <small class="dim">{what}</small>
              </th>
              <td>
                <Phase word={phaseOf(status, name)} />
              </td>
              <td>{model ?? <span class="dim">none</span>}</td>
              <td>{configured ? (provider ?? "unknown") : <span class="dim">not set up</span>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </TableBox>
);

/** How far a model is; null for one that has no phases or is not there. */
const phaseOf = (status: Status, name: ModelName): string | null => (name === "llm" ? null : status[name].phase);

const Phase = ({ word }: { word: string | null }) => {
  if (word === null) return <span class="dim">—</span>;
  if (word === "waiting") return <span title="It is loaded when it is first needed.">waits to be needed</span>;
  return <Badge word={word} />;
};
