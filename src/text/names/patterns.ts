import type { EntityType } from "../../core/schema/entity.ts";

/** A thing that is known by its form alone. */
export interface Pattern {
  readonly name: string;
  readonly entity_type: EntityType;
  readonly start: number;
  readonly end: number;
}

interface Form {
  readonly entity_type: EntityType;
  /** Without one of these characters the form cannot occur. */
  readonly needs: RegExp;
  readonly form: RegExp;
  /** The name in what was matched; null for a look-alike. */
  readonly read?: (match: string) => string | null;
  /** Even a look-alike is no text to read names from. */
  readonly opaque?: boolean;
}

/** Things of these forms read of one text. */
const PATTERNS_MAX = 24;
/** Stands in for what was read, so that no later form and no name is read across it. */
const FILLER = "\uFFFC";

const FILE_ENDINGS =
  "tsx?|jsx?|mjs|cjs|py|rs|go|java|kt|rb|php|cpp|hpp|cs|swift|scala|sql|sh|bash|ps1|ya?ml|json|jsonl|toml|md|txt|csv|tsv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|html?|s?css|xml|log|env|lock|ini|cfg|conf|proto|ipynb|zip|tar|gz|parquet|db|sqlite|tf|vue|svelte";
const HOST_ENDINGS =
  "com|org|net|io|dev|app|ai|edu|gov|de|ch|at|fr|uk|eu|nl|it|es|se|no|dk|pl|ca|au|jp|in|br|us|cloud|internal|local|lan|corp|example|test|tech|xyz|info";

const trimmed = (url: string): string => url.replace(/(?<![.,;:!?)\]}'"])[.,;:!?)\]}'"]+$/, "");

