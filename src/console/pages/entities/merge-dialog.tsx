import { useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import { useCall } from "../../api/query.ts";
import type { Entity, EntityDetail } from "../../api/schemas.gen.ts";
import { Button } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Problem, Show } from "../../kit/layout.tsx";
import { count, plural } from "../../kit/numbers.ts";
import { cutTo, Text } from "../../kit/text.tsx";
import { toast } from "../../kit/toast.tsx";

interface MergeDialogProps {
  readonly entity: EntityDetail;
  /** The one that is to become part of it; null where it is still to be chosen. */
  readonly otherId: string | null;
  readonly onClose: () => void;
}

/** Makes another entity a part of this one: finds it, says what will happen, and asks. */
export function MergeDialog({ entity, otherId, onClose }: MergeDialogProps) {
  const [chosen, setChosen] = useState(otherId);
  const [typed, setTyped] = useState("");
  return (
    <Dialog title={`Merge another entity into ${cutTo(entity.canonical_name, 60)}`} onClose={onClose}>
      {chosen === null ? (
        <>
          <input
            dir="auto"
            autoFocus
            type="search"
            aria-label="Which other entity is the same thing?"
            placeholder="Name of the other entity"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Choice search={typed.trim()} than={entity} onChoose={setChosen} />
        </>
      ) : (
        <Confirm entity={entity} otherId={chosen} onBack={() => setChosen(null)} onDone={onClose} />
      )}
    </Dialog>
  );
}

const FOUND_MAX = 20;

interface ChoiceProps {
  readonly search: string;
  readonly than: EntityDetail;
  readonly onChoose: (id: string) => void;
}

/** Other entities of a name. */
function Choice({ search, than, onChoose }: ChoiceProps) {
  const asked = search === "" ? null : { query: { search, limit: FOUND_MAX + 1 } };
  const found = useCall("listEntities", asked, ["entities"]);
  if (asked === null) return null;
  return (
    <Show of={found}>
      {(all) => {
        const others = all.filter(({ id }) => id !== than.id).slice(0, FOUND_MAX);
        if (others.length === 0) return <p class="dim">No other entity is called so.</p>;
        return <Found others={others} onChoose={onChoose} />;
      }}
    </Show>
  );
}

const Found = ({ others, onChoose }: { others: readonly Entity[]; onChoose: (id: string) => void }) => (
  <ul class="merge-found">
    {others.map(({ id, canonical_name, entity_type, memory_count }) => (
      <li key={id}>
        <button type="button" onClick={() => onChoose(id)}>
          <Text value={canonical_name} max={80} />{" "}
          <span class="dim small">
            {entity_type}, {plural(memory_count, "memory", "memories")}
          </span>
        </button>
      </li>
    ))}
  </ul>
);

interface ConfirmProps {
  readonly entity: EntityDetail;
  readonly otherId: string;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

function Confirm({ entity, otherId, onBack, onDone }: ConfirmProps) {
  const other = useCall("getEntity", { path: { entity_id: otherId } }, ["entities"]);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const merge = async () => {
    setProblem(null);
    try {
      await call("mergeEntities", { path: { entity_id: entity.id }, body: { from_id: otherId } });
    } catch (error) {
      setProblem(asProblem(error));
      return;
    }
    toast("Merged.");
    onDone();
  };
  return (
    <Show of={other}>
      {(goes) => (
        <div class="stack">
          <Outcome stays={entity} goes={goes} />
          <p>
            <strong>This cannot be undone.</strong>
          </p>
          {problem && <Problem problem={problem} />}
          <div class="actions">
            <Button kind="danger" onClick={merge}>
              Merge
            </Button>
            <Button onClick={onBack}>Choose another one</Button>
          </div>
        </div>
      )}
    </Show>
  );
}

/** Attributes that both have keep the value of the one that stays. */
function Outcome({ stays, goes }: { stays: EntityDetail; goes: EntityDetail }) {
  const names = [...new Set([goes.canonical_name, ...goes.aliases])].filter((name) => name !== stays.canonical_name);
  const has = (key: string) => stays.attributes !== null && Object.hasOwn(stays.attributes, key);
  const keys = Object.keys(goes.attributes ?? {});
  const [lost, added] = [keys.filter(has), keys.filter((key) => !has(key))];
  return (
    <div class="merge-result">
      <p>
        <strong>
          <Text value={goes.canonical_name} />
        </strong>{" "}
        ({goes.entity_type}) goes;{" "}
        <strong>
          <Text value={stays.canonical_name} />
        </strong>{" "}
        ({stays.entity_type}) stays, with its name and type.
      </p>
      <ul>
        <li>Memories that come with it: {count(goes.memory_count)}. Later ones that use its names do, too.</li>
        <li>
          Names that become other names of the one that stays: <Text value={names.join(", ")} />
        </li>
        <li>Relations that come with it: {count(goes.relations.length)}.</li>
        {added.length > 0 && (
          <li>
            Attributes that come with it: <Text value={added.join(", ")} />
          </li>
        )}
        {lost.length > 0 && (
          <li>
            Attributes that both have, of which those of the one that goes are lost: <Text value={lost.join(", ")} />
          </li>
        )}
      </ul>
    </div>
  );
}
