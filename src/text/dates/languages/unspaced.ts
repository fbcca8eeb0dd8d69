import { DAY_MS } from "../../../core/kernel/clock.ts";
import type { Unit } from "../calendar.ts";
import { daysFrom, dayWindow, monthsWindow } from "../calendar.ts";
import { away } from "../relative.ts";
import type { DatePattern } from "../vocabulary.ts";
import { ANY_YEAR, fixed, PLAIN, YEAR } from "../vocabulary.ts";
import { FIGURES, figuresOf, NUMBER, numberOf } from "./figures.ts";
import type { Grammar } from "./grammar.ts";
import { days, inYear, namedWeekday, neighbour, weekday } from "./spaced.ts";

/** What Chinese and Japanese call the same in words of their own. */
interface Unspaced {
  /** Words for a day, by how many days it is from today; longer ones first. */
  readonly days: readonly (readonly [days: number, words: string])[];
  readonly weekday: string;
  /** The same behind the words for a week. */
  readonly weekdayOf: string;
  /** The week, month and year before this one, and so on. */
  readonly turns: readonly (readonly [unit: Unit, turn: number, words: string])[];
  readonly units: readonly (readonly [unit: Unit, words: string])[];
  readonly ago: string;
  readonly ahead: string;
  /** Right before a weekday or a month: "every", or the end of a word. */
  readonly never: RegExp;
}

/** No part of a longer number, version or price. */
const STARTS = "(?<![\\d.,:/¥$€〇零-])";
/** Nor of one in words, or of an amount: "四十年前" is no ten years ago. */
const COUNT_STARTS = "(?<![\\d.,:/¥$€一二三四五六七八九十百千万萬億亿〇零两两几幾数數-]\\s?)";
/** What is counted, and is neither a year nor a month. */
const NOT_COUNTED = "(?![间間分的个個历歷]|以上|以内|多|度?[版款式型]|モデル|問題|问题)";
const WEEKDAYS = "一二三四五六日天";
const SUNDAY = 6;

const dayOfWeek = (sign: string): number => {
  const index = `${WEEKDAYS}月火水木金土`.indexOf(sign);
  return index < WEEKDAYS.length ? Math.min(index, SUNDAY) : index - WEEKDAYS.length;
};