/** A web address without who signs in, without what is asked, and without its scheme's letters. */
function readUrl(match: string): string | null {
  const address = trimmed(match).replace(/^(https?:\/\/)[^/?#\s]*@/i, "$1");
  const [bare = ""] = address.split(/[?#]/);
  return bare.replace(/^https?:\/\/(?:www\.)?/i, "").replace(/(?<!\/)\/+$/, "") || null;
}

/** Dotted words that are no host, member or file: abbreviations, and sentences without a space between. */
const isAbbreviation = (match: string): boolean => /^(?:[A-Za-z]\.)+[A-Za-z]?$/.test(match);

const NO_TICKET = new Set(
  "UTF SHA ISO COVID GPT AES RSA MD HTTP TLS BASE MP PS WW II F B A E G H K T U V X Y Z".split(" "),
);
const UNITS = /^(?:AM|PM|GB|MB|KB|TB|MHZ|GHZ|KM|CM|MM|KG)$/i;

/** In this order: what an earlier form has read is not offered to a later one. */
const FORMS: readonly Form[] = [
  { entity_type: "artifact", needs: /```/, form: /```[\s\S]*?(?:```|$)/g, read: () => null, opaque: true },
  {
    entity_type: "artifact",
    needs: /`/,
    form: /`[^`\n]{1,120}`/g,
    read: (match) =>
      /^`[@\w./:#$-]{2,80}(?:\(\))?`$/.test(match) && /[A-Z\d_./:@()-]/.test(match) && /[a-z]/i.test(match)
        ? match.slice(1, -1)
        : null,
    opaque: true,
  },
  {
    entity_type: "identifier",
    needs: /:\/\/|www\./i,
    form: /\b(?:https?:\/\/|www\.)[^\s<>"'`]+/gi,
    read: readUrl,
    opaque: true,
  },
  {
    entity_type: "identifier",
    needs: /@/,
    form: /(?<![\w.+-])[\w.+-]+@[A-Za-z0-9](?:[\w-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/g,
  },
  { entity_type: "artifact", needs: /@/, form: /(?<![\w/@])@[a-z0-9-]+\/[\w.-]*\w/g },
  { entity_type: "person", needs: /@/, form: /(?<![\w/@.])@[A-Za-z][\w-]{1,38}/g },
  {
    entity_type: "identifier",
    needs: /-/,
    form: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  },
  { entity_type: "identifier", needs: /CVE-/i, form: /\bCVE-\d{4}-\d{4,7}\b/gi },
  {
    entity_type: "identifier",
    needs: /[A-Z]-\d|[A-Z]\d-\d/,
    form: /(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,7}(?![\w-]|\.\d)/g,
    read: (match) => (NO_TICKET.has(match.split("-")[0] ?? "") ? null : match),
  },
  {
    entity_type: "identifier",
    needs: /#\d|\d/,
    form: /\b(?:PR|MR|[Pp]ull [Rr]equest|[Mm]erge [Rr]equest|[Ii]ssue|[Tt]icket|[Bb]ug|[Ii]ncident|[Ii]nvoice|[Oo]rder|[Bb]uild)\s?(?:#|no\. ?|number )?\s?\d{1,9}\b(?![.,:]\d|%| (?:times|days|hours|weeks|months|years|items|people))/g,
    read: readNumbered,
  },
  { entity_type: "identifier", needs: /#\d/, form: /(?<![\w&#])#\d{2,9}\b(?!\w)/g },
  { entity_type: "identifier", needs: /\d\.\d/, form: /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5})?(?![\w.]*\d)/g },
  {
    entity_type: "identifier",
    needs: /\d/,
    form: /(?<![\w.])(?:v\d+(?:\.\d+){0,3}|\d+\.\d+\.\d+(?:\.\d+)?)(?:-?(?:alpha|beta|rc|preview|snapshot)[.-]?\d*)?(?![\w/-]|\.\d)/gi,
    read: (match) => (isDate(match) || !/\d/.test(match) ? null : match),
  },
  {
    entity_type: "identifier",
    needs: /\d\.\d/,
    form: /(?<=\b[A-Z][A-Za-z+#]{1,20} |\b[vV]ersion |\brelease )\d{1,3}\.\d{1,3}(?![\w.%/:]|\.\d| (?:million|billion|percent|hours|miles|km|times|years|GB|MB|TB|stars))/g,
  },
  {
    entity_type: "technology",
    needs: /\.(?:js|NET|io)\b/,
    form: /(?<![\w./])[A-Z][A-Za-z0-9]+\.(?:js|io|NET)\b(?![/\w])/g,
  },
  { entity_type: "technology", needs: /\.NET/, form: /(?<![\w.])\.NET\b/g },
  {
    entity_type: "technology",
    needs: /[ieco][A-Z]/,
    form: /(?<![\w-])(?:i(?:Phone|Pad|Mac|Pod|Cloud|Tunes|OS|PadOS)|macOS|watchOS|tvOS|eBay)\b/g,
  },
  {
    entity_type: "artifact",
    needs: /\//,
    form: /(?<![\w/.]|[\w/.@-][@-])(?:~|\.{1,2})?\/(?:[\w@.-]+\/)*[\w@-][\w@.-]*\w(?![\w/])|(?<![\w/.@-])[\w@.-]+(?:\/[\w@.-]+)*\/[\w.-]+\.\w{1,8}\b/g,
    read: (match) => (match.length > 3 ? match : null),
    opaque: true,
  },
  {
    entity_type: "artifact",
    needs: /\.\w/,
    form: new RegExp(
      `(?<![\\w./@-])(?=[\\w-]*[A-Za-z_])[\\w-]+(?:\\.[\\w-]+)*\\.(?:${FILE_ENDINGS})\\b(?![\\w/])`,
      "g",
    ),
    read: (match) => (isAbbreviation(match) ? null : match),
  },
  {
    entity_type: "identifier",
    needs: /\.\w/,
    form: new RegExp(
      `(?<![\\w./@-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:${HOST_ENDINGS})(?::\\d{2,5})?\\b(?![\\w@]|\\.[a-z])`,
      "g",
    ),
    read: (match) => (isAbbreviation(match) || /^\d/.test(match) ? null : match),
  },
  {
    entity_type: "artifact",
    needs: /\(\)/,
    form: /(?<![\w.])[A-Za-z_][\w.]*\w\(\)/g,
    read: (match) => match.slice(0, -2),
  },
  {
    entity_type: "artifact",
    needs: /_/,
    form: /(?<![\w-])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?:\.[A-Za-z_]\w*)*(?!\w)/g,
  },
  {
    entity_type: "artifact",
    needs: /\.[a-zA-Z]\w/,
    form: /(?<![\w.@/-])[A-Za-z_]\w+(?:\.[A-Za-z_]\w+)+(?![\w/])/g,
    read: (match) => (isMember(match) ? match : null),
  },
  { entity_type: "artifact", needs: /[a-z][A-Z]/, form: /(?<![\w-])[a-z]{2}[a-z0-9]*(?:[A-Z][a-z0-9]+)+(?![\w-])/g },
  {
    entity_type: "technology",
    needs: /-\d/,
    form: /\b(?:us|eu|ap|sa|ca|me|af)-(?:gov-)?(?:north|south|east|west|central|northeast|southeast|northwest|southwest)-?\d\b/g,
  },
  {
    entity_type: "artifact",
    needs: /[a-z]-[a-z]/,
    form: /(?<![\w/-])(?:[a-z][a-z0-9]*-)+(?:service|api|worker|db|server|client|cluster|queue|gateway|proxy|operator|controller|sdk|cli|bot|repo|app|svc|prod|staging|dev)(?![\w-])/g,
    read: (match) =>
      /^(?:in|non|pre|post|multi|cross|self|third-party|third|client|off|on|open|real|mobile|web|high)-/.test(match)
        ? null
        : match,
  },
  {
    entity_type: "artifact",
    needs: /[a-z]-[a-z]/,
    form: /(?<![\w/-])[a-z][a-z0-9]*(?:-[a-z0-9]+)+(?= (?:service|repo|repository|package|library|branch|bucket|cluster|queue|topic|module|pipeline|endpoint|container|image|namespace|deployment|microservice|database|table)\b)/g,
    read: (match) =>
      /-(?:based|level|side|specific|wide|facing|driven|scale|end|time|quality|grade|oriented|generated|related|managed|hosted|size|term|only|party|source|tenant|region|code|performance|availability|stage|user|existing|known|ready|safe|party)$|^(?:multi|pre|non|self|re|cross|long|short|high|low|open|third|first|well|real|production|in|on|up|off|so|read|write|full)-/.test(
        match,
      )
        ? null
        : match,
  },
];

function readNumbered(match: string): string | null {
  const [, what = "", number = ""] = /^(.*?)\s?(?:#|no\. ?|number )?\s?(?<!\d)(\d+)$/.exec(match) ?? [];
  const word = what.trim().toLowerCase();
  const hasSign = /#|no\.|number/.test(match);
  // "order 2 pizzas", "build 3 houses": without a sign only what is numbered for a living counts.
  if (!hasSign && !NUMBERED.has(word) && number.length < 4) return null;
  const short = SHORT.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1);
  return `${short} #${number}`;
}
const NUMBERED = new Set(["pr", "mr", "pull request", "merge request", "issue", "ticket"]);
const SHORT = new Map([
  ["pr", "PR"],
  ["pull request", "PR"],
  ["mr", "MR"],
  ["merge request", "MR"],
]);

/** 12.05.2024 and 2024.05.12 are days, not versions. */
function isDate(match: string): boolean {
  const parts = match.split(".").map(Number);
  if (parts.length !== 3) return false;
  const [a = 0, b = 0, c = 0] = parts;
  const isDay = (day: number, month: number, year: number) =>
    day >= 1 && day <= 31 && month >= 1 && month <= 12 && year >= 1900 && year < 2100;
  return isDay(a, b, c) || isDay(b, a, c) || isDay(c, b, a) || isDay(b, c, a);
}

/** `a.b` is a member of something only when written as no two words of prose are. */
function isMember(match: string): boolean {
  const parts = match.split(".");
  if (isAbbreviation(match) || parts.some((part) => UNITS.test(part))) return false;
  return parts.length > 2
    ? parts.every((part) => /^[a-z_]/.test(part)) || /[a-z][A-Z]|_/.test(match)
    : /[a-z][A-Z]|_|\d/.test(match);
}

/** Reads what its form alone makes a thing, and returns the text with all of it blotted out. */
export function readPatterns(text: string): { readonly found: Pattern[]; readonly rest: string } {
  const found: Pattern[] = [];
  let rest = text;
  for (const { entity_type, needs, form, read, opaque } of FORMS) {
    if (found.length >= PATTERNS_MAX) break;
    if (!needs.test(rest)) continue;
    rest = rest.replace(form, (match, ...args) => {
      // Safe: no form has named groups, so the last two arguments are the offset and the whole text.
      const start = Number(args.at(-2));
      const name = read ? read(match) : match;
      if (name === null) return opaque ? FILLER.repeat(match.length) : match;
      if (found.length < PATTERNS_MAX) found.push({ name, entity_type, start, end: start + match.length });
      return FILLER.repeat(match.length);
    });
  }
  return { found, rest };
}
