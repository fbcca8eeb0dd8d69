import { keySet } from "./synonyms.ts";

/**
 * Words that say for which part of something a statement holds: two of one line hold side by side. Each line is one
 * dimension; words between commas mean the same part.
 */
const LINES = `
staging stage, production prod live, development dev, test testing, sandbox, qa, preview, local localhost, canary, demo
ios iphone, android, web browser, desktop, mobile, tablet, windows, mac macos, linux
free trial, paying paid premium, enterprise business, basic, standard, pro
adult grownup, child kid, student, senior pensioner, teenager, infant toddler
member, guest visitor, nonmember, public
employee staff, contractor freelancer, intern trainee, manager
read, write
import, export
inbound incoming, outbound outgoing
upload, download
input, output
request, response
client, server
frontend, backend
front, back rear
left, right
upper top, lower bottom
upstairs, downstairs
inner inside indoor, outer outside outdoor
internal, external
domestic, international foreign
primary leader, replica follower secondary, standby
north northern, south southern, east eastern, west western
male man boy, female woman girl
son, daughter
brother, sister
mother mum mom, father dad
uncle, aunt
grandmother grandma, grandfather grandpa
husband, wife
breakfast, lunch, dinner supper
starter, main, dessert
summer, winter, spring, autumn
weekday, weekend
morning, afternoon, evening, night
first, second, third, fourth, fifth, sixth, last
old, new
small, medium, large
red, blue, green, yellow, white, black
debit, credit
revenue income, cost expense, profit, loss
buyer, seller vendor
landlord, tenant
home, away
email mail, sms text, phone call, post letter, push
hardware, software
unit, integration, e2e
alpha, beta, gamma, delta
daily, weekly, monthly, yearly annual
day, night
head, tail
gas, electricity, water
europe eu, america us, asia apac, africa
`;

const dimensions = new Map<string, [dimension: number, part: number][]>();
for (const [dimension, line] of LINES.trim().split("\n").entries()) {
  for (const [part, words] of line.split(",").entries()) {
    for (const key of keySet(words)) dimensions.set(key, [...(dimensions.get(key) ?? []), [dimension, part]]);
  }
}

/** Whether two words name different parts of one dimension: `staging` and `production`. */
export function areOtherScopes(one: string, other: string): boolean {
  const others = dimensions.get(other);
  return (
    dimensions.get(one)?.some(([dimension, part]) => others?.some(([d, p]) => d === dimension && p !== part)) ?? false
  );
}

/** Whether a word names a part of some dimension. */
export const isScope = (key: string): boolean => dimensions.has(key);
