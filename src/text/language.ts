import { once } from "../core/kernel/once.ts";
import { unaccented } from "../core/kernel/text.ts";
import { FORMS, LETTERS } from "./language-forms.ts";

/** Languages that a text is told to be in, as in BCP 47. */
export type Language = ByWords | (typeof BY_SCRIPT)[number][0] | "ja" | "zh" | "uk" | "be" | "bg" | "fa" | "ur";
type ByWords = (typeof WORDS)[number][0];

/** Characters of a text that are read for its language. */
const READ_WITHIN = 1_000;

/** Words that are everywhere in a language, those that join, ask and date first of all; without accents. */
const WORDS = [
  [
    "en",
    `a about after all also an and any are as at be been before but by can could did do does for from had has have he her
    his how i if in into is it its last me my no not of on or our out she should so than that the their them then there
    these they this to today tomorrow until up use used was we were what when where which who why will with would yesterday
    you your met door die war man hat den son par plus ten van come ma till men care dan i due per pro tag des via sur
    mar sol di da go get got see say said make made take took went came meeting team new two one`,
  ],
  [
    "de",
    `aber alle als am an auch auf aus bei beim bis das dass dem den der des die durch ein eine einem einen einer eines er es
    fur gegen haben hat hatte heute ich ihr im ins ist ja kann kein keine mit mussen nach nachste nachsten nachster
    nicht noch nur ob oder ohne sein seit sich sie sind soll uber um und uns unser unsere vom von vor wann war waren warum was
    wegen weil welche wenn wer werden wie wir wird wurde wurden wo zu zum zur zwischen gestern morgen ubermorgen vorgestern
    mai letzte letzten letzter letztes montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz juni juli
    oktober dezember woche wochen monat monate jahr jahre tage tagen uhr`,
  ],
  [
    "fr",
    `apres au aux avant avec avons ce ces cette chez comme dans de depuis des deux doit du elle en entre est et ete etait
    fait il ils jusqu la le les leur lui mais mes mon ne nos notre nous on ont ou par pas plus pour pourquoi prochain
    prochaine qu quand que quel quelle quelles quels qui sa sans se ses son sont sur tous tout toute tres un une vers vos votre
    vous dernier derniere hier demain aujourd hui lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier avril mai
    juin juillet aout septembre octobre novembre decembre semaine semaines mois annee ans jour jours heures`,
  ],
  [
    "es",
    `al antes como con cual cuando cuanto de del desde donde durante el ella en entre era es esta estan estaba este esto fue
    fueron ha han hasta hay la las le lo los mas me mi muy nada no nos nuestra nuestro o para pero por porque que quien se sea
    ser sera sin sobre son su sus tambien tiene tienen todo todos tras un una uno y ya ayer hoy manana lunes martes miercoles
    jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    semana semanas mes meses ano anos dia dias proximo proxima pasado pasada hace dos tres`,
  ],
  [
    "pt",
    `ao aos apos as ate com como da das de depois desde do dos e ela ele em entre era essa esse esta estao este eu foi foram
    ha isso isto ja mais mas me meu muito na nao nas nem no nos nossa nosso num numa o onde os ou para pela pelo por porque
    quando qual quanto que quem se sem ser sera seu sob sobre sua sao tambem tem um uma voce ontem hoje amanha segunda terca
    quarta quinta sexta sabado domingo feira dois duas tres seis sete oito nove dez maio janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro
    dezembro semana semanas mes meses ano anos dia dias proximo proxima passado passada atras`,
  ],
  [
    "it",
    `al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dopo dove e ed era essere fino gli ha
    hanno i il in io la le lo loro ma mi nei nel nella non nostra nostro o per perche piu prima quale quando quanto quello
    questa questo sara se senza si sono stata stato su sul sulla suo tra tutti un una uno ieri oggi domani lunedi martedi
    mercoledi giovedi venerdi sabato domenica gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre
    novembre dicembre settimana mese mesi anno anni giorno giorni prossimo prossima scorso scorsa`,
  ],
  [
    "nl",
    `aan alle als bij dat de deze die dit door een en er geen geweest had heb hebben heeft het hij hoe hun ik in is je kan maar
    me met mijn moet na naar niet nog nu of om onder ons onze ook op over sinds te tegen tot tussen uit van voor waar waarom
    wanneer was wat we welke werd wie wij worden wordt ze zich zij zijn zonder gisteren vandaag morgen eergisteren overmorgen
    maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart juni juli augustus oktober week weken
    maand maanden jaar dagen uur volgende vorige geleden`,
  ],
  [
    "pl",
    `ale bez byc byl byla bylo by co czy dla do gdy gdzie go i ich jak jako jego jej jest jestem juz kiedy ktora ktore ktory
    lub ma moze na nad nasz nasza nie o od oraz po pod przed przez przy sa sie tak te tego tej ten to tylko w we wszystko z za ze
    zostal wczoraj dzis dzisiaj jutro tydzien miesiac rok roku dni stycznia lutego marca kwietnia maja czerwca lipca sierpnia
    wrzesnia pazdziernika listopada grudnia`,
  ],
  [
    "tr",
    `ama ancak bir bu cok da daha de degil en gibi hangi her icin ile ise kadar ki kim mi ne neden nasil o olan olarak oldu sonra
    tarafindan ve veya ya yok var once bugun dun yarin pazartesi sali carsamba persembe cuma cumartesi pazar ocak subat nisan
    mayis haziran temmuz agustos eylul ekim kasim aralik hafta yil gun`,
  ],
  [
    "sv",
    `att av blev bara da de den det dig din du eller en ett fick for fran ha hade han har hur i igar idag imorgon inte jag kan
    med men mig min mot nar nara och om pa sa sedan ska skulle som till under upp ut var vad varfor vi vill ar manad vecka`,
  ],
  [
    "da",
    `af at blev da de den der det dig din du efter eller en er et for fra havde han har hvad hvor hvorfor hvornar i ikke jeg kan
    med men mig min mod nar og om op pa sa skal skulle som til under ud var ved vi vil uge maned gar dag`,
  ],
  [
    "no",
    `av ble da de den der det deg din du eller en er et etter for fra hadde han har hva hvor hvorfor i ikke jeg kan med men meg
    min mot nar og om opp pa sa skal skulle som til under ut var ved vi vil uke maned dag etterpa`,
  ],
  [
    "fi",
    `ei ennen ensi etta han he ja jos joka kanssa koska kuin kun mika mina miksi milloin minka missa mutta myos ne nyt oli olla on
    ovat se sen sita tai tama tassa tuli vain viime voi eilen huomenna tanaan viikko kuukausi vuosi`,
  ],
  [
    "cs",
    `ale by byl byla bylo co do jak jako je jeho jen jeste jsem jsme jsou kde kdo kdy ktera ktere ktery ma mezi na nad nebo neni od
    po pod podle pro proc proto protoze pred pri s se si tak tento to tyden u uz v ve vcera dnes zitra z za ze zde rok`,
  ],
  [
    "ro",
    `ai am ar are au aceasta acest ca care ce cel cu cum cand de din dupa este eu fi fost in la lui mai nu o pe pentru prin sa sau
    se si sunt un una unde va ieri azi maine saptamana luna an`,
  ],
  [
    "hu",
    `a az azt csak de egy el en es ez ezt ha hogy hol is itt kell ki lehet lesz ma meg mert mi miert mikor mint nagyon nem o ott
    sem szerint tegnap holnap utan vagy van volt heten honap ev`,
  ],
  ["vi", `cac cua duoc hom khong mot nguoi nhung roi toi trong vao voi ngay thang chung`],
  [
    "id",
    `ada adalah akan apa atau bagaimana bahwa baru belum bisa dalam dan dari dengan di dia hari harus ini itu juga kami kapan karena ke
    kemarin kita lebih mana mereka minggu oleh pada sebagai sudah saya tahun tahu telah tidak untuk yang besok bulan`,
  ],
] as const;