function patternsOf(words: Unspaced, weekdays: string, era: string): DatePattern[] {
  const pattern = (source: string, read: DatePattern["read"]): DatePattern => ({
    needs: 0,
    regex: new RegExp(source, "gu"),
    read,
  });
  const year = `(?:(${ANY_YEAR}|${FIGURES})|${era})\\s?年\\s?`;
  const ownYear = "(?<![\\d元一二三四五六七八九十〇零]\\s?年\\s?)";
  const yearIn = (common: string | undefined, ofEra: string | undefined): string | undefined =>
    figuresOf(common) ?? (ofEra === undefined ? undefined : String(ERA_BEFORE + (ofEra === "元" ? 1 : Number(ofEra))));
  const isEvery = (text: string, index: number) => words.never.test(text.slice(Math.max(0, index - 6), index));
  const turns = words.turns.filter(([unit]) => unit === "week");
  const years = words.turns.filter(([unit]) => unit === "year");
  return [
    pattern(
      `${STARTS}(?:${year}|${ownYear})(${NUMBER})\\s?月\\s?(${NUMBER})\\s?[日号號]?\\s?(?:至|到|から|[-–~〜～])\\s?(${NUMBER})\\s?[日号號]`,
      ({ match: [, common, ofEra, month = "", first = "", last = ""], reference }) => ({
        ...inYear(yearIn(common, ofEra), reference, (y) =>
          days(y, numberOf(month) - 1, numberOf(first), numberOf(last)),
        ),
        range: true,
      }),
    ),
    pattern(
      `${STARTS}(?:${year}|${ownYear})(${NUMBER})\\s?月\\s?(${NUMBER})\\s?[日号號](?![楼樓线線机機])`,
      ({ match: [, common, ofEra, month = "", day = ""], reference }) =>
        inYear(yearIn(common, ofEra), reference, (y) => dayWindow(y, numberOf(month) - 1, numberOf(day))),
    ),
    pattern(`${STARTS}${year}(${NUMBER})\\s?月`, ({ match: [, common, ofEra, month = ""] }) =>
      fixed(monthsWindow(Number(yearIn(common, ofEra)), numberOf(month) - 1, 1)),
    ),
    pattern(`${STARTS}(${YEAR}|${FIGURES})\\s?年${NOT_COUNTED}`, ({ match }) =>
      fixed(monthsWindow(Number(figuresOf(match[1])), 0, 12)),
    ),
    ...years.map(([, turn, source]) =>
      pattern(`(?:${source})の?(${NUMBER})月(?:(${NUMBER})[日号號])?`, ({ match, reference }) => {
        const own = new Date(reference).getUTCFullYear() + turn;
        const month = numberOf(match[1] ?? "") - 1;
        return fixed(match[2] ? dayWindow(own, month, numberOf(match[2])) : monthsWindow(own, month, 1));
      }),
    ),
    ...words.days.map(([count, source]) =>
      pattern(`(?:${source})`, ({ reference }) => fixed(daysFrom(reference + count * DAY_MS, 1))),
    ),
    ...words.turns.map(([unit, turn, source]) =>
      pattern(`(?:${source})`, ({ reference, text, match }) =>
        isEvery(text, match.index) ? null : neighbour(reference, unit, turn),
      ),
    ),
    ...turns.map(([, turn, source]) =>
      pattern(`(?:${source})${words.weekdayOf.replace("$", weekdays)}`, ({ reference, match }) =>
        fixed(
          turn > 1
            ? weekday(reference, dayOfWeek(match[1] ?? ""), turn)
            : namedWeekdayOf(reference, match[1] ?? "", turn),
        ),
      ),
    ),
    pattern(`(?:${words.weekday.replace("$", weekdays)})`, ({ text, match, reference }) =>
      isEvery(text, match.index)
        ? null
        : { repeats: "week", ...PLAIN, window: (turn) => weekday(reference, dayOfWeek(match[1] ?? ""), turn) },
    ),
    ...words.units.flatMap(([unit, source]) => [
      pattern(`${COUNT_STARTS}(\\d{1,3}|${NUMBER}|两)\\s?(?:${source})(?:${words.ago})`, ({ match, reference }) =>
        away(reference, -numberOf(match[1] ?? ""), unit),
      ),
      pattern(`${COUNT_STARTS}(\\d{1,3}|${NUMBER}|两)\\s?(?:${source})(?:${words.ahead})`, ({ match, reference }) =>
        away(reference, numberOf(match[1] ?? ""), unit),
      ),
    ]),
  ];
}

/** "Monday of last week" is in that week, whatever day it is today. */
const namedWeekdayOf = (reference: number, sign: string, turn: number) =>
  turn === 0 ? namedWeekday(reference, dayOfWeek(sign), 0, false) : weekday(reference, dayOfWeek(sign), turn);

/** No family name, behind which "tomorrow" is a given one. */
const NAMED =
  "(?<!(?<![老小国國女紧緊主夸誇])[李王张張陈陳刘劉杨楊赵趙吴吳徐孙孫郭冯馮邓鄧蔡魏薛阎潘姚谭廖邹熊崔邱顾])";

/** Reiwa began in 2019. */
const ERA_BEFORE = 2018;

