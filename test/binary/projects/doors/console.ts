import { z } from "zod";
import type { Place } from "../places.ts";
import type { Act, Answer, Door, House } from "./door.ts";
import { QUERY, ruleOf } from "./door.ts";

const Items = z.object({ items: z.array(z.object({ id: z.string(), content: z.string() })) });

/** What the console's pages ask the server from a browser, for the project that somebody chose there. */
export function consoleApi({ url }: House): Door & { setRule(place: Place, name: string): Promise<Answer> } {
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { Origin: url, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { said: await response.text(), isRefused: !response.ok };
  };
  const query = (given: object) =>
    new URLSearchParams(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, `${value}`])));
  const retrieve =
    (what: string): Act =>
    (place) =>
      call("POST", what, { query: QUERY, top_k: 20, min_score: 0, ...searchedIn(place) });
  const list = (place: Place) => call("GET", `memories?${query({ limit: 500, ...seenIn(place) })}`);
  return {
    setRule: (place, name) =>
      call("POST", "keystones", {
        doc_id: name,
        title: name,
        content: ruleOf(place),
        weight: "med",
        place: true,
        ...boundIn(place),
      }),
    acts: {
      write: (place, content) => call("POST", "memories", { content, ...writtenIn(place) }),
      search: retrieve("search"),
      recall: retrieve("recall"),
      list,
      keystones: (place) => call("GET", `keystones?${query({ envelope: true, ...fleetOf(place) })}`),
      forget: async (place, text) => {
        const { items } = Items.parse(JSON.parse((await list(place)).said));
        const one = items.find(({ content }) => content.includes(text));
        return call("DELETE", `memories/${one?.id}`);
      },
    },
  };
}

const fleetOf = ({ standing }: Place) => (typeof standing === "object" ? { fleet_id: standing.project } : {});
const seenIn = (place: Place) =>
  typeof place.standing === "object" ? { ...fleetOf(place), with_shared: true } : { shared_only: true };
const searchedIn = ({ standing }: Place) =>
  typeof standing === "object" ? { fleet_ids: [standing.project] } : { shared_only: true };
const writtenIn = (place: Place) => (typeof place.standing === "object" ? fleetOf(place) : { no_fleet: true });
const boundIn = (place: Place) =>
  typeof place.standing === "object" ? { scope: "fleet", ...fleetOf(place) } : { scope: "tenant" };