/** Languages alone, or foremost, in their script. */
const BY_SCRIPT = [
  ["ko", /\p{sc=Hang}/gu],
  ["ru", /\p{sc=Cyrl}/gu],
  ["ar", /\p{sc=Arab}/gu],
  ["hi", /\p{sc=Deva}/gu],
  ["th", /\p{sc=Thai}/gu],
  ["lo", /\p{sc=Laoo}/gu],
  ["el", /\p{sc=Grek}/gu],
  ["he", /\p{sc=Hebr}/gu],
  ["hy", /\p{sc=Armn}/gu],
  ["ka", /\p{sc=Geor}/gu],
  ["am", /\p{sc=Ethi}/gu],
  ["bn", /\p{sc=Beng}/gu],
  ["ta", /\p{sc=Taml}/gu],
  ["te", /\p{sc=Telu}/gu],
  ["my", /\p{sc=Mymr}/gu],
  ["km", /\p{sc=Khmr}/gu],
  ["bo", /\p{sc=Tibt}/gu],
] as const;

const LATIN = /\p{sc=Latn}/gu;
const HAN_OR_KANA = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu;
const KANA = /[\p{sc=Hira}\p{sc=Kana}]/gu;
/** A letter of these says as much as so many of another. */
const DENSE = 3;
/** Share of kana in a Japanese text, at least; a Chinese one may hold a name in them. */
const KANA_SHARE = 0.1;

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/**
 * The language of a text by its script and, where many are written in it, by its most frequent words; null where that tells
 * nothing.
 *
 * @example
 * languageOf("Der Server steht seit gestern in Berlin.") // "de"
 */
