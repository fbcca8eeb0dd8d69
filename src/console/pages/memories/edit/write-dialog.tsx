import { useState } from "preact/hooks";
import { call } from "../../../api/call.ts";
import { faultsByMember } from "../../../api/faults.ts";
import type { CallProblem } from "../../../api/problem.ts";
import { asProblem, isRecord } from "../../../api/problem.ts";
import type { Memory } from "../../../api/schemas.gen.ts";
import { Button, Field, Select } from "../../../kit/controls.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { VISIBILITIES, WRITABLE_TYPES } from "../../../kit/memory-words.ts";
import type { PlaceDraft } from "../../../kit/place-choice.tsx";
import { NO_PLACE, PlaceChoice, placeIn } from "../../../kit/place-choice.tsx";
import { toast } from "../../../kit/toast.tsx";
import { NamedInput } from "../list/filter-value.tsx";
import { visibilityOf } from "./memory-form.ts";
import { Refusal } from "./refusal.tsx";

const EMPTY = { content: "", memory_type: "", agent_id: "", visibility: "" };

/** Writes a new memory; `onClose` is told the id of what was written. */
export function WriteDialog({ onClose }: { onClose: (id: string | null) => void }) {
  const [form, setForm] = useState(EMPTY);
  const [place, setPlace] = useState(NO_PLACE);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const faults = faultsByMember(problem);
  const set = (name: keyof typeof EMPTY) => (value: string) => setForm({ ...form, [name]: value });
  const write = async () => {
    try {
      const memory = await call("writeMemory", { body: { ...bodyOf(form), ...(await placeOf(place)) } });
      for (const warning of warningsOf(memory)) toast(warning, { kind: "problem" });
      toast("The memory is written.");
      onClose(memory.id);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title="Write a memory" onClose={() => onClose(null)} wide>
      <div class="stack">
        <Refusal problem={problem} known={[...Object.keys(EMPTY), "fleet_id", "no_fleet"]} />
        <Field
          label="What is to be known"
          hint="A whole statement that can be read alone."
          problem={faults.content ?? null}
        >
          {(id) => (
            <textarea
              dir="auto"
              id={id}
              rows={5}
              autofocus
              value={form.content}
              onInput={({ currentTarget }) => set("content")(currentTarget.value)}
            />
          )}
        </Field>
        <div class="memory-fields">
          <Field label="Type" problem={faults.memory_type ?? null}>
            {(id) => (
              <Select
                id={id}
                value={form.memory_type}
                options={[["", "inferred from the text"] as const, ...WRITABLE_TYPES]}
                onChange={set("memory_type")}
              />
            )}
          </Field>
          <PlaceChoice
            label="Project"
            none="that of its agent"
            problem={faults.fleet_id ?? faults.no_fleet ?? null}
            value={place}
            onChange={setPlace}
          />
          <Field label="Agent" hint="Who says it; left empty, you." problem={faults.agent_id ?? null}>
            {(id) => (
              <NamedInput id={id} name="agent_id" label="Agent" value={form.agent_id} onInput={set("agent_id")} />
            )}
          </Field>
          <Field label="Visible to" problem={faults.visibility ?? null}>
            {(id) => (
              <Select
                id={id}
                value={form.visibility}
                options={[["", "as usual"] as const, ...VISIBILITIES]}
                onChange={set("visibility")}
              />
            )}
          </Field>
        </div>
        <div class="actions">
          <Button kind="primary" onClick={write} disabled={form.content.trim() === ""}>
            Write
          </Button>
          <Button onClick={() => onClose(null)}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}

function bodyOf({ content, memory_type, agent_id, visibility }: typeof EMPTY) {
  const type = WRITABLE_TYPES.find((one) => one === memory_type);
  const seen = visibilityOf(visibility);
  return {
    content,
    ...(type ? { memory_type: type } : {}),
    ...(agent_id.trim() === "" ? {} : { agent_id: agent_id.trim() }),
    ...(seen ? { visibility: seen } : {}),
  };
}

async function placeOf(draft: PlaceDraft) {
  const place = await placeIn(draft);
  return place === "everyone" ? { no_fleet: true } : (place ?? {});
}

/** What the server noted about a memory that it has stored. */
function warningsOf({ system_metadata }: Memory): string[] {
  const warnings = system_metadata?.warnings;
  const told = Array.isArray(warnings) ? warnings : [];
  const late =
    system_metadata?.embedding_pending === true ? ["It is found by its words alone until it is embedded."] : [];
  return [
    ...told.map((one) => (isRecord(one) && typeof one.message === "string" ? one.message : String(one))),
    ...late,
  ];
}
