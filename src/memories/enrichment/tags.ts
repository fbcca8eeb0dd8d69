import { plainWords } from "../../text/clues.ts";
import { fold } from "../../text/words/letters.ts";
import { STOP_WORDS } from "../../text/words/terms.ts";

export const TAGS_MAX = 5;
/** Characters of a text that are read for tags. */
const READ_WITHIN = 2_000;

/** Subjects, and the words that speak of each. */
const TOPICS: Readonly<Record<string, string>> = {
  deployment: "deploy deploys deployed deploying deployment deployments rollout rollback release releases released",
  incident: "incident incidents outage outages crash crashed crashes downtime postmortem",
  database: "database databases postgres postgresql mysql sqlite mongodb redis sql schema",
  migration: "migration migrations migrate migrated migrating",
  security:
    "security vulnerability vulnerabilities cve encryption firewall phishing password passwords certificate certificates",
  testing: "test tests tested testing qa regression coverage",
  performance: "latency throughput performance slow benchmark p95 p99",
  bug: "bug bugs defect regression stacktrace leak",
  api: "api apis endpoint endpoints webhook webhooks rest graphql",
  infrastructure: "server servers cluster clusters kubernetes docker terraform node nodes region network",
  billing: "billing invoice invoices payment payments refund refunds subscription",
  budget: "budget budgets cost costs expense expenses spending",
  customer: "customer customers client clients churn",
  hiring: "hiring hire hired interview interviews recruiter candidate candidates",
  meeting: "meeting meetings standup retro retrospective agenda sync",
  travel: "travel trip flight flights hotel visa airport",
  health: "doctor hospital allergy allergic medication therapy appointment",
  legal: "contract contracts legal lawyer gdpr licence license compliance",
  design: "design designs mockup mockups figma logo wireframe",
  documentation: "documentation docs readme manual wiki",
};
const TOPIC_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(TOPICS).flatMap(([topic, words]) => words.split(" ").map((word) => [word, topic] as const)),
);

const HASHTAG = /(?<![\w/&#])#(\p{L}[\p{L}\p{N}_-]{1,39})/gu;
/** Short names in capitals: API, AWS, GDPR. Words shouted in capitals are longer. */
const ACRONYM = /(?<![\w./-])[A-Z]{2,6}(?![\w/-])/g;
const SHOUTED = new Set(
  "todo note fyi asap ok am pm the not no and or utc id must never always be is it we us do dont cc re".split(" "),
);
/** A word said this often in a longer text is what it is about. */
const REPEATED_MIN = 3;
const REPEATED_WITHIN_MIN = 200;

/** At most five labels, lower-case, that a text sets itself (#word) or that its subject and words give. */
export function tagsOf(content: string, words = plainWords(content)): string[] {
  const text = content.slice(0, READ_WITHIN);
  const tags = new Set<string>();
  if (text.includes("#")) for (const [, tag = ""] of text.matchAll(HASHTAG)) tags.add(asTag(tag));
  // Subjects are English words; names in other scripts come as #words.
  for (const word of words) {
    const topic = TOPIC_OF.get(word);
    if (topic !== undefined) tags.add(topic);
  }
  for (const word of text.match(ACRONYM) ?? []) if (!SHOUTED.has(word.toLowerCase())) tags.add(word.toLowerCase());
  if (text.length >= REPEATED_WITHIN_MIN) for (const word of repeated(words)) tags.add(word);
  return [...tags].slice(0, TAGS_MAX);
}

const asTag = (word: string): string => fold(word).replace(/_+/g, "-");

const LENGTH_MIN = 5;

function repeated(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) if (word.length >= LENGTH_MIN) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([word, count]) => count >= REPEATED_MIN && !STOP_WORDS.has(word))
    .sort(([, a], [, b]) => b - a)
    .map(([word]) => word);
}
