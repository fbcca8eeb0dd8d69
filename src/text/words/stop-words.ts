import { unaccented } from "../../core/kernel/text.ts";

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(unaccented));

/** Words of other languages than English that carry no subject of their own, with the words that ask. */
const OTHERS: readonly ReadonlySet<string>[] = [
  // German
  listOf(`aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein
    deine deinem deinen deiner dem den denn der des dich die dir doch dort du durch ein eine einem einen einer eines er es
    etwas euch euer fur gab gegen genau gibt hab habe haben habt hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem
    ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine keinem keinen keiner konnen konnte man
    mein meine meinem meinen meiner mich mir mit muss mussen nach nicht noch nur ob oder ohne schon sein seine seinem
    seinen seiner seit sich sie sind so soll sollen sollte uber um und uns unser unsere unserem unseren unserer unter vom
    von vor wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werden weshalb wessen wie
    wieso wieviel will wir wird wo wofur woher wohin womit worauf woran woruber wovon wozu wurde wurden zu zum zur zwischen`),
  // Spanish
  listOf(`a al algo alguna algunas alguno algunos ante antes aquel aquella asi aun cada como con contra cual cuales cuando
    cuanta cuantas cuanto cuantos de del desde donde dos durante e el ella ellas ellos en entre era eran eres es esa esas ese
    eso esos esta estaba estan estar estas este esto estos estoy fue fueron ha habia han hasta hay he la las le les lo los
    mas me mi mis mucho muy nada ni no nos nosotros nuestra nuestras nuestro nuestros o otra otro para pero poco por porque
    puede puedo que quien quienes se sea segun ser si sin sobre solo son soy su sus suyo tambien tanto te tiene tienen
    todo todos tu tus u un una unas uno unos usted y ya yo`),
  // French
  listOf(`a afin ai aient ainsi alors apres as au aucun aucune aussi autre aux avait avant avec avez avoir avons c ca car ce
    ceci cela celle celles celui ces cet cette chaque chez combien comme comment d dans de depuis des doit donc dont du elle
    elles en encore entre es est et etaient etait etant etc ete etes etre eu eux fait faut il ils j je l la laquelle le
    lequel les lesquelles lesquels leur leurs lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par parce
    pas peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sous sur t ta
    tes toi ton tous tout toute toutes tres tu un une va vers vos votre vous y`),
];

/** Pieces of Chinese and Japanese that only ask or join: particles, "what", "is it", and what stands after a number. */
const PIECES: ReadonlySet<string> = new Set(
  `的 了 吗 嗎 呢 吧 是 在 有 和 与 與 也 都 就 我 你 他 她 它 这 這 那 哪 谁 誰 年 月 日 号 時 时 分 個 个 円 元
  什么 什麼 怎么 怎麼 么时 时候 哪里 哪裡 哪个 哪些 哪天 多少 我们 我們 你们 他们 们的 是谁 谁是 是什 为什 几点 是否
  の は が を に で と も か へ や ね よ 何 です ます すか でし まし した して する いる ある ない とは には では
  どこ いつ だれ どう なぜ 何で 誰が 誰で いま てい って たか るか のは ので から まで こと もの うで`.split(/\s+/),
);

/** Function words of another language that tell a question from English with a foreign name or a code in it. */
const OTHER_LANGUAGE_MIN = 2;
/** One of them is longer than two letters or has an accent: "de" and "es" alone may be codes, "De La" a name. */
const DECISIVE = /...|\P{ASCII}/u;

/**
 * Tells the words that carry no subject from those that may, in the language of the question: the one that most of its
 * function words belong to. English where that is unsure, for then it most often is.
 */
export function stopWordTest(words: readonly string[], english: ReadonlySet<string>): (word: string) => boolean {
  const heldBy = (list: ReadonlySet<string>) => words.filter((word) => list.has(unaccented(word)));
  let most = Math.max(heldBy(english).length, OTHER_LANGUAGE_MIN - 1);
  let language: ReadonlySet<string> | null = null;
  for (const list of OTHERS) {
    const held = heldBy(list);
    if (held.length > most && held.some((word) => DECISIVE.test(word))) {
      language = list;
      most = held.length;
    }
  }
  return (word) => PIECES.has(word) || (language ? language.has(unaccented(word)) : english.has(word));
}