export function languageOf(text: string): Language | null {
  const read = text.slice(0, READ_WITHIN);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
  if (/^[\x00-\x7f]*$/.test(read)) return byWords(read);
  const latin = countOf(read, LATIN);
  const dense = countOf(read, HAN_OR_KANA);
  const [other, count] = foremost(read);
  if (dense * DENSE > Math.max(latin, count)) return countOf(read, KANA) >= dense * KANA_SHARE ? "ja" : "zh";
  if (count > latin && other !== null) return withinScript(other, read);
  return byWords(read);
}

function foremost(text: string): [Language | null, number] {
  let found: [Language | null, number] = [null, 0];
  for (const [language, letters] of BY_SCRIPT) {
    const count = countOf(text, letters);
    if (count > found[1]) found = [language, count];
  }
  return found;
}

/** Words that Russian writes otherwise, in which no letter of its own stands. */
const UKRAINIAN =
  /(?<!\p{L})(?:що|та|це|треба|був|була|було|були|буде|також|вчора|минулого|тижня|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|грудня)(?!\p{L})/iu;

/** Letters that only some of a script's languages have. */
function withinScript(language: Language, text: string): Language {
  if (language === "ru") {
    if (/ў/i.test(text)) return "be";
    if (/[іїєґ]/i.test(text) || UKRAINIAN.test(text)) return "uk";
    return /ъ/i.test(text) && !/[ыэё]/i.test(text) ? "bg" : "ru";
  }
  if (language === "ar") {
    if (/[ٹڈڑےں]/.test(text)) return "ur";
    return /[پچژگ]/.test(text) ? "fa" : "ar";
  }
  return language;
}

/** Names keep the letters of their own language. */
const CAPITAL = /\p{Lu}[\p{L}\p{M}]*/gu;
/** The languages of each word. */
const languagesOfWords = once((): ReadonlyMap<string, readonly Language[]> => {
  const found = new Map<string, Language[]>();
  for (const [language, words] of WORDS)
    for (const word of new Set(words.split(/\s+/))) found.set(word, [...(found.get(word) ?? []), language]);
  return found;
});

/** Words of a text that are counted. */
const WORDS_MAX = 150;
/** What the words of a language must count together: two that several share, or one of its own. */
const TELLING_MIN = 0.9;
/** How far ahead of the next language one must be. */
const AHEAD_MIN = 0.2;

function byWords(text: string): Language | null {
  const counts = new Map<Language, number>();
  const add = (languages: readonly Language[]) => {
    for (const one of languages) counts.set(one, (counts.get(one) ?? 0) + 1 / languages.length);
  };
  const known = languagesOfWords();
  const words = unaccented(text.toLowerCase()).match(/\p{L}+/gu) ?? [];
  for (const word of words.slice(0, WORDS_MAX)) add(known.get(word) ?? []);
  const uncapital = text.replace(CAPITAL, "");
  for (const [letters, languages] of LETTERS) if (letters.test(uncapital)) add(languages);
  for (const [form, language] of FORMS) if (form.test(text)) add([language]);
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
  if (!first || first[1] < TELLING_MIN) return null;
  return first[1] - (second?.[1] ?? 0) >= AHEAD_MIN ? first[0] : null;
}
