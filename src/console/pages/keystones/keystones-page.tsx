import { callFully } from "../../api/call.ts";
import { knownFleet, nameOfFleet } from "../../api/projects.ts";
import type { Document } from "../../api/schemas.gen.ts";
import { useAddress } from "../../hooks/address.ts";
import { usePaged } from "../../hooks/paged.ts";
import { Button, Select, Tabs } from "../../kit/controls.tsx";
import { Empty, Page, Panel, Show } from "../../kit/layout.tsx";
import { plural } from "../../kit/numbers.ts";
import { identity } from "../../shell/identity.ts";
import { createRule } from "./changes.ts";
import { Proposals } from "./proposals.tsx";
import { asRule, heaviestFirst, RULES, SCOPES, WEIGHTS } from "./rule.ts";
import { RuleEditor } from "./rule-editor.tsx";
import { NoRules, RuleList } from "./rule-list.tsx";
import { RulePanel } from "./rule-panel.tsx";
import { Told } from "./told.tsx";
import { TrustNote } from "./trust-note.tsx";

const PART = 1_000;
const NEW_RULE = { doc_id: "", title: "", content: "", scope: "tenant", weight: WEIGHTS.med } as const;
const SCOPE_WORDS = { tenant: "Everyone's", fleet: "Of projects", agent: "Of single agents" } as const;

const hrefOf = (id: string): string => `/keystones?${new URLSearchParams({ rule: id })}`;

/** The mandatory rules, and which of them an agent is told. */
export function KeystonesPage() {
  const { values, set } = useAddress();
  const own_agent = identity.value?.agent_id ?? null;
  const tab = values.tab === "told" ? "told" : "rules";
  return (
    <Page
      title="Keystones"
      about="Rules that every agent must follow, told to it at the start of its work"
      actions={
        <>
          <Tabs
            label="Part of the page"
            tabs={[
              ["rules", "Rules"],
              ["told", "What an agent is told"],
            ]}
            current={tab}
            onChange={(name) => set({ tab: name === "rules" ? null : name, rule: null, edit: null, new: null })}
          />
          <Button kind="primary" onClick={() => set({ new: "1", tab: null, rule: null, edit: null })}>
            Write a rule
          </Button>
        </>
      }
    >
      {own_agent === null && tab === "rules" && <Proposals />}
      {own_agent !== null && <TrustNote agent_id={own_agent} />}
      {tab === "told" ? (
        <Told
          fleet_id={values.project ?? ""}
          agent_id={values.agent ?? ""}
          own_agent={own_agent}
          onChoose={(chosen) => set(chosen, { replace: true })}
          hrefOf={hrefOf}
        />
      ) : (
        <Rules values={values} set={set} />
      )}
    </Page>
  );
}

/** All rules that there are, and the one that is open. */
function Rules({ values, set }: ReturnType<typeof useAddress>) {
  const found = usePaged<Document>(
    RULES,
    (offset, signal) =>
      callFully(
        "queryDocuments",
        { body: { collection: RULES, order_by: "weight", order: "desc", limit: PART, offset } },
        signal,
      ),
    ["documents"],
  );
  const all = (found.data ?? []).map(asRule).sort(heaviestFirst);
  const scope = SCOPES.find((one) => one === values.scope) ?? "";
  const projects = [...new Set(all.flatMap(({ fleet_id }) => fleet_id ?? []))].sort();
  const project = knownFleet(values.project ?? "") ?? values.project ?? "";
  const shown = all.filter(
    (rule) => (scope === "" || rule.data.scope === scope) && (project === "" || rule.fleet_id === project),
  );
  const open = all.find(({ id }) => id === values.rule) ?? all.find(({ doc_id }) => doc_id === values.rule);
  return (
    <div class={`split keystones ${open || values.new === "1" ? "is-open" : ""}`}>
      <Panel
        title="Rules, heaviest first"
        actions={
          <>
            <Select
              label="Whom they bind"
              value={scope}
              options={[["", "All"], ...SCOPES.map((one) => [one, SCOPE_WORDS[one]] as const)]}
              onChange={(one) => set({ scope: one })}
            />
            <Select
              label="Project"
              value={project}
              options={[["", "All projects"], ...projects.map((id) => [id, `Project ${nameOfFleet(id)}`] as const)]}
              onChange={(name) => set({ project: name })}
            />
          </>
        }
      >
        <Show of={found}>
          {() =>
            all.length === 0 ? (
              <NoRules />
            ) : (
              <>
                <p class="dim small">{plural(shown.length, "rule")}</p>
                <RuleList
                  rules={shown}
                  open={open?.id ?? null}
                  onOpen={(id) => set({ rule: id, edit: null, new: null })}
                />
                {found.hasMore && <Button onClick={found.loadMore}>Show more</Button>}
              </>
            )
          }
        </Show>
      </Panel>
      {values.new === "1" && (
        <Panel title="Write a rule">
          <RuleEditor
            rule={NEW_RULE}
            isNew
            onSave={async (body) => {
              const { id } = await createRule(body);
              found.reload();
              set({ new: null, rule: id });
            }}
            onCancel={() => set({ new: null })}
          />
        </Panel>
      )}
      {open && values.new !== "1" && (
        <RulePanel
          key={open.id}
          rule={open}
          namesakes={all.filter(({ id, doc_id }) => doc_id === open.doc_id && id !== open.id)}
          hrefOf={hrefOf}
          isEdited={values.edit === "1"}
          onChanged={found.reload}
          onEdit={(isEdited) => set({ edit: isEdited ? "1" : null }, { replace: true })}
          onSaved={({ id }) => set({ rule: id, edit: null }, { replace: true })}
          onClose={() => set({ rule: null, edit: null })}
        />
      )}
      {values.rule && !open && found.data && !found.loading && values.new !== "1" && (
        <Panel title="No such rule">
          <Empty title="There is no such rule.">It was deleted, or never written.</Empty>
        </Panel>
      )}
    </div>
  );
}
