import { Copyable } from "../../kit/controls.tsx";
import { Panel } from "../../kit/layout.tsx";

const STEPS = [
  ["Let an agent use Cairn", "cairn setup claude", "Shows what it would change, keeps a backup, asks."],
  ["Write a first memory", 'cairn add "We deploy every Tuesday after the standup."', "It appears here at once."],
  ["Ask for it", 'cairn search "when do we release?" --explain', "Says what is found, and why."],
] as const;

/** Stands where there are no memories yet. */
export const Welcome = () => (
  <Panel title="Welcome: there are no memories yet" class="wide-panel">
    <ol class="steps">
      {STEPS.map(([what, command, about]) => (
        <li key={command}>
          <strong>{what}</strong>
          <Copyable text={command} />
          <small class="dim">{about}</small>
        </li>
      ))}
    </ol>
    <p class="dim">
      Other agents, other machines and plain HTTP are below. What another tool kept is taken over under{" "}
      <a href="/operations?tab=import">Import</a>.
    </p>
  </Panel>
);
