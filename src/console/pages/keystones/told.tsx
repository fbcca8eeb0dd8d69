import { callFully } from "../../api/call.ts";
import { knownFleet } from "../../api/projects.ts";
import { useCall } from "../../api/query.ts";
import type { Keystone } from "../../api/schemas.gen.ts";
import { usePaged } from "../../hooks/paged.ts";
import { Copyable } from "../../kit/controls.tsx";
import { curlOf, docsOf, shellWord } from "../../kit/curl.ts";
import { Empty, Panel, Show } from "../../kit/layout.tsx";
import { plural } from "../../kit/numbers.ts";
import { ProjectField } from "../../kit/project-field.tsx";
import { Suggesting } from "../../kit/suggesting.tsx";
import { Text } from "../../kit/text.tsx";
import { authorOf, boundBy, lengthOf, RULES_SERVED_MAX } from "./rule.ts";
import { Weight } from "./rule-list.tsx";

interface ToldProps {
  readonly fleet_id: string;
  readonly agent_id: string;
  /** The agent of the key in use; it is meant where no other is named. */
  readonly own_agent: string | null;
  readonly onChoose: (chosen: { readonly project?: string; readonly agent?: string }) => void;
  readonly hrefOf: (id: string) => string;
}

/** The rules that an agent is told in a project, in their order, and why each of them. */
export function Told({ fleet_id, agent_id, own_agent, onChoose, hrefOf }: ToldProps) {
  const agents = useCall("listAgents", {}, ["access", "memories"]);
  const query = {
    ...(fleet_id === "" ? {} : { fleet_id: knownFleet(fleet_id) ?? fleet_id }),
    ...(agent_id === "" ? {} : { agent_id }),
  };
  const told = usePaged<Keystone>(
    JSON.stringify(query),
    async (_offset, signal) => {
      const { reply, headers } = await callFully("listKeystones", { query }, signal);
      return { reply: "items" in reply ? reply.items : reply, headers };
    },
    ["documents"],
  );
  return (
    <Panel
      title="What an agent is told"
      actions={
        <a href={docsOf("Keystones", "listKeystones")} target="_self">
          The same over HTTP
        </a>
      }
    >
      <div class="stack">
        <div class="grid">
          <ProjectField
            label="Project it works in"
            hint="Empty: that of your key, else none, where only the rules of everyone hold."
            value={fleet_id}
            onChange={(project) => onChoose({ project })}
          />
          <Suggesting
            label="Agent"
            hint={own_agent === null ? "Empty: an agent without rules of its own." : `Empty: ${own_agent}, your own.`}
            value={agent_id}
            suggestions={(agents.data ?? []).map((agent) => agent.agent_id)}
            onChange={(agent) => onChoose({ agent })}
          />
        </div>
        {agent_id !== "" && fleet_id === "" && own_agent === null && (
          <p class="document-note">Rules of one agent in a project are not shown: name the project to see them.</p>
        )}
        <Show of={told}>
          {(rules) =>
            rules.length === 0 ? (
              <Empty title="It is told no rules.">None binds everyone, and none this project or agent.</Empty>
            ) : (
              <>
                <p>
                  <strong>{plural(rules.length, "rule")}</strong>, {plural(total(rules), "character")} of titles and
                  texts, in this order.
                  {told.isCut && ` More rules apply; ${RULES_SERVED_MAX} at most are served.`}
                </p>
                <ol class="told">
                  {rules.map((rule) => (
                    <ToldRule key={rule.id} rule={rule} href={hrefOf(rule.id)} />
                  ))}
                </ol>
              </>
            )
          }
        </Show>
        <details>
          <summary>How an agent comes by them</summary>
          <div class="stack">
            <p>
              Over MCP they stand in the instructions of the server, cut after 4,000 characters, and the tool{" "}
              <code>keystones</code> lists them all. A hook tells them when a session starts, in at most 1,800
              characters, each text cut after 500. What asks over HTTP gets all that is shown here:
            </p>
            <Copyable text={curlOf("listKeystones", { query })} />
            <Copyable text={`cairn keystones list${flags(query)}`} />
          </div>
        </details>
      </div>
    </Panel>
  );
}

const total = (rules: readonly Keystone[]): number => rules.reduce((sum, rule) => sum + lengthOf(rule), 0);

const flags = ({ fleet_id, agent_id }: { fleet_id?: string; agent_id?: string }): string =>
  [
    ...(fleet_id === undefined ? [" --no-scope"] : [` --project ${shellWord(fleet_id)}`]),
    ...(agent_id === undefined ? [] : [` --agent ${shellWord(agent_id)}`]),
  ].join("");

function ToldRule({ rule, href }: { rule: Keystone; href: string }) {
  const { title, content } = rule.data;
  return (
    <li>
      <div class="told-head">
        <Weight of={rule} />
        <h3>
          <a data-row href={href}>
            <Text value={title} />
          </a>
        </h3>
        <small class="dim">{plural(lengthOf(rule), "character")}</small>
      </div>
      <p class="rule-text">
        <Text value={content} />
      </p>
      <p class="small dim">
        Because <Text value={reasonOf(rule)} />. Set by <Text value={authorOf(rule)} max={120} />.
      </p>
    </li>
  );
}

/** Why a rule is told. */
const reasonOf = (rule: Keystone): string =>
  ({
    tenant: "it binds everyone",
    fleet: `it binds whoever works in ${boundBy(rule)}`,
    agent: `it binds ${boundBy(rule)}${rule.fleet_id === null ? " wherever it works" : ""}`,
  })[rule.data.scope];