export const chinese = (): Grammar => ({
  patterns: patternsOf(
    {
      days: [
        [-3, "大前天"],
        [-2, "(?<!大)前天"],
        [-1, "昨天|昨日|昨晚"],
        [0, "今天|今日|今晚"],
        [1, `${NAMED}(?:明天|明日|明晚)`],
        [2, "(?<!大|先天[和与與或及、])[后後]天(?![的性]|因素|条件|條件|环境|環境|教育|培养|努力)"],
      ],
      weekday: "(?:周|週|星期|礼拜|禮拜)([$])",
      weekdayOf: "([$])",
      turns: [
        ["week", -1, "上(?:一?个|個)?(?:周|週|星期|礼拜|禮拜)(?![末年])"],
        ["week", 0, "(?:本|这一?个?|這一?個?)(?:周|週|星期|礼拜|禮拜)(?!末)"],
        ["week", 1, "(?<!下)下(?:一?个|個)?(?:周|週|星期|礼拜|禮拜)(?!末)"],
        ["month", -1, "上个月|上個月|上月"],
        ["month", 0, "本月|这个月|這個月"],
        ["month", 1, "下个月|下個月|下月"],
        ["year", -1, "去年"],
        ["year", 0, "今年"],
        ["year", 1, "明年"],
      ],
      units: [
        ["day", "天|日"],
        ["week", "个?星期|周|週|個星期"],
        ["month", "个月|個月"],
        ["year", "年"],
      ],
      ago: "之?前(?![端置后後])|以前",
      ahead: "之?[后後](?![端置后後])|以[后後]",
      never: /[每逢各]个?$|[一二三四五六日天]到$/,
    },
    WEEKDAYS,
    "(\\b\\B)",
  ),
  before: [
    ["since", /(?:从|從|自从?|自從?)\s?$/],
    ["until", /(?:到|至|截至|截止|直到)\s?$/],
  ],
  behind: [
    ["before", /^\s?(?:之前|以前|前)/],
    ["after", /^\s?(?:之后|之後|以后|以後)/],
    ["since", /^\s?(?:起|以来|以來|开始|開始)/],
    ["until", /^\s?(?:为止|為止|到期|截止)/],
  ],
  since: /(?!)/,
  link: /^\s?(?:到|至|[-–~—～])\s?$/,
  between: /(?!)/,
  and: /(?!)/,
  habit: /每|总是|總是|如果|若是|一般/,
  past: /了|过(?!期)|過(?!期)|已经?|已經|曾/,
  future: /将|將|会(?!议)|會(?!議)|要|计划|計劃|预计|預計|即将|打算|准备|準備|需要|必须|必須/,
});

export const japanese = (): Grammar => ({
  patterns: patternsOf(
    {
      days: [
        [-2, "一昨日|おととい"],
        [-1, "(?<!一)昨日|昨夜|昨晩|きのう"],
        [0, "今日(?!は[、。]?$|子)|本日|今夜|今晩"],
        [1, "明日(?![香子菜奈])|あした"],
        [2, "明後日|あさって"],
      ],
      weekday: "([$])曜日",
      weekdayOf: "の?([$])曜日?",
      turns: [
        ["week", -1, "(?<!先)先週(?!末)"],
        ["week", 0, "今週(?!末)"],
        ["week", 1, "(?<!再)来週(?!末)"],
        ["week", 2, "再来週(?!末)"],
        ["month", -1, "(?<!先)先月"],
        ["month", 0, "今月"],
        ["month", 1, "(?<!再)来月"],
        ["year", -1, "去年|昨年"],
        ["year", 0, "今年|本年"],
        ["year", 1, "来年"],
      ],
      units: [
        ["day", "日"],
        ["week", "週間"],
        ["month", "[かカヶケ箇]月"],
        ["year", "年"],
      ],
      ago: "前(?!まで|後|半)",
      ahead: "後",
      never: /毎週?の?$|[月火水木金土日]曜?日?(?:から|[-〜～])$/,
    },
    "月火水木金土日",
    "令和\\s?(\\d{1,2}|元)",
  ),
  before: [],
  behind: [
    ["until", /^\s?(?:まで|が?期限|が?締め?切り?)/],
    ["since", /^\s?(?:から|以降|より)/],
    ["before", /^\s?(?:より前|以前|前に|の前)/],
    ["after", /^\s?(?:より後|の後|のあと)/],
  ],
  since: /(?!)/,
  link: /^\s?(?:から|[-–~〜～])\s?$/,
  between: /(?!)/,
  and: /(?!)/,
  habit: /毎|いつも|場合|なら|たびに/,
  past: /(?:ました|でした|った|した|いた|れた|えた|きた|ちた|んだ)(?=[。、!！?？\s」]|$)/,
  future: /予定|つもり|(?:ます|する|です)(?=[。、!！?？\s」]|$)|でしょう|なければ|まで/,
});
