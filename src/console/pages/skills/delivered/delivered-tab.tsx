import { useCall } from "../../../api/query.ts";
import type { Document } from "../../../api/schemas.gen.ts";
import { useAddress } from "../../../hooks/address.ts";
import { Badge, Copyable, Tabs } from "../../../kit/controls.tsx";
import { Empty, Panel, Show } from "../../../kit/layout.tsx";
import { Origin } from "../../../kit/origin.tsx";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import type { WithFactory } from "../factory.tsx";
import { Pager } from "../pager.tsx";
import { SplitView } from "../split-view.tsx";
import { SkillDetail } from "./skill-detail.tsx";
import { STATUSES, statusOf, toneOf } from "./statuses.ts";

/** Few enough that the longest texts of skills fit into one reply. */
const PAGE = 30;
const ANY = "any";
const SHOWN = [...Object.keys(STATUSES), ANY];

/** Skills by their status; at first those that are delivered. */
export function DeliveredTab({ factory }: WithFactory) {
  const { values, set } = useAddress();
  const offset = Math.max(0, Math.trunc(Number(values.offset ?? 0)) || 0);
  // Where the factory is off no skill has a status that means anything.
  const status = factory.enabled ? (SHOWN.find((one) => one === values.status) ?? "active") : ANY;
  const where = status === ANY ? null : { status };
  const skills = useCall(
    "queryDocuments",
    { body: { collection: "skills", where, order: "desc", limit: PAGE, offset } },
    ["skills", "documents"],
  );
  const doc_id = values.skill ?? null;
  return (
    <>
      <Panel>
        <div class="skills-deliver">
          <p>Harnesses get them over MCP, from the interface, or as files by this command:</p>
          <Copyable text="cairn skills sync" />
        </div>
        {factory.enabled ? (
          <Tabs
            label="Status"
            tabs={SHOWN.map((one) => [one, one])}
            current={status}
            onChange={(one) => set({ status: one === "active" ? null : one, skill: null, offset: null })}
          />
        ) : (
          <p class="dim">
            The skill factory is switched off: of these documents those are delivered that a person wrote or approved.{" "}
            <code>cairn skills list</code> says which, <code>cairn skills approve NAME</code> approves one.
          </p>
        )}
      </Panel>
      <Show of={skills}>
        {(items) => (
          <SplitView
            label="Skills"
            isOpen={doc_id !== null}
            onBack={() => set({ skill: null })}
            list={
              <>
                {items.map((skill) => (
                  <SkillRow
                    key={skill.id}
                    skill={skill}
                    isOpen={skill.doc_id === doc_id}
                    onOpen={() => set({ skill: skill.doc_id })}
                  />
                ))}
                {items.length === 0 && <NoSkills status={status} />}
                <Pager
                  offset={offset}
                  next={items.length === PAGE ? offset + PAGE : null}
                  step={PAGE}
                  onTurn={(to) => set({ offset: to === 0 ? null : String(to), skill: null })}
                />
              </>
            }
          >
            {doc_id !== null && <SkillDetail key={doc_id} doc_id={doc_id} factory={factory} />}
          </SplitView>
        )}
      </Show>
    </>
  );
}

interface SkillRowProps {
  readonly skill: Document;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function SkillRow({ skill: { doc_id, data, updated_at, fleet_id }, isOpen, onOpen }: SkillRowProps) {
  const status = statusOf(data.status);
  const summary = [data.summary, data.description].find((one) => typeof one === "string");
  return (
    <button type="button" class="skills-row" data-row aria-current={isOpen} onClick={onOpen}>
      <strong>
        <Text value={typeof data.name === "string" ? data.name : doc_id} max={120} />
      </strong>
      <span class="row">
        {status && <Badge word={status} tone={toneOf(status)} />}
        {typeof data.source === "string" && <Badge word={data.source} />}
      </span>
      <Text value={typeof summary === "string" ? summary : ""} max={160} />
      <small class="dim">
        <Text value={doc_id} max={120} /> · <Origin of={{ fleet_id }} /> · <Time at={updated_at} />
      </small>
    </button>
  );
}

const NoSkills = ({ status }: { status: string }) => (
  <Empty title={status === "active" ? "No skill is delivered yet." : "There is none."}>
    {status === "active" ? (
      <p>
        Approve one in the <a href="/skills">inbox</a>; agents write them, and the <a href="/skills?tab=forge">Forge</a>{" "}
        draws them from what agents did.
      </p>
    ) : (
      <p>No skill has this status.</p>
    )}
  </Empty>
);
