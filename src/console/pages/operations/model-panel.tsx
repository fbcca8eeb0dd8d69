import { useCall } from "../../api/query.ts";
import type { OtherModel } from "../../api/schemas.gen.ts";
import { usePolling } from "../../hooks/poll.ts";
import { Badge, Copyable, Progress } from "../../kit/controls.tsx";
import { Panel } from "../../kit/layout.tsx";
import { count, decimals, duration } from "../../kit/numbers.ts";
import { Pairs } from "../../kit/pairs.tsx";
import { Time } from "../../kit/time.tsx";
import { OfOwner } from "./of-owner.tsx";

const EVERY_MS = 1_500;

/** Which embedding model answers, and how far another one is. It is changed by the command alone. */
export function ModelPanel() {
  const state = useCall("getModelChange", {}, ["jobs"]);
  const other = state.data?.other ?? null;
  usePolling(other?.state === "building" || other?.state === "dropping", EVERY_MS, [state]);
  return (
    <Panel title="Embedding model">
      <OfOwner of={state} what="The embedding model">
        {({ model, models, other: beside }) => (
          <div class="stack">
            <Pairs
              of={[
                ["Answers", model],
                ["Can be chosen", models.join(", ")],
              ]}
            />
            {beside ? <Beside model={beside} /> : <Change model={models.find((one) => one !== model) ?? null} />}
          </div>
        )}
      </OfOwner>
    </Panel>
  );
}

const Change = ({ model }: { model: string | null }) =>
  model === null ? (
    <p class="dim">
      There is no other model. One of your own is a folder below the one that <code>--models</code> names.
    </p>
  ) : (
    <>
      <p class="dim">
        Another model reads everything while this one goes on answering, then takes over at once. This begins it:
      </p>
      <Copyable text={`cairn reembed --model ${model}`} />
    </>
  );

/** What each state means, and the commands that lead on from it. */
const STATES: Readonly<Record<OtherModel["state"], readonly [words: string, commands: readonly string[]]>> = {
  building: [
    "It reads what is stored, and goes on by itself, also after a restart.",
    ["cairn reembed --pause", "cairn reembed --cancel"],
  ],
  paused: ["It waits to go on.", ["cairn reembed --resume", "cairn reembed --cancel"]],
  failed: ["It has stopped.", ["cairn reembed --resume", "cairn reembed --cancel"]],
  previous: [
    "It answered before, and is kept so that you can go back.",
    ["cairn reembed --rollback", "cairn reembed --drop-old"],
  ],
  dropping: ["Its vectors are being taken out.", ["cairn reembed"]],
};

function Beside({
  model: { model, state, step, done, total, per_second, seconds_left, ...rest },
}: {
  model: OtherModel;
}) {
  const [words, commands] = STATES[state];
  const pace = [
    `${count(done)} of ${count(total)}`,
    per_second === null ? null : `${decimals(per_second, 1)} a second`,
    seconds_left === null ? null : `${duration(seconds_left)} left`,
    step,
  ];
  return (
    <>
      <p>
        <strong>{model}</strong>{" "}
        <Badge word={state} tone={state === "failed" ? "bad" : state === "previous" ? "" : "warn"} /> {words} Begun{" "}
        <Time at={rest.started_at} />.
      </p>
      {rest.error && <p class="field-problem">{rest.error}</p>}
      {state !== "previous" && (
        <>
          <Progress label={`${model} reads`} share={total > 0 ? done / total : null} />
          <p class="dim">{pace.filter(Boolean).join(", ")}</p>
        </>
      )}
      {commands.map((command) => (
        <Copyable key={command} text={command} />
      ))}
    </>
  );
}
