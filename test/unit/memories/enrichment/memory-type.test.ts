import { describe, expect, test } from "bun:test";
import { DEPRECATED_TYPES, RESERVED_TYPES } from "../../../../src/core/schema/memory.ts";
import { enrich } from "../../../../src/memories/enrichment/enrich.ts";

/** A Wednesday. */
const reference = Date.parse("2026-03-18T12:00:00Z");
const read = (text: string) => enrich(text, { reference });
const typeOf = (text: string) => read(text).memory_type as string;

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  decision: [
    "We decided to keep SQLite and not to move to Postgres.",
    "The board approved the budget for next year.",
    "Anna and Raj agreed to split the service in two.",
    "We chose PostgreSQL over MongoDB because the reports need joins.",
    "Going with the blue design for the landing page.",
    "Decision: use feature flags for every release.",
    "We will use Kafka instead of RabbitMQ.",
    "It was agreed that the office stays closed on Fridays.",
    "The team settled on trunk-based development.",
    "Let's go with the second vendor.",
    "Management has finally approved remote work.",
    "The committee voted against the merger.",
  ],
  preference: [
    "Grace prefers short messages and answers before nine in the morning.",
    "Maya likes her coffee black.",
    "My favorite editor is Helix.",
    "Customers in Japan would rather pay by invoice.",
    "I don't like meetings after five.",
    "Sam can't stand dark mode.",
    "Olga is not a fan of open offices.",
    "He hates surprise calls.",
  ],
  task: [
    "TODO: rotate the signing key.",
    "Remember to send the invoice to Nordbank.",
    "Anna needs to review the contract by Friday.",
    "I must call the dentist tomorrow.",
    "The report must be submitted by 30 June.",
    "Fix the flaky login test.",
    "Send the report to the board by Friday.",
    "The migration ticket is assigned to Lena.",
    "Please review the pull request before lunch.",
    "Don't forget to renew the domain.",
    "- [ ] Task: order new badges",
    "We still have to migrate the billing tables.",
    "Remind me to book the flights.",
  ],
  plan: [
    "We plan to launch the app in September.",
    "Priya is going to visit the Lagos office next month.",
    "The migration is scheduled for the first week of May.",
    "I'll refactor the parser next sprint.",
    "Our plan is three releases this year.",
    "The team intends to open an office in Porto.",
    "Roadmap: search in Q2, billing in Q3.",
    "They are planning a second pilot.",
  ],
  action: [
    "Deployed version 2.4.1 to production.",
    "I restarted the ingest worker and cleared the queue.",
    "Rolled back the release because of the memory leak.",
    "We migrated the billing tables to the new cluster.",
    "Updated the runbook with the new host names.",
    "I've rotated the keys of the staging account.",
  ],
  episode: [
    "The mobile app crashed on start because a certificate had expired.",
    "Yesterday Tom met with the auditors in Lyon.",
    "We visited the new warehouse two weeks ago.",
    "Hallström Shipping bought its third ferry on 3 February 2022.",
    "There was an outage of the payment gateway on Monday.",
    "Lena and Karl got married in June.",
    "The launch event took place in Hanover.",
  ],
  fact: [
    "Anna joined the company in 2019.",
    "The search page takes four seconds for customers with many orders.",
    "Our staging database is wiped every Sunday night.",
    "The customer in Osaka wants invoices in yen, printed on paper.",
    "Interns get a laptop on their first day and a mentor for three months.",
    "Yuki speaks Japanese, Korean and a little Finnish.",
    "The office in Lyon has no parking; take the tram to the last stop.",
    "Priya will be on parental leave from August to December.",
  ],
};

describe.each(Object.entries(SENTENCES))("the type %s is read", (type, sentences) => {
  test.each([...sentences])("from '%s'", (sentence) => {
    expect(typeOf(sentence)).toBe(type);
  });
});

