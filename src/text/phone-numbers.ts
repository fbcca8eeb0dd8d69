/** How a telephone number is written, and the proof that it is no other number. */
interface PhoneForm {
  /** Global. */
  readonly regex: RegExp;
  isReal?(match: RegExpExecArray): boolean;
}

const [DIGITS_MIN, DIGITS_MAX] = [7, 15] as const;
/** One with the prefix of other countries has so many digits: fewer are a code that begins with zeros. */
const ABROAD_MIN = 10;

/** A day with marks between its parts, or in eight figures that no sign parts. */
const DATE =
  /^\D*(?:\d{4}-\d\d-\d\d\b|\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d\b|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$)/;
/** Four numbers of an address in a network; in four pairs of digits it is a telephone's. */
const ADDRESS =
  /(?<![\d.])(?!(?:\d\d\.){3}\d\d$)(?:(?:1?\d|[2-9])?\d|2[0-4]\d|1\d\d|25[0-5])(?:\.(?:0|[1-9]\d{0,2})){3}$/;
/** A number in thousands behind a plus sign. */
const THOUSANDS = /^\+(\d{1,3})([ .])\d{3}(?:\2\d{3})*$/;
const ROUND = /000\D?000$/;
/** Digits of a number in thousands that has no country before it. */
const AMOUNT_MAX = 9;

/** Of numbers in thousands, only those that may begin with a country. */
function isAmount(text: string, digits: string): boolean {
  const first = THOUSANDS.exec(text)?.[1];
  if (first === undefined) return false;
  return first.startsWith("1") || ROUND.test(text) || (first.length < 3 && digits.length <= AMOUNT_MAX);
}

const isPhone = ([text]: RegExpExecArray): boolean => {
  const digits = text.replace(/\D/g, "");
  const least = text.startsWith("00") ? ABROAD_MIN : DIGITS_MIN;
  if (digits.length < least || digits.length > DIGITS_MAX) return false;
  return !DATE.test(text) && !ADDRESS.test(text) && !isAmount(text, digits);
};

/** What has numbers of its own that begin with zeros. */
const CODED =
  "bug|issue|ticket|case|version|build|release|part|order|invoice|serial|id|code|error|ref|sku|model|bestellung|rechnung|auftrag|artikel|fehler|commande|facture|pedido|factura|bestelling|заказ|сч[её]т";
/** Another group of a number to the base of sixteen. */
const HEX = "[ -](?=[\\da-f]*[a-f])(?=[\\da-f]*\\d)[\\da-f]{2,8}(?![\\p{L}\\p{N}])";
/** A number as people write it behind what names it. */
const NUMBER = "((?:\\(?0?\\d[\\d ()./-]{5,16})\\d)(?![\\p{sc=Latn}\\p{sc=Cyrl}\\p{N}-]|\\.\\d)";

/** What people write before a telephone number, in scripts with spaces. */
const NAMES =
  "telefon(?:nummer|o|u)?|telefone|tel[eé]fono|t[eé]l(?:[eé]phone)?|handy(?:nummer)?|mobil(?:nummer)?|portable|m[oó]vil|celular|telem[oó]vel|cellulare|mobiel|telefoon(?:nummer)?|kom[oó]rka|телефон[ау]?|тел|моб|мобильный|फ़ोन|फोन|मोबाइल|(?:ال)?(?:هاتف|جوال|موبايل)(?:ي|ه|ها|ك)?";
/** What may stand between such a name and the number: "number", and "is the". */
const SAYS =
  "(?:[ -](?:nummer|num[eé]ro|n[uú]mero|номер|नंबर))?(?: (?:ist|lautet|est|es|è|é|is|jest|это|هو)(?: (?:die|le|el|il|o))?)?";
/** The same in scripts without spaces, where other words may stand right before it. */
const NAMES_UNSPACED = "电话|電話|手机|手機|携帯|전화|휴대폰";
const SAYS_UNSPACED = "(?:电话|電話|号码|號碼|号|號|番号|번호){0,2}[ :：は是为為은는]{0,3}";
/** What is counted, not called. */
const COUNTED = "(?! ?[台件個个部次人円元万萬億亿])";

/** Telephone numbers with their country, with brackets, grouped as at home, or behind what names them. */
export const PHONES: readonly PhoneForm[] = [
  {
    regex: /(?<![\w.+])\+\d{1,3}[\s.-]?(?:\(\d{1,4}\)[\s.-]?)?\d(?:[\s.-]?\d){5,12}(?![\w-]|\.\d)/g,
    isReal: isPhone,
  },
  {
    regex: new RegExp(
      `(?<![\\w.,+-]|\\d |(?<!\\p{L})(?:${CODED})[ .:#-]{1,2})(?:\\+|00)[1-9]\\d{0,2}(?:[ .-]| ?\\/ ?)?(?:\\(0?\\d{0,4}\\)[ .-]?)?\\d{1,5}(?:(?:[ .-]| ?\\/ ?)\\d{2,8}){1,5}(?![\\w-]|\\.\\d|${HEX})`,
      "giu",
    ),
    isReal: isPhone,
  },
  { regex: /(?<![\w.-])(?:\(\d{3}\)\s?|\d{3}[-.])\d{3}[-.]\d{4}(?![\w-]|\.\d)/g },
  {
    regex:
      /\b(?:phone|tel|telephone|mobile|cell|call (?:me|him|her|us|them)|whatsapp|sms|fax|hotline|ring)\b[^\d\n+]{0,24}((?:\(?0?\d[\d\s()./-]{5,16})\d)(?![\w-]|\.\d)/gi,
    isReal: isPhone,
  },
  { regex: new RegExp(`(?<!\\p{L})(?:${NAMES})${SAYS}[ .:：]{1,3}${NUMBER}`, "giu"), isReal: isPhone },
  { regex: new RegExp(`(?:${NAMES_UNSPACED})${SAYS_UNSPACED}${NUMBER}${COUNTED}`, "gu"), isReal: isPhone },
];
