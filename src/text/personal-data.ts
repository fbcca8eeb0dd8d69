import { CLUE, cluesOf, plainWords } from "./clues.ts";

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

/** ISO 13616: the number, rearranged and with letters as numbers, leaves 1 when divided by 97. */
function passesIban(iban: string): boolean {
  const compact = iban.replace(/\s/g, "").toUpperCase();
  if (compact.length < IBAN_MIN || compact.length > IBAN_MAX) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
const IBAN_MIN = 15;
const IBAN_MAX = 34;

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

const PHONE_DIGITS_MIN = 7;
const PHONE_DIGITS_MAX = 15;
const isPhone = ([text]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  return digits.length >= PHONE_DIGITS_MIN && digits.length <= PHONE_DIGITS_MAX && !/^\D*\d{4}-\d\d-\d\d\b/.test(text);
};

/** Spanish DNI: the letter is the number's rest by 23. */
const isDni = ([, number = "", letter = ""]: RegExpExecArray): boolean =>
  "TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23] === letter.toUpperCase();

/** French NIR: the last two digits are 97 less the rest of the number by 97. */
const isNir = ([, number = "", key = ""]: RegExpExecArray): boolean =>
  97n - (BigInt(digitsOf(number)) % 97n) === BigInt(key);

/** A word after "password is" that says something of it rather than what it is. */
const NO_SECRET =
  /^(?:is|are|was|the|a|an|in|on|at|of|to|for|not|no|too|very|reset|resets|manager|required|rotated|stored|expired|expires|changed|policy|wrong|weak|strong|missing|invalid|empty|null|none|here|there|never|and|or|must|should|will|can|has|have|hidden|secret|secure|safe|kept|known|shared|encrypted|hashed|set|true|false|string|undefined|unknown|[*x•.]+|<[^>]*>|\$\{?\w+\}?|process\.env\S*)$/i;
const isSecret = ([, value = ""]: RegExpExecArray): boolean => {
  const bare = value.replace(/^["'`]|(?<!["'`.,;])["'`.,;]+$/g, "");
  return bare.length >= 4 && !NO_SECRET.test(bare);
};
/** After "is", only what no English word looks like: with a digit or mark; a number alone is the count of something, but for a PIN. */
const isSaidSecret = (match: RegExpExecArray): boolean =>
  isSecret(match) &&
  /[\d!@#$%^&*_+=~]/.test(match[1] ?? "") &&
  (/^pin/i.test(match[0]) || !/^[\d.,:]+$/.test(match[1] ?? ""));

/** Six digits in one line, whatever stands between them. */
const MANY_DIGITS = /(?:\d[^\d\n]{0,4}){6}/;
const NUMBER_AHEAD = "(?<![\\w.,:/#$€£+-])";
const FINDERS: readonly Finder[] = [
  {
    type: "email",
    regex: /(?<![\w.+%-])[\w.+%-]+@(?:[a-z0-9-]+\.)+[a-z]{2,24}(?![\w-])/gi,
    isReal: ([text]) => !/^(?:git|user|npm)@(?:github|gitlab|bitbucket)\./i.test(text),
  },
  {
    type: "iban",
    regex: /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Z0-9])/g,
    isReal: ([text]) => passesIban(text),
  },
  {
    type: "credit_card",
    regex: new RegExp(
      `${NUMBER_AHEAD}\\d{4}(?:[ -]?\\d{4}){2}[ -]?\\d{1,7}(?![\\w-]|\\.\\d)|${NUMBER_AHEAD}3[47]\\d{2}[ -]?\\d{6}[ -]?\\d{5}(?![\\w-]|\\.\\d)`,
      "g",
    ),
    isReal: isCard,
  },
  // United States: no area 000, 666 or 9xx, no group 00, no serial 0000.
  { type: "national_id", regex: /(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g },
  // United Kingdom: two letters, six digits, A to D.
  {
    type: "national_id",
    regex:
      /(?<![\w-])(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\w-])/g,
  },
  { type: "national_id", regex: /(?<![\w-])(\d{8})-?([A-HJ-NP-TV-Z])(?![\w-])/g, isReal: isDni },
  {
    type: "national_id",
    regex: /(?<![\w-])([12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?\d{2} ?\d{3} ?\d{3}) ?(\d{2})(?![\w-])/g,
    isReal: isNir,
  },
  {
    type: "national_id",
    regex:
      /\b(?:ssn|social security(?: number)?|national id|national insurance|passport(?: number| no\.?)?|tax id|aadhaar|bsn)\b\W{1,3}(?:is\W)?[A-Z]{0,2}\d[\d -]{5,16}\d/gi,
  },
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
  { type: "secret", regex: /\bBearer\s+([\w.~+/-]{20,}=*)/g },
  // With its country, with brackets, or grouped as at home.
  {
    type: "phone",
    regex: /(?<![\w.+])\+\d{1,3}[\s.-]?(?:\(\d{1,4}\)[\s.-]?)?\d(?:[\s.-]?\d){5,12}(?![\w-]|\.\d)/g,
    isReal: isPhone,
  },
  { type: "phone", regex: /(?<![\w.-])(?:\(\d{3}\)\s?|\d{3}[-.])\d{3}[-.]\d{4}(?![\w-]|\.\d)/g },
  {
    type: "phone",
    regex:
      /\b(?:phone|tel|telephone|mobile|cell|call (?:me|him|her|us|them)|whatsapp|sms|fax|hotline|ring)\b[^\d\n+]{0,24}((?:\(?0?\d[\d\s()./-]{5,16})\d)(?![\w-]|\.\d)/gi,
    isReal: isPhone,
  },
];

const SECRETS: readonly PiiType[] = ["api_key", "secret"];

/** Whether a text holds what looks like a password or a key. */
export const holdsSecret = (content: string): boolean => piiTypesOf(content).some((type) => SECRETS.includes(type));

/** Matches of one kind looked at until one is real. */
const TRIES_MAX = 50;

/** The kinds of personal or secret data that a text holds, in the order of `PII_TYPES`. `clues` are what `cluesOf` found. */
export function piiTypesOf(content: string, clues = cluesOf(plainWords(content))): PiiType[] {
  const may: Readonly<Record<"email" | "numbers" | "keys", boolean>> = {
    email: content.includes("@"),
    numbers: MANY_DIGITS.test(content),
    keys: (clues & (CLUE.secret | CLUE.code)) !== 0,
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
