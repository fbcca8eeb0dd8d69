import { keySet } from "./synonyms.ts";
import { predicateSet } from "./verbs.ts";

/** Predicates of which a subject has one at a time. */
export const ONE_AT_A_TIME = predicateSet(
  "lives_in located_in works_at stored_in hosted_on made_with reports_to born costs leads name title entitle christen",
);
/** Predicates of which a subject mostly has one, as said in one breath with a place or a means. */
export const OFTEN_ONE = predicateSet(
  `prefers drives starts ends arrives studies paint pin sponsor insure causes register rehearse sleep meet train graduate
  ship fly sail`,
);
/** Predicates that take any number of things. */
export const MANY = predicateSet(
  `uses holds likes dislikes speaks plays eats drinks teaches wears allows needs pays include visit read watch see meet know
  buy sell attend enjoy cook learn follow hear collect grow offer provide track monitor integrate contribute invite help
  call send write talk discuss export import support produce generate output render connect serve deliver publish`,
);
/** Nouns of which a thing has one: what they are said to be is exclusive. */
export const UNIQUE_NOUNS = keySet(
  `favourite default main primary official best worst top chief password passcode pin name title colour status method
  language location address owner contact winner author reason cause motto topic theme venue capital port path mode level
  type format currency nickname username hostname branch provider vendor supplier framework headquarters host speaker chair
  captain lead manager boss head president ceo cto cfo director coach mayor principal treasurer secretary editor architect
  editor theme font flavour size species breed model brand make origin hometown birthplace nationality religion profession
  occupation job employer destination deadline priority severity tier stage phase category genre timezone region zone
  database backend stack engine platform tool library bank insurer landlord dentist pediatrician gp therapist husband wife
  spouse fiance girlfriend boyfriend father mother successor predecessor diagnosis dish meal drink breakfast size`,
);
