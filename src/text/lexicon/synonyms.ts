import { memoized } from "../../core/kernel/memoize.ts";
import { stem } from "../words/stem.ts";

/** Words that name the same thing, by trades; the first of a line stands for all. */
const LINES = `
database db datastore
production prod
development dev
application app
repository repo
configuration config
environment env
documentation docs doc
kubernetes k8s
postgres postgresql pg
javascript js
typescript ts
authentication auth
administrator admin
infrastructure infra
specification spec
request req
pipeline ci
automobile car
apartment flat
bicycle bike cycle
telephone phone mobile cellphone smartphone
refrigerator fridge
television tv
holiday vacation
film movie
sofa couch
autumn fall
mother mum mom
father dad
grandmother grandma granny
grandfather grandpa
child kid
doctor physician dr
manager boss supervisor
person employee staff personnel headcount human attendee participant
salary wage pay
firm company business
shop store
photo picture photograph
lift elevator
rubbish trash garbage
hq headquarters headquarter
standup scrum
conversation chat
mail email
lawyer attorney
teacher instructor
customer client
purchase buy
begin start
finish end
error bug defect
task ticket issue
error failure
quick fast
sick ill
big large
tiny small
afraid scared
allow permit
forbid prohibit ban
reject decline refuse
accept approve
repair fix mend
choose pick select
assist help
obtain acquire
demand require need
reside live
relocate move
postpone delay defer
cancel scrap axe
car vehicle
kitten cat
puppy dog
infant baby
spouse partner
supper dinner
favourite favorite preferred preference
colour color
centre center
programme program
licence license
organisation organization
theatre theater
tyre tire
grey gray
`;

const table = new Map<string, string>();
for (const line of LINES.trim().split("\n")) {
  const [first = "", ...others] = line.split(" ");
  for (const word of others) if (!table.has(stem(word))) table.set(stem(word), table.get(stem(first)) ?? stem(first));
}

const ROOT_MIN = 4;
/** Endings that make nouns, people and adverbs of verbs and adjectives, longest first. */
const ENDINGS = [
  "isation",
  "ization",
  "ation",
  "ition",
  "ment",
  "ance",
  "ence",
  "ness",
  "ship",
  "tion",
  "ion",
  "ity",
  "al",
  "er",
  "or",
  "li",
  "at",
];

/** The stem that stands for a word and its synonyms: `db` and `database`, `deployment` and `deploy`. */
export const canonical = memoized((word) => root(table.get(word) ?? word));

function root(word: string): string {
  for (const ending of ENDINGS) {
    // "Sponsorship" loses two endings before it is like "sponsor".
    if (word.endsWith(ending) && word.length - ending.length >= ROOT_MIN) return root(word.slice(0, -ending.length));
  }
  return word;
}

/** The keys of listed words, as lexicons are written. */
export const keySet = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .trim()
      .split(/\s+/)
      .map((word) => canonical(stem(word))),
  );
