import { z } from "zod";
import { preview, sentence, shellWord } from "../../../core/kernel/text.ts";
import type { Keystone, RuleText } from "../../../core/schema/keystone.ts";
import type { RulePlace } from "../../../core/schema/keystones/place.ts";
import { RulePlace as Place, placeOf } from "../../../core/schema/keystones/place.ts";
import type { CallLocal } from "../../call.ts";
import { Refused } from "../../call.ts";
import type { Cli, CommonOptions } from "../../connect.ts";
import { plainText } from "../../output.ts";

/** A rule that a command is about. */
export interface NamedRule {
  readonly name: string;
  readonly options: CommonOptions;
}

/** Whom a rule binds, in words. */
export const boundBy = (rule: RuleText, fleet_id: string | null): string => placeInWords(placeOf(fleet_id, rule));

/** Where a rule stands, in words. */
export function placeInWords({ scope, fleet_id, agent_id }: RulePlace): string {
  if (scope === "tenant") return "everyone";
  if (scope === "fleet") return `project ${fleet_id}`;
  return fleet_id === null ? `agent ${agent_id}` : `agent ${agent_id} in ${fleet_id}`;
}

/** Where a command sets and removes rules: for one agent or for all, in its project or everywhere. */
export const placeOfCommand = ({ project }: Cli, { agent }: CommonOptions): RulePlace =>
  placeOf(project?.id, { scope: agent !== undefined ? "agent" : project ? "fleet" : "tenant", agent_id: agent });

/** The members of a request that name a place, and no other place with it. */
export const placeAsked = ({ scope, fleet_id, agent_id }: RulePlace) => ({
  scope,
  ...(fleet_id === null ? {} : { fleet_id }),
  ...(agent_id === null ? {} : { agent_id }),
  place: true,
});

/** Characters that are shown of a rule that is no more. */
const SAID_MAX = 200;

/** A rule that was there, by its place and its words. */
export function ruleThatSaid({ data, fleet_id }: Keystone): string {
  const place = plainText(boundBy(data, fleet_id));
  const whose = data.scope === "tenant" ? "everyone's rule" : `the rule of ${place}`;
  return `${whose} that said "${preview(plainText(data.content), SAID_MAX)}"`;
}

const Elsewhere = z.object({ places: z.array(Place).min(1) });

/** Calls about the rule of a name at one place: where it does not stand there, the refusal says where it does, and how it is meant. */
export const placing =
  ({ call }: Cli, name: string, place: RulePlace, verb: string): CallLocal =>
  (...asked) =>
    call(...asked).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.code !== "NOT_FOUND") throw error;
      const places = Elsewhere.safeParse(error.details).data?.places ?? [];
      const told =
        places.length === 0
          ? `${sentence(error.message)} \`cairn keystones list\` shows those there are.`
          : `No rule '${plainText(name)}' stands for ${plainText(placeInWords(place))}. It stands ${howMeant(places, name, verb)}.`;
      throw new Refused(told, error.code, error.status, error.details);
    });

/** Where a name stands, and the command that means each. */
export const howMeant = (places: readonly RulePlace[], name: string, verb: string): string =>
  places
    .map((place) => {
      const { fleet_id, agent_id } = place;
      const project = fleet_id === null ? " --no-scope" : ` --project ${shellWord(fleet_id)}`;
      const agent = agent_id === null ? "" : ` --agent ${shellWord(agent_id)}`;
      const command = plainText(`cairn keystones ${verb} ${name}${project}${agent}`);
      return `for ${plainText(placeInWords(place))} (\`${command}\`)`;
    })
    .join(", ");
