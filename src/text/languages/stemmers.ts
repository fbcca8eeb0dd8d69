import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as armenian } from "@orama/stemmers/armenian";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as tamil } from "@orama/stemmers/tamil";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as ukrainian } from "@orama/stemmers/ukrainian";
import type { Spoken } from "./function-words.ts";

type Stemmer = (word: string) => string;

/** Plurals of Hebrew, whose words have no other regular endings. */
const HEBREW_PLURAL = /(?<=.{3})(?:ים|ות)$/u;

/** What takes the regular endings off the words of a language; languages that are missing have none. */
export const STEMMERS: Readonly<Partial<Record<Stemmed, Stemmer>>> = {
  de: german,
  es: spanish,
  fr: french,
  pt: portuguese,
  it: italian,
  nl: dutch,
  ru: russian,
  sv: swedish,
  da: danish,
  no: norwegian,
  fi: finnish,
  ro: romanian,
  hu: hungarian,
  tr: turkish,
  id: indonesian,
  uk: ukrainian,
  el: greek,
  ar: arabic,
  hi: hindi,
  ta: tamil,
  hy: armenian,
  he: (word) => word.replace(HEBREW_PLURAL, ""),
};
export type Stemmed = Spoken | "hy" | "ta";
