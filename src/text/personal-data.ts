import { CLUE, cluesOf, plainWords } from "./clues.ts";
import { inAsciiDigits } from "./digits.ts";
import { NATIONAL_IDS } from "./national-ids.ts";
import { PHONES } from "./phone-numbers.ts";

/** Kinds of personal or secret data that a text may hold. */
export const PII_TYPES = ["email", "phone", "credit_card", "iban", "national_id", "api_key", "secret"] as const;
export type PiiType = (typeof PII_TYPES)[number];

/** What data of a kind looks like, and the proof that it is no other number. */
interface Finder {
  readonly type: PiiType;
  /** Global. */
  readonly regex: RegExp;
  isReal?(match: RegExpExecArray): boolean;
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** ISO/IEC 7812-1, annex B: Luhn's check of card numbers. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Letters and digits of an IBAN with a space behind every four, or with none. */
const IBAN_GROUPS = /^[a-z]{2}\d{2}(?: ?[a-z\d]{4})+(?: ?[a-z\d]{1,3})?$/i;
const IBAN_DIGITS_MIN = 8;
/** Characters of the longest, its spaces and what stands behind it. */
const IBAN_MAX = 42;

/** The IBAN that a text begins with, as long as its country has them, without spaces; null where a word goes on. */
function ibanAtStart(text: string): string | null {
  const length = IBAN_LENGTHS.get(text.slice(0, 2).toUpperCase());
  if (length === undefined) return null;
  const [written = ""] = new RegExp(`^(?: ?[a-z\\d]){${length}}(?![a-z\\d])`, "i").exec(text) ?? [];
  return IBAN_GROUPS.test(written) ? written.replaceAll(" ", "") : null;
}

/** ISO 13616: rearranged, with letters as numbers, it leaves 1 when divided by 97. */
function passesIban(text: string): boolean {
  const iban = ibanAtStart(text);
  if (iban === null || digitsOf(iban).length < IBAN_DIGITS_MIN) return false;
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** The countries of the registry of IBANs, by the length of theirs. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  `15 NO;16 BE;18 DK FI FO GL NL SD FK MN;19 MK SI;20 AT BA EE KZ LT LU XK;21 CH HR LI LV;22 BG BH CR DE GB GE IE ME RS VA;
  23 AE GI IL IQ OM SO TL;24 AD CZ ES MD PK RO SA SE SK TN VG;25 LY PT ST;26 IS TR;27 BI DJ FR GR IT MC MR SM;
  28 AL AZ BY CY DO GT HN HU LB NI PL SV;29 BR EG PS QA UA;30 JO KW MU YE;31 MT SC;33 RU;32 LC`
    .split(";")
    .flatMap((line) => {
      const [length, ...countries] = line.trim().split(/\s+/);
      return countries.map((country) => [country, Number(length)] as const);
    }),
);

/** No name of a repository. */
const isAddress = ([text]: RegExpExecArray): boolean => !/^(?:git|user|npm)@(?:github|gitlab|bitbucket)\./i.test(text);

/** Issuers' first digits; the same digit all over is a placeholder. */
const isCard = ([text]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  return (
    digits.length >= 13 &&
    /^(?:4|5[1-5]|2[2-7]|3[47]|30|36|38|6)/.test(digits) &&
    !/^(\d)\1+$/.test(digits) &&
    passesLuhn(digits)
  );
};

/** A word after "password is" that says something of it rather than what it is. */
const NO_SECRET =
  /^(?:is|are|was|the|a|an|in|on|at|of|to|for|not|no|too|very|reset|resets|manager|required|rotated|stored|expired|expires|changed|policy|wrong|weak|strong|missing|invalid|empty|null|none|here|there|never|and|or|must|should|will|can|has|have|hidden|secret|secure|safe|kept|known|shared|encrypted|hashed|set|true|false|string|undefined|unknown|[*x•.]+|<[^>]*>|\$\w+|[$%]?\{.*\}|%\w+%|process\.env\S*)$/i;
/** How long a password must be, which is none itself. */
const LENGTH_RULE =
  /^(?:至少|最少|不少于)|(?<!\d)\d+[-_ ]?(?:位|[個个]?字|文字|자리|zeichen|stellen|char|caract|caratt|tekens|znak|символ|знак|karakter)/i;
const isSecret = ([, value = ""]: RegExpExecArray): boolean => {
  const bare = value.replace(/^["'`]|(?<!["'`.,;])["'`.,;]+$/g, "");
  return bare.length >= 4 && !NO_SECRET.test(bare) && !LENGTH_RULE.test(bare);
};
/** After "is", only what no English word looks like: with a digit or mark; a number alone is the count of something, but for a PIN. */
const isSaidSecret = (match: RegExpExecArray): boolean =>
  isSecret(match) &&
  /[\d!@#$%^&*_+=~]/.test(match[1] ?? "") &&
  (/^pin/i.test(match[0]) || !/^[\d.,:]+$/.test(match[1] ?? ""));

/** Six digits in one line, whatever stands between them, or four between letters. */
const MANY_DIGITS = /(?:\d[^\d\n]{0,4}){6}|[A-Z]{5}\d{4}[A-Z]/;
const NUMBER_AHEAD = "(?<![\\w.,:/#$€£+-])";
const UNSPACED = "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}]";
const NAME = `[\\p{L}\\p{M}\\p{N}._%+\\-]--${UNSPACED}`;
/** What people write before a password. */
const PASSWORD_NAMES =
  "passwort|kennwort|mot de passe|contrase[ñn]a|senha|parola d['’]ordine|wachtwoord|has[lł]o|пароль|密码|密碼|パスワード|비밀번호|[sş]ifre|पासवर्ड|كلمة المرور";
const NAMES_PASSWORD = new RegExp(PASSWORD_NAMES, "i");
const FINDERS: readonly Finder[] = [
  {
    type: "email",
    regex: /(?<![\w.+%-])[\w.+%-]+@(?:[a-z0-9-]+\.)+[a-z]{2,24}(?![\w-])/gi,
    isReal: isAddress,
  },
  // In letters of any script, but for those that are written without spaces: nobody could tell where such a name begins.
  {
    type: "email",
    regex: new RegExp(
      `(?<![${NAME}])[${NAME}]+@(?:[${NAME}--[.]]+\\.)+[\\p{L}--${UNSPACED}]{2,24}(?![${NAME}])`,
      "giv",
    ),
    isReal: isAddress,
  },
  {
    type: "iban",
    // Looked at without being taken: what is no IBAN may have one behind it.
    regex: /(?<![A-Z\d])[A-Z]{2}\d{2}(?=[A-Z\d ]{11})/gi,
    isReal: ({ index, input }) => passesIban(input.slice(index, index + IBAN_MAX)),
  },
  {
    type: "credit_card",
    regex: new RegExp(
      `${NUMBER_AHEAD}\\d{4}(?:[ -]?\\d{4}){2}[ -]?\\d{1,7}(?![\\w-]|\\.\\d)|${NUMBER_AHEAD}3[47]\\d{2}[ -]?\\d{6}[ -]?\\d{5}(?![\\w-]|\\.\\d)`,
      "g",
    ),
    isReal: isCard,
  },
  ...NATIONAL_IDS.map((form) => ({ type: "national_id" as const, ...form })),
  // The prefixes that issuers give their keys, so that scanners find them.
  {
    type: "api_key",
    regex:
      /(?<![\w-])(?:sk-(?:proj-|ant-)?[\w-]{20,}|[sprk]k_(?:live|test)_\w{16,}|gh[pousr]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|A(?:KIA|SIA)[A-Z0-9]{16}|AIza[\w-]{35}|npm_\w{30,}|hf_\w{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|mc_[\w-]{43}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})(?![\w-])/g,
  },
  { type: "api_key", regex: /\bapi[\s_-]?(?:key|token)\b\s*(?:is|[:=])\s*["'`]?((?=[\w-]*\d)[\w-]{16,})/gi },
  { type: "secret", regex: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/g },
  { type: "secret", regex: /\b[a-z][a-z0-9+]{1,15}:\/\/[^\s:@/]+:([^\s@/]{3,})@[^\s@/]+/gi, isReal: isSecret },
  {
    type: "secret",
    regex:
      /\b(?:password|passwd|passphrase|pwd|passcode|client[_ ]secret|secret[_ ](?:key|access[_ ]key))["'`]?\s*[:=]\s*(["'`]?[^\s"'`,;]{4,})/gi,
    isReal: isSecret,
  },
  {
    type: "secret",
    regex: /\b(?:access[_ ]token|auth[_ ]token|secret|token)["'`]?\s*[:=]\s*(["'`]?[^\s"'`,;]{8,})/gi,
    isReal: isSaidSecret,
  },
  {
    type: "secret",
    regex:
      /\b(?:password|passphrase|passcode|pin(?: code)?|secret key|access token)\b(?:\s+(?:for|of|to)\s+[\w'’ .-]{1,40}?)?\s+(?:is|was)\s+(?:now\s+)?(["'`]?[^\s"'`,;]{4,})/gi,
    isReal: isSaidSecret,
  },
  {
    type: "secret",
    regex: new RegExp(`(?<!\\p{L})(?:${PASSWORD_NAMES})["'\`]?\\s*[:=：]\\s*(["'\`]?[^\\s"'\`,;，。]{4,})`, "giu"),
    isReal: isSaidSecret,
  },
  { type: "secret", regex: /\bBearer\s+([\w.~+/-]{20,}=*)/g },
  ...PHONES.map((form) => ({ type: "phone" as const, ...form })),
];

const SECRETS: readonly PiiType[] = ["api_key", "secret"];

/** Whether a text holds what looks like a password or a key. */
export const holdsSecret = (content: string): boolean => piiTypesOf(content).some((type) => SECRETS.includes(type));

/** Matches of one kind looked at until one is real. */
const TRIES_MAX = 50;

/** The kinds of personal or secret data that a text holds, in the order of `PII_TYPES`. `clues` are what `cluesOf` found. */
export function piiTypesOf(text: string, clues = cluesOf(plainWords(text))): PiiType[] {
  const content = inAsciiDigits(text);
  const may: Readonly<Record<"email" | "numbers" | "keys", boolean>> = {
    email: content.includes("@"),
    numbers: MANY_DIGITS.test(content),
    keys: (clues & (CLUE.secret | CLUE.code)) !== 0 || NAMES_PASSWORD.test(content),
  };
  if (!may.email && !may.numbers && !may.keys) return [];
  return PII_TYPES.filter(
    (type) => may[GROUPS[type]] && FINDERS.some((finder) => finder.type === type && holds(content, finder)),
  );
}

/** What must be there for data of each kind. */
const GROUPS = {
  email: "email",
  phone: "numbers",
  credit_card: "numbers",
  iban: "numbers",
  national_id: "numbers",
  api_key: "keys",
  secret: "keys",
} as const;

function holds(content: string, { regex, isReal }: Finder): boolean {
  regex.lastIndex = 0;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const match = regex.exec(content);
    if (!match) return false;
    if (!isReal || isReal(match)) return true;
  }
  return false;
}
