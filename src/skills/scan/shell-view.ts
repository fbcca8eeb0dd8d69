import type { View } from "./views.ts";

/** Words that a script may put into a variable and use as a command. */
const VALUE_MAX = 60;
const VARIABLES_MAX = 50;

/** A text as a shell reads it: continued lines joined, quotes and escapes gone, short variables filled in. */
export function shellView(letters: View): View {
  const plain = STEPS.reduce((view, [pattern, instead]) => replaced(view, pattern, instead), letters);
  return filledIn(plain);
}

type Step = readonly [pattern: RegExp, instead: (match: RegExpMatchArray) => string];

const STEPS: readonly Step[] = [
  [/\\\r?\n/g, () => " "],
  // Commands that only print a word stand for the word.
  [/\$\(\s*(?:echo|printf)\s+["']?([^()"'\n]{1,60}?)["']?\s*\)/g, ([, word]) => word ?? ""],
  [/`\s*(?:echo|printf)\s+["']?([^`"'\n]{1,60}?)["']?\s*`/g, ([, word]) => word ?? ""],
  [/\$\{home[^}\n]{0,20}\}/g, () => "$home"],
  [/\$\{ifs[^}]{0,10}\}|\$ifs\b/g, () => " "],
  [/\$[@*]|\$\{[@*]\}/g, () => ""],
  // {rm,-rf,/} is three words.
  [/\{([^\s{}"']{1,80},[^\s{}"']{0,200})\}/g, ([, words]) => ` ${(words ?? "").replaceAll(",", " ")} `],
  [/\\(?=[a-z])/g, () => ""],
  [/["']/g, () => ""],
];

/** The view with every match of a pattern replaced; what is put in stands at the place of what it replaces. */
function replaced({ text, offsets }: View, pattern: RegExp, instead: (match: RegExpMatchArray) => string): View {
  let shown = "";
  const places: number[] = [];
  let from = 0;
  const copy = (to: number) => {
    shown += text.slice(from, to);
    for (let i = from; i < to; i++) places.push(offsets[i] ?? 0);
  };
  for (const match of text.matchAll(pattern)) {
    copy(match.index);
    const word = instead(match);
    shown += word;
    for (let i = 0; i < word.length; i++) places.push(offsets[match.index] ?? 0);
    from = match.index + match[0].length;
  }
  if (from === 0) return { text, offsets };
  copy(text.length);
  return { text: shown, offsets: places };
}

function filledIn(view: View): View {
  const values = new Map<string, string>();
  for (const [, name = "", value = ""] of view.text.matchAll(
    /(?:^|[\s;&(])([a-z_]\w{0,30})=([^\s;&|<>()$`]{0,60})(?=[\s;&]|$)/g,
  )) {
    if (values.size < VARIABLES_MAX && value.length <= VALUE_MAX) values.set(name, value);
  }
  if (values.size === 0) return view;
  return replaced(view, /\$(?:\{([a-z_]\w{0,30})\}|([a-z_]\w{0,30}))/g, ([all, braced, bare]) => {
    const name = braced ?? bare ?? "";
    return values.get(name) ?? all ?? "";
  });
}
