import type { DateWords } from "./words.ts";

export const FRENCH: DateWords = {
  months:
    "janvier|janv\\.? février|fevrier|févr?\\.? mars avril|avr\\.? mai juin juillet|juil\\.? août|aout septembre|sept\\.? octobre|oct\\.? novembre|nov\\.? décembre|decembre|déc\\.?".split(
      " ",
    ),
  weekdays: "lundi mardi mercredi jeudi vendredi samedi dimanche".split(" "),
  days: [
    [-2, "avant-hier"],
    [-1, "hier(?: soir)?"],
    [0, "aujourd['’]hui|ce soir"],
    [1, "demain"],
    [2, "après-demain"],
  ],
  units: { day: "jours?", week: "semaines?", month: "mois", year: "ans?|années?" },
  counts: "une? deux trois quatre cinq six sept huit neuf dix onze douze".split(" "),
  last: { behind: "derni(?:er|ère)|passée?" },
  next: { behind: "prochaine?" },
  own: "cette|cet|ce",
  ago: { before: "il y a" },
  ahead: { before: "dans" },
  of: "",
  ordinal: "er",
  year: "",
  yearNeeds: false,
  within:
    "en|depuis|depuis le mois de|dès|jusqu['’]en|avant|après|fin|début|mi|au mois de|courant|à partir de|du mois de|de l['’]année|l['’]année",
  part: "(?:le |la |au |à la )?(?:début|mi|milieu|fin)(?: de(?: l['’]année)?| du mois de)?",
  never: "chaque|un|tous les|le|les|au",
  habit: "chaque|tous|toutes|toujours|si|quand",
  coming: true,
  capital: false,
  link: "au|à|–|-",
  between: ["entre(?: le)?", "et(?: le)?"],
  since: "depuis(?: le)?",
  from: "à partir d[ue]|dès(?: le)?",
  until: "jusqu['’](?:au|à|en)|d['’]ici(?: le| au)?|avant le|au plus tard(?: le)?|(?:dû|due|expire|échéance)(?: le)?",
  before: "avant",
  after: "après(?: le)?",
  past: "était|étaient|a été|ont été|avait|avaient|(?:a|ont|avons|ai|est|sont|sommes|suis) (?:\\p{L}+ )?(?!prévu|planifi|due?|programm)\\p{L}+(?:é|ée|és|ées|i|is|it|u|us|ue|ert|ort|orte)|fut",
  future: "sera|seront|doit|doivent|devra|va|vont|prévue?s?|planifiée?s?|\\p{L}{2,}(?:era|eront|ira|iront)",
};

export const SPANISH: DateWords = {
  months:
    "enero|ene\\.? febrero|feb\\.? marzo abril|abr\\.? mayo junio|jun\\.? julio|jul\\.? agosto|ago\\.? septiembre|setiembre|sept?\\.? octubre|oct\\.? noviembre|nov\\.? diciembre|dic\\.?".split(
      " ",
    ),
  weekdays: "lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo".split(" "),
  days: [
    [-2, "anteayer|antier"],
    [-1, "ayer|anoche"],
    [0, "hoy|esta noche"],
    [1, "mañana"],
    [2, "pasado mañana"],
  ],
  units: { day: "días?|dias?", week: "semanas?", month: "mes(?:es)?", year: "años?" },
  counts: "una? dos tres cuatro cinco seis siete ocho nueve diez once doce".split(" "),
  last: { before: "últim[oa]", behind: "pasad[oa]" },
  next: { before: "próxim[oa]|proxim[oa]", behind: "próxim[oa]|que viene" },
  own: "est[ea]",
  ago: {
    before: "hace",
    behind: "atrás",
    amounts:
      "veinte|treinta|(?:cuare|cincue|sese|sete|oche|nove)nta|cien(?:to)?|\\p{L}+cient[oa]s|quinient[oa]s|mil|mill[oó]n(?:es)?",
    joints: "y|e|o|u|a",
  },
  ahead: { before: "dentro de" },
  of: "de|del",
  ordinal: "º|°|\\.º",
  year: "",
  yearNeeds: false,
  within:
    "en|en el año|desde|hasta|antes de|después de|principios de|a principios de|mediados de|finales de|fines de|en el mes de|durante",
  part: "(?:el |a )?(?:principios?|inicios?|comienzos?|mediados|finales|final|fines|fin)(?: de)?",
  never: "cada|un|algún|todos los|los|la|por la|esta|de la|una|a la",
  habit: "cada|todos|todas|siempre|si|cuando",
  coming: true,
  capital: false,
  link: "al?|hasta(?: el)?|–|-",
  between: ["entre(?: el)?", "y(?: el)?"],
  since: "desde(?: el)?",
  from: "a partir del?",
  until: "hasta(?: el)?|vence(?: el)?|a más tardar(?: el)?|para el",
  before: "antes del?(?: el)?",
  after: "después del?(?: el)?|tras(?: el)?",
  past: "fue|fueron|era|estaba|había|hubo|ha|han|hemos|tuvo|hizo|\\p{L}{2,}(?:ó|aron|ieron)",
  future:
    "será|serán|debe|deben|hay que|va a|van a|vamos a|previst[oa]s?|planead[oa]s?|programad[oa]s?|vence|\\p{L}{2,}(?:ará|erá|irá|arán|erán|irán)",
};

