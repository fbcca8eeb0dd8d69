import type { Client } from "../../../support/api/client.ts";
import type { Place } from "../places.ts";
import type { Verb } from "../table.ts";

/** What a door said, in whichever form, and whether that is a refusal. */
export interface Answer {
  readonly said: string;
  readonly isRefused: boolean;
}

/** What somebody does at a door; the text is what is written, or what is forgotten. */
export type Act = (place: Place, text: string) => Promise<Answer>;

/** A way in, with what it does of the verbs of the table. */
export interface Door {
  readonly acts: Partial<Readonly<Record<Verb, Act>>>;
  close?(): Promise<void>;
}

/** What the doors lead to. */
export interface House {
  /** The data folder, which says where the server is. */
  readonly data: string;
  readonly url: string;
  readonly client: Client;
}

/** What all texts of the table have, so that one question finds all that may be told. */
export const QUERY = "harbour crane note";

/** What is written in a place by a door: no other says it. */
export const textOf = ({ word }: Pick<Place, "word">, door: string): string =>
  `The harbour crane note of ${word}, by ${door}.`;
/** What a rule says that was set in a place. */
export const ruleOf = ({ word }: Pick<Place, "word">): string => `Every harbour crane heeds the rule of ${word}.`;

/** The words of places of which something is told. */
export const wordsOfNotes = (said: string): string[] => wordsAfter("note of", said);
export const wordsOfRules = (said: string): string[] => wordsAfter("rule of", said);
const wordsAfter = (what: string, said: string): string[] =>
  [...new Set([...said.matchAll(new RegExp(`${what} (\\w+)`, "g"))].map(([, word = ""]) => word))].sort();
