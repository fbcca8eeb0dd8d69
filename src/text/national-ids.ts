/** How one country writes the number that it gives a person, and the proof that it is no other number. */
interface IdForm {
  /** Global. */
  readonly regex: RegExp;
  isReal?(match: RegExpExecArray): boolean;
}

const digitsOf = (text: string): number[] => Array.from(text.replace(/\D/g, ""), Number);

/** Sum of digits, each times its weight; as many as there are weights. */
const weighed = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * (digits[i] ?? 0), 0);

const descending = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, i) => from - i);
const isOneDigit = (digits: readonly number[]): boolean => new Set(digits).size === 1;

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Spanish DNI and, with X, Y or Z for its first digit, NIE: the letter is the number's rest by 23. */
const isDni = ([, number = "", letter = ""]: RegExpExecArray): boolean =>
  "TRWAGMYFPDXBNJZSQVHLCKE"[Number(number.replace(/^[XYZ]/, (first) => String("XYZ".indexOf(first)))) % 23] === letter;

/** French NIR: the last two digits are 97 less the rest of the number by 97; 2A and 2B are Corsica. */
const isNir = ([, number = "", key = ""]: RegExpExecArray): boolean => {
  const compact = number.replace(/\s/g, "").replace("2A", "19").replace("2B", "18");
  return 97n - (BigInt(compact) % 97n) === BigInt(key);
};

/** Brazilian CPF: two check digits by 11. */
const isCpf = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  const check = (length: number) => ((weighed(digits, descending(length + 1, 2)) * 10) % 11) % 10;
  return digits.length === 11 && !isOneDigit(digits) && check(9) === digits[9] && check(10) === digits[10];
};

/** GB 11643: a day of birth in the middle, the last sign by ISO 7064, MOD 11-2. */
const isChinese = ([text]: RegExpExecArray): boolean => {
  const digits = Array.from(text.slice(0, 17), Number);
  const last = "10X98765432"[weighed(digits, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11];
  return (
    last === text.slice(17).toUpperCase() &&
    isDay(Number(text.slice(6, 10)), Number(text.slice(10, 12)), Number(text.slice(12, 14)))
  );
};

/** Polish PESEL: a day of birth, whose month tells the century, and a check digit. */
const isPesel = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  const [years, months, days] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number);
  const century = [1900, 2000, 2100, 2200, 1800][Math.floor((months ?? 0) / 20)] ?? 0;
  const check = (10 - (weighed(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10;
  return check === digits[10] && isDay(century + (years ?? 0), (months ?? 0) % 20, days ?? 0);
};

/** Turkish T.C. kimlik no: the tenth digit and the eleventh are made of those before. */
const isTurkish = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  const tenth = weighed(digits, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10;
  const eleventh = weighed(digits, Array<number>(10).fill(1)) % 10;
  return digits[0] !== 0 && (tenth + 10) % 10 === digits[9] && eleventh === digits[10];
};

/** Italian codice fiscale: the last letter is the sum of the others by 26, those at odd places by a table of their own. */
const isItalian = ([text]: RegExpExecArray): boolean => {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
  const signValue = (sign: string) => (/\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65);
  const sum = Array.from(text.slice(0, 15)).reduce(
    (all, sign, i) => all + (i % 2 === 0 ? (odd[signValue(sign)] ?? 0) : signValue(sign)),
    0,
  );
  return text.charCodeAt(15) - 65 === sum % 26;
};

/** Dutch BSN: nine digits weighed 9 to 2 and -1 make a multiple of 11. */
const isBsn = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  return !isOneDigit(digits) && weighed(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
};

/** Portuguese NIF of a person: a check digit by 11. */
const isNif = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  const rest = weighed(digits, descending(9, 2)) % 11;
  return digits[8] === (rest < 2 ? 0 : 11 - rest);
};

/** German Steuer-ID: ISO 7064, MOD 11,10; one digit stands two or three times among the first ten. */
const isSteuerId = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  const first = digits.slice(0, 10);
  const most = Math.max(...first.map((digit) => first.filter((other) => other === digit).length));
  const product = first.reduce((before, digit) => (((digit + before) % 10 || 10) * 2) % 11, 10);
  return digits[0] !== 0 && (most === 2 || most === 3) && (11 - product) % 10 === digits[10];
};

/** German Rentenversicherungsnummer: a day of birth, a letter, and a check digit over the sums of the digits. */
const isPensionNumber = ([, area = "", day = "", letter = "", serial = "", check = ""]: RegExpExecArray): boolean => {
  const place = String(letter.charCodeAt(0) - 64).padStart(2, "0");
  const digits = digitsOf(area + day + place + serial);
  const products = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].map((weight, i) => weight * (digits[i] ?? 0));
  const sum = products.reduce((all, product) => all + Math.floor(product / 10) + (product % 10), 0);
  return (
    sum % 10 === Number(check) &&
    isDay(2000 + Number(day.slice(4)), Number(day.slice(2, 4)), Number(day.slice(0, 2)) % 50)
  );
};

/** Russian СНИЛС: the last two digits are the sum of the others, weighed 9 to 1, by 101. */
const isSnils = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  return (weighed(digits, descending(9, 1)) % 101) % 100 === (digits[9] ?? 0) * 10 + (digits[10] ?? 0);
};

