import { quoted } from "../core/kernel/quoting/quote.ts";

/** A text that a person starts a conversation with. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  text(given: Readonly<Record<string, string>>): string;
}

/** Characters of what a person names in a prompt. */
const TOPIC_MAX = 500;

export const PROMPTS: readonly Prompt[] = [
  {
    name: "what-do-we-know",
    title: "What do we know about ...?",
    description: "Everything that memory holds about a topic, with dates and what is contradicted.",
    arguments: [{ name: "topic", description: "A person, a system, a decision.", required: true }],
    text: ({ topic = "" }) =>
      `What do we know about ${quoted(topic, TOPIC_MAX)}? Use recall for the answer and search for what it leaves out, in two or three wordings. ` +
      "Tell what is certain, what is old, and what contradicts what, each with its date and id. Say so if nothing is known.",
  },
  {
    name: "note-what-we-learned",
    title: "Note what we learned",
    description: "Saves what this conversation decided and found out.",
    arguments: [{ name: "focus", description: "What matters most; all of it unless given.", required: false }],
    text: ({ focus }) =>
      `Look back on this conversation${focus ? `, above all on ${quoted(focus, TOPIC_MAX)}` : ""}. For each decision, fact, preference or pitfall that another agent will need, ` +
      "search whether it is known; correct what has changed and remember what is new, one whole statement a note, with its reason. Then list what you saved.",
  },
];
