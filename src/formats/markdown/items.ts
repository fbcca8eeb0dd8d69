import type { MarkedToken, Tokens } from "marked";
import type { Said } from "./block.ts";
import { flat } from "./flat.ts";
import { known } from "./inline.ts";

/** Characters up to which an item is kept in one piece with those below it. */
const WHOLE_MAX = 300;
/** What an item of a list may be read below. */
const DEPTH_MAX = 32;

/** The items of a list, each with those below it where they are short, else one by one under the words of those above. */
export function* itemsOf(list: Tokens.List, line: number, under: readonly string[]): Generator<Said> {
  let here = line;
  for (const item of list.items) {
    yield* itemOf(item, here, under);
    here += item.raw.split("\n").length - 1;
  }
}

function* itemOf(item: Tokens.ListItem, line: number, under: readonly string[]): Generator<Said> {
  const tokens = known(item.tokens);
  const whole = flat(tokens);
  const checked = item.task ? item.checked === true : null;
  const hasLists = tokens.some(({ type }) => type === "list");
  if (!hasLists || under.length >= DEPTH_MAX || (whole.length <= WHOLE_MAX && !holdsTasks(tokens))) {
    if (whole !== "") yield { line, under, text: whole, checked };
    return;
  }
  const own = flat(tokens.filter(({ type }) => type !== "list"));
  // "Backend:" is said with each item below it.
  if (own !== "" && !/[:：]$/.test(own)) yield { line, under, text: own, checked };
  let here = line;
  for (const token of tokens) {
    if (token.type === "list") yield* itemsOf(token, here, own === "" ? under : [...under, own]);
    here += token.raw.split("\n").length - 1;
  }
}

/** Whether there are boxes to check below an item: each is a task of its own. */
const holdsTasks = (tokens: readonly MarkedToken[]): boolean =>
  tokens.some(
    (token) => token.type === "list" && token.items.some((item) => item.task || holdsTasks(known(item.tokens))),
  );
