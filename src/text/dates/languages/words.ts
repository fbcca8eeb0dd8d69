/** The words of a language that dates are made of: sources of regular expressions without groups, in any case. */
export interface DateWords {
  /** January to December. */
  readonly months: readonly string[];
  /** Monday to Sunday. */
  readonly weekdays: readonly string[];
  /** Words for a day, by how many days it is from today. */
  readonly days: readonly (readonly [days: number, words: string])[];
  readonly units: Readonly<Record<"day" | "week" | "month" | "year", string>>;
  /** One to twelve, in words. */
  readonly counts: readonly string[];
  readonly last: Place;
  readonly next: Place;
  /** "This" before a unit or weekday. */
  readonly own: string;
  readonly ago: Ago;
  readonly ahead: Place;
  /** What may stand between the number of a day and its month, and between a month and its year. */
  readonly of: string;
  /** What may stand right behind the number of a day. */
  readonly ordinal: string;
  /** What may stand behind a year; required behind one that stands alone when `yearNeeds` says so. */
  readonly year: string;
  readonly yearNeeds: boolean;
  /** Words before a month, or a year, that stands alone and is a date. */
  readonly within: string;
  /** What names a part of the month or year behind it: "the beginning of". */
  readonly part: string;
  /** Words before a weekday or a day's word that make it something else: "every Monday", "in the morning". */
  readonly never: string;
  /** Words that tell a sentence of what is so again and again, or only if: none of its weekdays is a day. */
  readonly habit: string;
  /** "Next Friday" is the first to come; else that of the next week. */
  readonly coming: boolean;
  /** Weekdays are written with a capital: one without is none, and elsewhere one with a capital is a name. */
  readonly capital: boolean;
  readonly link: string;
  readonly between: readonly [between: string, and: string];
  /** What has begun, and what begins whenever that is. */
  readonly since: string;
  readonly from: string;
  readonly until: string;
  readonly before: string;
  readonly after: string;
  /** Words that tell a sentence of what has been, or of what is to come. */
  readonly past: string;
  readonly future: string;
}

/** Before the thing, behind it, or either. */
interface Place {
  readonly before?: string;
  readonly behind?: string;
}

/** What stands behind counted units must be told from the end of a longer count. */
interface Ago extends Place {
  /** Units that mean one where no count stands before them. */
  readonly one?: string;
  /** Numbers above twelve, and other words right behind which no count begins. */
  readonly amounts?: string;
  /** What joins two counts, or the parts of one. */
  readonly joints?: string;
}