export const PORTUGUESE: DateWords = {
  months:
    "(?<!rio\\sde\\s)janeiro|jan\\.? fevereiro|fev\\.? março|marco abril|abr\\.? maio junho|jun\\.? julho|jul\\.? agosto|ago\\.? setembro|set\\.? outubro|out\\.? novembro|nov\\.? dezembro|dez\\.?".split(
      " ",
    ),
  weekdays: [
    "segunda[- ]feira",
    "terça[- ]feira|terca[- ]feira",
    "quarta[- ]feira",
    "quinta[- ]feira",
    "sexta[- ]feira",
    "sábado|sabado",
    "domingo",
  ],
  days: [
    [-2, "anteontem"],
    [-1, "ontem"],
    [0, "hoje"],
    [1, "amanhã"],
    [2, "depois de amanhã"],
  ],
  units: { day: "dias?", week: "semanas?", month: "m[eê]s(?:es)?", year: "anos?" },
  counts: "uma? d(?:oi|ua)s três quatro cinco seis sete oito nove dez onze doze".split(" "),
  last: { before: "últim[oa]", behind: "passad[oa]" },
  next: { before: "próxim[oa]", behind: "que vem" },
  own: "n?est[ea]",
  ago: {
    before: "há",
    behind: "atrás",
    amounts:
      "vinte|trinta|(?:quare|cinque|sesse|sete|oite|nove)nta|cem|cento|\\p{L}+cent[oa]s|duzent[oa]s|trezent[oa]s|quinhent[oa]s|mil|milhão|milhões",
    joints: "e|ou|a",
  },
  ahead: { before: "daqui a|dentro de" },
  of: "de|do",
  ordinal: "º|°",
  year: "",
  yearNeeds: false,
  within:
    "em|no ano de|desde|até|antes de|depois de|início de|no início de|meados de|fim de|final de|no mês de|durante",
  part: "(?:o )?(?:início|começo|meados|fim|final)(?: de)?",
  never: "cada|um|num|todo|toda|todas as|às|aos|as|os",
  habit: "cada|todo|toda|todos|todas|sempre|quando",
  coming: true,
  capital: false,
  link: "a|até(?: o| a)?|–|-",
  between: ["entre(?: o)?", "e(?: o)?"],
  since: "desde(?: o| a)?",
  from: "a partir d[eoa]",
  until: "até(?: o| a)?|vence(?: em| no)?|no máximo(?: em)?",
  before: "antes d[eoa]",
  after: "depois d[eoa]|após(?: o| a)?",
  past: "foi|foram|era|estava|havia|houve|tinha|teve|fez|caiu|(?!estou)\\p{L}{3,}ou|\\p{L}{2,}(?:aram|eram|iram)",
  future:
    "será|serão|deve|devem|vai|vão|vamos|previst[oa]s?|planejad[oa]s?|agendad[oa]s?|vence|\\p{L}{2,}(?:ará|erá|irá)",
};