describe("a word that only looks like a sign of a type is none:", () => {
  test.each([
    "The candidate explained the committee's plan to the mustard factory.",
    "The committee has not decided on a venue.",
    "Nobody agreed to the new terms.",
    "Passwords must be rotated every ninety days by order of the security officer.",
    "Users must have two factors enabled.",
    "If you need to restart the worker, use the admin page.",
    "You need to have Node 20 to run it.",
    "Nobody needs to sign the form any more.",
    "The post got 300 likes on the first day.",
    "It looks like the build is green.",
    "The preferred port is 8080.",
    "There are no plans to hire this year.",
    "The health plan covers dental care.",
    "The floor plan hangs next to the lift.",
    "The planet has two moons.",
    "Karl is committed to quality.",
    "A splendid sordid candid studio.",
    "The taskbar hides the must-have icons.",
    "Closed doors keep the server room cool.",
    "The printer driver breaks whenever the operating system is updated.",
    "Our error budget for this quarter was used up by the outage in February.",
    "Never restart the message broker while a migration is running.",
    "Orders above ten thousand euros need a signature of the finance director.",
    "The multitasking scheduler is preemptive.",
    "The committed offset lags behind.",
    "Explaining rain in Spain: it falls mainly on the plain.",
  ])("%s", (sentence) => {
    expect(read(sentence)).toMatchObject({ memory_type: "fact", status: "active" });
  });

  test.each(["Did we decide on the venue?", "Do we need to renew the licence?", "Anna: should I call the bank?"])(
    "nor is a question more than a fact: %s",
    (question) => {
      expect(read(question)).toMatchObject({ memory_type: "fact", status: "active" });
    },
  );
});

test("no text is given a type that callers may not write", () => {
  const texts = [
    ...Object.values(SENTENCES).flat(),
    "Rule: never deploy on Friday.",
    "Cancelled the trip.",
    "I promise to pay.",
  ];
  const unwritable: readonly string[] = [...RESERVED_TYPES, ...DEPRECATED_TYPES];
  for (const text of texts) expect(unwritable).not.toContain(typeOf(text));
});

describe("a row is pending", () => {
  test.each([...(SENTENCES.task ?? []), ...(SENTENCES.plan ?? [])])("that says what is to be done: %s", (sentence) => {
    expect(read(sentence).status).toBe("pending");
  });

  test.each([
    ...(SENTENCES.fact ?? []),
    ...(SENTENCES.decision ?? []),
    ...(SENTENCES.preference ?? []),
    ...(SENTENCES.action ?? []),
    ...(SENTENCES.episode ?? []),
    "- [x] Task: order new badges",
    "TODO: rotate the key. It is done.",
  ])("but no other, nor once it is done: %s", (sentence) => {
    expect(read(sentence).status).toBe("active");
  });

  test("only when text and type agree that there is something to do", () => {
    const task = "Remember to send the invoice.";
    expect(enrich(task, { reference, memory_type: "fact" }).status).toBe("active");
    expect(enrich("The sky over Lyon is grey.", { reference, memory_type: "task" }).status).toBe("active");
    expect(enrich(task, { reference, memory_type: "plan" }).status).toBe("pending");
  });
});

describe("a row is confirmed", () => {
  test.each([
    "Confirmed: the venue is the old brewery.",
    "Anna confirmed that the parcel arrived.",
    "The address has been verified by the bank.",
    "The dates are now confirmed.",
    "I double-checked the figures: revenue is 4.2 million.",
  ])("that says so: %s", (sentence) => {
    expect(read(sentence).status).toBe("confirmed");
  });

  test.each([
    "The dates are not confirmed yet.",
    "The venue is to be confirmed.",
    "Unconfirmed reports speak of a merger.",
    "Nobody has verified the figures.",
    "Is the venue confirmed?",
    "Wait until the order is confirmed.",
    "The confirmation page is broken.",
  ])("but not one that says the opposite: %s", (sentence) => {
    expect(read(sentence).status).not.toBe("confirmed");
  });
});

describe("the weight", () => {
  test("is that of the type, between 0 and 1", () => {
    expect(read("The sky over Lyon is grey.").weight).toBe(0.5);
    expect(read("We decided to keep SQLite.").weight).toBe(0.85);
    for (const text of Object.values(SENTENCES).flat()) expect(read(text).weight).toBeWithin(0.1, 1.0001);
  });

  test("is higher where the text stresses, lower where it doubts itself", () => {
    const plain = read("Deploys go out on the blue cluster.").weight;
    expect(read("Deploys must never go out on the blue cluster.").weight).toBeGreaterThan(plain);
    expect(read("Deploys maybe go out on the blue cluster.").weight).toBeLessThan(plain);
  });
});
