import { CAPITAL_BY_CUSTOM, OPENERS, ROLES, WEEKDAYS_AND_MONTHS } from "./lexicon.ts";

/** Labels of notes, and of speakers that are nobody in particular. */
const NO_NAMES = new Set(
  `user assistant system agent bot human ai customer client speaker summary decision update title context action bug
  goal idea solution answer status owner date agenda attendees background rule policy tip fact rationale outcome
  requirement requirements question preference`.split(/\s+/),
);

/** Whether a label before a text names who speaks, and not what kind of note it is. */
export const isSpeaker = (label: string): boolean =>
  /^\p{Lu}/u.test(label) &&
  !label
    .toLowerCase()
    .split(" ")
    .some(
      (word) =>
        NO_NAMES.has(word) ||
        OPENERS.has(word) ||
        CAPITAL_BY_CUSTOM.has(word) ||
        ROLES.has(word) ||
        WEEKDAYS_AND_MONTHS.has(word),
    );
