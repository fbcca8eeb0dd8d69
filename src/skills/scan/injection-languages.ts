import type { Rule, Sign } from "./sign.ts";
import { ruleSigns } from "./sign.ts";
import type { Views } from "./views.ts";

/** How a language says "ignore", "earlier" (or "your", "all") and "instructions": stems, in any order, close together. */
interface Language {
  readonly ignoreVerb: string;
  readonly earlier: string;
  readonly instructionNoun: string;
}

const LANGUAGES: readonly Language[] = [
  {
    ignoreVerb:
      "ignorier\\w*|missacht\\w*|vergiss|vergesst|vergessen sie|übergeh\\w*|umgeh\\w*|befolge nicht|beachte nicht",
    earlier: "vorherig\\w*|bisherig\\w*|vorig\\w*|obig\\w*|früher\\w*|vorangegangen\\w*|alle|sämtlich\\w*|deine|system",
    instructionNoun: "anweisung\\w*|instruktion\\w*|vorgaben|regeln|befehle|richtlinien|systemprompt\\w*|anleitung\\w*",
  },
  {
    ignoreVerb: "ignora\\w*|olvid\\w*|omit[ae]\\w*|desoye\\w*|descarta\\w*|haz caso omiso|no sigas|pasa por alto",
    earlier: "anterior\\w*|previ[ao]s?|precedentes?|tod[ao]s|tus|del sistema",
    instructionNoun: "instruccion\\w*|reglas|órdenes|ordenes|directrices|indicaciones|normas",
  },
  {
    ignoreVerb:
      "ignor(?:e|ez|er|es)|oubli(?:e|ez|er|es)|néglige\\w*|fais abstraction|faites abstraction|ne tiens pas compte|ne tenez pas compte|contourne\\w*",
    earlier: "précédent\\w*|antérieur\\w*|ci dessus|toutes|tes|vos|du système",
    instructionNoun: "instructions|consignes|règles|directives|ordres",
  },
  {
    ignoreVerb:
      "ignor[aei]\\w*|dimentica\\w*|trascura\\w*|non seguire|esque[cç]a\\w*|desconsider\\w*|despreze|negeer\\w*|vergeet|bortse från|glöm\\w*|zignoruj\\w*|zapomnij|pomiń|görmezden gel\\w*|yoksay\\w*|yok say\\w*|unut\\w*|abaikan|lupakan|bỏ qua|quên",
    earlier:
      "precedent\\w*|anterior\\w*|tutte|tutti|todas|todos|prévias|vorige|eerdere|bovenstaande|alle|tidigare|alla|poprzedni\\w*|wszystki\\w*|wcześniejsz\\w*|önceki|tüm|bütün|sebelumnya|semua|trước|tất cả",
    instructionNoun:
      "istruzioni|regole|direttive|instruções|instrucoes|regras|diretrizes|ordens|instructies|regels|opdrachten|instruktioner|regler|instrukcj\\w*|polece\\w*|talimat\\w*|kurallar\\w*|yönerge\\w*|instruksi|perintah|aturan|hướng dẫn|chỉ dẫn|quy tắc",
  },
  {
    ignoreVerb: "игнорир\\w*|проигнорир\\w*|забуд\\w*|не следуй\\w*|отброс\\w*|ігнору\\w*|забудь\\w*",
    earlier: "предыдущ\\w*|прежн\\w*|ранее|все|всё|выше|прошл\\w*|попередн\\w*|усі|всі|твои|свои",
    instructionNoun:
      "инструкц\\w*|указани\\w*|правил\\w*|команд\\w*|директив\\w*|интсрукц\\w*|інструкц\\w*|вказівк\\w*",
  },
  {
    ignoreVerb: "忽略|无视|無視|忘记|忘記|不要遵守|不要理会|忽視|무시\\w*|잊어\\w*|忘れ\\w*|従わない",
    earlier: "之前|以前|先前|上述|以上|所有|前面|全部|前の|上記|すべて|全て|これまで|이전|모든|위의|앞의",
    instructionNoun: "指令|指示|说明|說明|规则|規則|提示|命令|プロンプト|ルール|지시\\w*|명령\\w*|규칙\\w*|지침\\w*",
  },
  {
    ignoreVerb: "تجاهل\\w*|انس|اهمل|התעלם|התעלמי|שכח|नज़रअंदाज़|अनदेखा|अनदेखी|भूल|نادیده|فراموش",
    earlier: "السابقة|جميع|كل|أعلاه|الקודמות|הקודמות|כל|पिछले|पिछली|सभी|पूर्व|قبلی|تمام|همه",
    instructionNoun: "التعليمات|الأوامر|القواعد|ההוראות|הנחיות|ההנחיות|निर्देश\\w*|नियम\\w*|आदेश\\w*|دستور\\w*|قوانین",
  },
];

/** Characters between the words of one order. */
const GAP = "[^.]{0,40}?";

/** Sets of three stems in each order in which a sentence may have them. */
const RULES = LANGUAGES.map(({ ignoreVerb, earlier, instructionNoun }): Rule => {
  const [a, b, c] = [ignoreVerb, earlier, instructionNoun].map(
    (stems) => `(?:${stems.replaceAll("\\w*", "[\\p{L}\\p{M}]{0,24}")})`,
  );
  const orders = [
    [a, b, c],
    [a, c, b],
    [b, c, a],
    [c, b, a],
  ];
  const pattern = orders.map((order) => order.join(GAP)).join("|");
  return ["asks to ignore earlier instructions", new RegExp(`(?<![\\p{Script=Latin}])(?:${pattern})`, "gu")];
});

/** The order to ignore earlier instructions in languages other than English. */
export const foreignSigns = ({ raw, native }: Views): Sign[] =>
  ruleSigns({ code: "PROMPT_INJECTION", raw, view: native, quotable: "text" }, RULES);
