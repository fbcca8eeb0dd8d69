/** Right before figures that look like a date: what they number. */
const NUMBERED =
  /(?:^|[^\p{L}])(?:firmware|versi(?:on|ón|e)|versão|верси[яюи]|версі[яюї]|прошивк\p{L}+|ver|v|build|release|kernel|patch|treiber|driver|modell?|modèle|modelo)\.?\s+$/iu;
/** Right before the number of a day: that of a house, a room or a page. */
const LISTED =
  /(?:^|[^\p{L}])(?:(?:nr|no|num|nº|n°)\.?|№|nummer|numéro|número|номер|zimmer|kapitel|seite|chapitre|page)\s*$/iu;
/** Before a number in the same sentence: ports, and what measures. */
const MEASURED =
  /(?:^|[^\p{L}])(?:(?:ip-?)?ports?|puertos?|portas?|poort(?:en)?|порт(?:[аеуы]|ов|ами?|ах|и|ів)?|lauscht|hört auf|écoute|escucha|escuta|luistert|слуша(?:ет|ют|є)|слуха(?:є|ють)|regelt|reguliert|régule|regula|регулиру(?:ет|ют)|регулю(?:є|ють))(?!\p{L})[^.!?\n]{0,80}$/iu;
const MONEY = "[€$£₽₴]|(?:euros?|eur|usd|dollars?|dólares|rub|руб|грн|гривен|гривень|коп)(?!\\p{Ll}{4})";
const UNITS =
  "%|(?:[gmkt]b|[gmkt]ib|ms|kg|km|px|hz|[kmg]hz|watt|volts?|octets?|bytes?|bits?|байт\\p{L}*|бит(?:а|ов)?|puntos?|points?|pontos?|punt(?:en)?|punkte?n?|очк\\p{L}+|балл\\p{L}*|бал(?:и|ів)|fois|veces|vezes|раз|pixels?|píxeles|ligne?s|líneas|zeilen|seiten|pages|páginas|meter|mètres|metros|stück|штук)(?!\\p{L})";
/** Right behind a number: what it counts, so that it is no year; a source of a regular expression. */
export const COUNTED = `(?!\\s*(?:${MONEY}|${UNITS})|\\s+(?:kommt|folgt|vient|viene|sigue|vem|komt|volgt|ид[её]т|следует)\\s+\\d)`;
const COSTS = new RegExp(`^\\s*(?:${MONEY})`, "iu");
/** Characters before a place in which its words are looked for. */
const LOOK_BACK = 40;

const before = (text: string, index: number): string => text.slice(Math.max(0, index - LOOK_BACK), index);

/** Whether figures such as "3.5.2024" are those of a version or a price. */
export const isVersionOrPrice = (text: string, start: number, end: number): boolean =>
  NUMBERED.test(before(text, start)) || COSTS.test(text.slice(end, end + LOOK_BACK));

/** Whether the number at a place is that of a thing in a list: "Nr. 3". */
export const isListed = (text: string, index: number): boolean => LISTED.test(before(text, index));

/** Whether the number at a place is more likely a port or what a device measures than a year. */
export const isMeasured = (text: string, index: number): boolean => MEASURED.test(before(text, index));
