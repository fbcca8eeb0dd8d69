/** Letters of few languages count as a word of each of them. */
export const LETTERS = [
  [/ß/i, ["de"]],
  [/[ñ¿¡]/i, ["es"]],
  [/[ãõ]/i, ["pt"]],
  [/[łżź]/i, ["pl"]],
  [/[ğış]/, ["tr"]],
  [/[řůě]/i, ["cs"]],
  [/[őű]/i, ["hu"]],
  [/[ță]/i, ["ro"]],
  [/[đơư\u1ea0-\u1ef9]/i, ["vi"]],
  [/[œè]/i, ["fr"]],
  [/ê/i, ["fr", "pt"]],
  [/[øæ]/i, ["da", "no"]],
] as const;

/** What only one of the languages writes so, capitals and figures among it. */
export const FORMS = [
  [/\d\.\s(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})/u, "de"],
  [/(?<!\p{L})(?:im|seit|bis|ab|vor|nach|Anfang|Mitte|Ende) Mai(?!\p{L})/iu, "de"],
  [/(?<!\p{L})(?:(?:le|du|au|et) \d{1,2}(?:er)?|en|fin|début) mai(?!\p{L})/iu, "fr"],
  [/(?<!\p{L})há(?!\p{L})/iu, "pt"],
] as const;
