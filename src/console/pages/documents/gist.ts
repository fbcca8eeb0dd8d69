import { cutTo } from "../../kit/text.tsx";

const TOLD_BY = ["summary", "title", "name", "description"] as const;
const GIST_MAX = 200;

/** What a document is, in a line: its summary or title, else the beginning of its JSON. */
export function gist(data: Readonly<Record<string, unknown>>): string {
  const told = TOLD_BY.map((name) => data[name]).find((value) => typeof value === "string" && value.trim() !== "");
  return cutTo(typeof told === "string" ? told : JSON.stringify(data), GIST_MAX);
}

/** Whether search reaches a document: the server says so only when it is written, by this rule. */
export function isIndexed(collection: string, { summary, description }: Readonly<Record<string, unknown>>): boolean {
  const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
  return isText(summary) || (collection === "skills" && isText(description));
}