/** Russian ИНН of a person: two check digits by 11. */
const isInn = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  const check = (weights: readonly number[]) => (weighed(digits, weights) % 11) % 10;
  return (
    check([7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === digits[10] && check([3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === digits[11]
  );
};

/** Japanese individual number: a check digit by 11. */
const isMyNumber = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  const rest = weighed(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[11] === (rest < 2 ? 0 : 11 - rest);
};

/** Korean resident registration number: a day of birth; those given before October 2020 have a check digit. */
const isKoreanDay = (text: string): boolean => {
  const century = /[1256]/.test(text.charAt(7)) ? 1900 : 2000;
  return isDay(century + Number(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4, 6)));
};
const isKorean = ([, text = ""]: RegExpExecArray): boolean => {
  const digits = digitsOf(text);
  const check = (11 - (weighed(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10;
  return isKoreanDay(text) && check === digits[12];
};

const DIHEDRAL = ["0123456789", "1234067895", "2340178956", "3401289567", "4012395678"].concat([
  "5987604321",
  "6598710432",
  "7659821043",
  "8765932104",
  "9876543210",
]);
const PERMUTED = ["0123456789", "1576283094", "5803796142", "8916043527"].concat([
  "9453126870",
  "4286573901",
  "2793806415",
  "7046913258",
]);
/** Indian Aadhaar: Verhoeff's check. */
const isAadhaar = ([, text = ""]: RegExpExecArray): boolean =>
  digitsOf(text)
    .reverse()
    .reduce((check, digit, i) => Number(DIHEDRAL[check]?.[Number(PERMUTED[i % 8]?.[digit])]), 0) === 0;

/** Letters that are written apart from a number; Chinese and Japanese ones are not. */
const SPACED = "\\p{sc=Latn}\\p{sc=Cyrl}\\p{sc=Grek}";
const NOT_BEHIND = `(?<![${SPACED}\\p{N}_.,/+-])`;
const NOT_BEFORE = `(?![${SPACED}\\p{N}_-]|[.,]\\d)`;

/** A number that stands right behind its name: its digits alone tell too little. */
const named = (names: string, number: string): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:${names})(?!\\p{L}{4})[^\\d\\n+]{0,16}?(${number})(?![\\p{L}\\p{N}_-]{0,32}\\d|[.,]\\d)`,
    "giu",
  );

const bare = (source: string): RegExp => new RegExp(`${NOT_BEHIND}${source}${NOT_BEFORE}`, "gu");

/** The numbers that countries give a person, each by its check or its form; where neither is sure, only beside its name. */
export const NATIONAL_IDS: readonly IdForm[] = [
  // United States: no area 000, 666 or 9xx, no group 00, no serial 0000.
  { regex: /(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g },
  // United Kingdom: two letters, six digits, A to D.
  {
    regex:
      /(?<![\w-])(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\w-])/g,
  },
  { regex: /(?<![\w-])(\d{8}|[XYZ]-?\d{7})-?([A-HJ-NP-TV-Z])(?![\w-])/g, isReal: isDni },
  {
    regex: /(?<![\w-])([12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3}) ?(\d{2})(?![\w-])/g,
    isReal: isNir,
  },
  {
    regex:
      /\b(?:ssn|social security(?: number)?|national id|national insurance|passport(?: number| no\.?)?|tax id)\b\W{1,3}(?:is\W)?[A-Z]{0,2}\d[\d -]{5,16}\d/gi,
  },
  { regex: bare("(\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2})"), isReal: isCpf },
  { regex: named("CPF", "\\d{11}"), isReal: isCpf },
  {
    regex: bare("[1-8]\\d{5}(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])\\d{3}[\\dXx]"),
    isReal: isChinese,
  },
  { regex: named("PESEL", "\\d{11}"), isReal: isPesel },
  { regex: named("TCKN|T\\.?\\s?C\\.?\\s?(?:kimlik|no)|kimlik", "\\d{11}"), isReal: isTurkish },
  { regex: bare("[A-Z]{6}\\d{2}[A-EHLMPR-T]\\d{2}[A-Z]\\d{3}[A-Z]"), isReal: isItalian },
  { regex: named("BSN|burgerservicenummer", "\\d{3}[ .]?\\d{3}[ .]?\\d{3}|\\d{4}[ .]\\d{2}[ .]\\d{3}"), isReal: isBsn },
  { regex: named("NIF|contribuinte", "[1235689]\\d{2} ?\\d{3} ?\\d{3}"), isReal: isNif },
  {
    regex: named(
      "Steuer-?\\s?(?:ID|Identifikations?nummer|Identnummer)|Steueridentifikationsnummer|IdNr",
      "\\d{2} ?\\d{3} ?\\d{3} ?\\d{3}",
    ),
    isReal: isSteuerId,
  },
  { regex: bare("(\\d{2}) ?(\\d{6}) ?([A-Z]) ?(\\d{2}) ?(\\d)"), isReal: isPensionNumber },
  { regex: bare("(\\d{3}-\\d{3}-\\d{3}[ -]\\d{2})"), isReal: isSnils },
  { regex: named("СНИЛС", "\\d{11}"), isReal: isSnils },
  { regex: named("ИНН", "\\d{12}"), isReal: isInn },
  { regex: named("паспорт", "\\d{2} ?\\d{2} ?(?:№ ?)?\\d{6}") },
  { regex: named("マイナンバー|個人番号|my ?number", "\\d{4}[ -]?\\d{4}[ -]?\\d{4}"), isReal: isMyNumber },
  { regex: bare("(\\d{6}-[1-8]\\d{6})"), isReal: isKorean },
  { regex: named("주민(?:등록)?\\s?번호", "\\d{6}-[1-8]\\d{6}"), isReal: ([, text = ""]) => isKoreanDay(text) },
  { regex: named("aadhaar|आधार", "[2-9]\\d{3}[ -]?\\d{4}[ -]?\\d{4}"), isReal: isAadhaar },
  { regex: named("PAN", "[A-Z]{3}P[A-Z]\\d{4}[A-Z]") },
];
