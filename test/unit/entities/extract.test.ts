import { describe, expect, test } from "bun:test";
import { extractEntities, MENTIONS_MAX } from "../../../src/entities/extract.ts";

/** Names of a text, without those that count only where they are known. */
const namesOf = (text: string): string[] =>
  extractEntities(text)
    .mentions.filter(({ sure }) => sure)
    .map(({ name }) => name);

/** Name and type of what a text names. */
const typesOf = (text: string): string[] =>
  extractEntities(text).mentions.map(({ name, entity_type }) => `${name}: ${entity_type}`);

describe("names are read", () => {
  test.each([
    ["in the middle of a sentence", "We met Anna Keller and her dog Bruno.", ["Anna Keller", "Bruno"]],
    ["at its start, when they are given names", "Anna likes tea.", ["Anna"]],
    ["at its start, when the text has them elsewhere too", "Nightjar retries. We run Nightjar.", ["Nightjar"]],
    ["of three words", "It was written by Amy Ellis Nutt last year.", ["Amy Ellis Nutt"]],
    [
      "with small words inside",
      "A talk by Ludwig van Beethoven at the Bank of America.",
      ["Ludwig van Beethoven", "Bank of America"],
    ],
    ["with hyphens, apostrophes and signs", "I called Jean-Paul O'Brien at AT&T.", ["Jean-Paul O'Brien", "AT&T"]],
    ["with capitals inside", "PostgreSQL and GitHub are down.", ["PostgreSQL", "GitHub"]],
    ["that begin with New", "New York is loud.", ["New York"]],
    ["behind their title", "We asked Dr. Smith and Aunt Mary.", ["Smith", "Mary"]],
    ["in quotes as a whole", 'I loved "Charlotte\'s Web" as a child.', ["Charlotte's Web"]],
    ["before a possessive ending", "We use Jonas's laptop and Berlin's trams.", ["Jonas", "Berlin"]],
    ["that are words too, where they do something", "Mark said no.", ["Mark"]],
    ["of abbreviations", "The NASA launch was late.", ["NASA"]],
    ["on both sides of a day", "We meet Paula on Monday in Rome.", ["Paula", "Rome"]],
  ])("%s", (_, text, names) => expect(namesOf(text)).toEqual(names));
});

describe("a capital alone makes no name", () => {
  test.each([
    ["at the start of a sentence", "Painting is fun. Dinner was great. Work is busy."],
    ["of a word that opens sentences", "Today we rest. Unfortunately nothing works. However, it rains."],
    ["of a word that the text also writes small", "I asked the Team. The team agreed."],
    ["of a day or a month", "We meet on Monday and again in October, or next Fri."],
    ["of a pronoun", "I think I'm late, said I."],
    ["in a heading", "# Quarterly Planning Overview And Goals\nwe plan."],
    ["in shouted text", "IMPORTANT: NEVER PUSH TO THE MAIN BRANCH."],
    ["of one shouted word", "This is VERY urgent, do NOT wait."],
    ["of a question word", "Will you come? May I ask? What about Monday?"],
    ["of a contraction", "Let's go. It's cold. Don't worry. Today's weather is bad."],
    ["after a colon", "Remember: Always lock the door."],
    ["of a bullet", "- Buy milk\n- Call the bank\n- Clean up"],
    ["of kin without a name", "My Mom and Grandma came by."],
  ])("%s", (_, text) => expect(namesOf(text)).toEqual([]));
});

describe("who is greeted is not spoken of", () => {
  test.each([
    ["Rosalind: Hey Kit! Nice to meet you!", ["Rosalind"]],
    ["Melanie: Thanks, Caroline! I painted again.", ["Melanie"]],
    ["Melanie: That is great, Caroline!", ["Melanie"]],
    ["Melanie: Caroline, that is great.", ["Melanie"]],
    ["Hi John, the report is done.", []],
    ["Good morning, Anna!", []],
    ["Dear Paula, I write to you.", []],
    ["Melanie: I met Bob, Carol and Anna!", ["Melanie", "Bob", "Carol", "Anna"]],
    ["Hey, John moved to Rome.", ["John", "Rome"]],
  ])("%s", (text, names) => expect(namesOf(text)).toEqual(names));
});

test.each([
  ["Note: the key is under the mat.", []],
  ["Decision: we ship on Friday.", []],
  ["User: please remember my birthday.", []],
  ["TODO: clean up.", []],
  ["Ingrid: I like trains.", ["Ingrid"]],
])("a label before a text is a name only when somebody speaks: %s", (text, names) =>
  expect(namesOf(text)).toEqual(names),
);

describe("things are known by their form", () => {
  test.each([
    ["addresses of mail", "Write to ops.team@example.com.", ["ops.team@example.com"]],
    ["links without what is secret", "See https://ann:pw@wiki.example.com/a/b?token=x#c.", ["wiki.example.com/a/b"]],
    ["tickets", "ABC-123 blocks PROJ2-7.", ["ABC-123", "PROJ2-7"]],
    ["what is numbered", "See PR #12, pull request 13, issue #7 and #1234.", ["PR #12", "PR #13", "Issue #7", "#1234"]],
    ["versions", "From v2.3.1 to 3.0.0-rc.1.", ["v2.3.1", "3.0.0-rc.1"]],
    ["a version after its product", "We run Redis 7.2 now.", ["Redis", "7.2"]],
    ["weaknesses", "Patch CVE-2024-12345 today.", ["CVE-2024-12345"]],
    ["universal ids", "Run 123e4567-e89b-12d3-a456-426614174000 failed.", ["123e4567-e89b-12d3-a456-426614174000"]],
    ["hosts and addresses", "db-1.prod.internal answers on 10.0.0.12:5432.", ["db-1.prod.internal", "10.0.0.12:5432"]],
    [
      "files and paths",
      "Edit src/auth/login.ts, config.yaml and /etc/hosts.",
      ["src/auth/login.ts", "config.yaml", "/etc/hosts"],
    ],
    [
      "names of code",
      "user_id, getUserById() and app.config.timeout are old.",
      ["user_id", "getUserById", "app.config.timeout"],
    ],
    ["code in ticks", "Call `npm-run-all` with `--silent`.", ["npm-run-all", "--silent"]],
    ["services", "The payments-api service calls billing-worker.", ["payments-api", "billing-worker"]],
    ["regions", "It moved to eu-west-1.", ["eu-west-1"]],
    ["products with small letters", "My iPhone runs iOS.", ["iPhone", "iOS"]],
    ["languages with signs", "I know C++, C# and Node.js.", ["C++", "C#", "Node.js"]],
  ])("%s", (_, text, names) => expect(namesOf(text)).toEqual(names));

  test.each([
    ["days", "On 12.05.2024 and 2024-05-12 at 12:30."],
    ["numbers", "It costs 2.5 million, 1,000 or 99.9%."],
    ["ranks", "I am your #1 fan."],
    ["quantities", "order 2 pizzas, build 3 houses"],
    ["abbreviations", "e.g. this, i.e. that, at 5 p.m. or so"],
    ["slashes between words", "he/she and/or 24/7 client/server"],
    ["sentences without a space", "it works.then it fails"],
    ["compound words", "a well-known long-term state-of-the-art in-app view"],
    ["whole blocks of code", "```\nconst userName = getName();\nconsole.log(user_name)\n```"],
    ["plain words in ticks", "use `grid` and `cache`"],
  ])("but not %s", (_, text) => expect(namesOf(text)).toEqual([]));
});

test.each([
  ["Anna Keller said so.", ["Anna Keller: person"]],
  ["My manager Oyelaran said so.", ["Oyelaran: person"]],
  ["She joined Nordlicht GmbH.", ["Nordlicht GmbH: organization"]],
  ["She works at Helvion.", ["Helvion: organization"]],
  ["They moved to Talkeetna.", ["Talkeetna: location"]],
  ["We walked to the Golden Gate Park.", ["Golden Gate Park: location"]],
  ["We use Kubernetes.", ["Kubernetes: technology"]],
  ["Project Falcon is late.", ["Falcon: project"]],
  ["The Falcon project is late.", ["Falcon: project"]],
  ["We saw the Berlin Film Festival.", ["Berlin Film Festival: event"]],
  ["The CTO agreed.", ["CTO: role"]],
  ["ABC-12 is open.", ["ABC-12: identifier"]],
  ["login.ts is broken.", ["login.ts: artifact"]],
  ["The Nightjar was down.", ["Nightjar: unknown"]],
])("what kind a thing is of follows from its name and the words beside it: %s", (text, types) =>
  expect(typesOf(text)).toEqual(types),
);

test.each([
  ["Anna moved from Berlin to Paris.", ["Anna: subject", "Berlin: object", "Paris: mentioned"]],
  ["The payments-api service uses Redis.", ["payments-api: subject", "Redis: object"]],
  ["Ingrid: I like Rome.", ["Ingrid: subject", "Rome: object"]],
  ["Ingrid: the weather in Rome is bad.", ["Ingrid: mentioned", "Rome: mentioned"]],
  ["In March Anna met Bob.", ["Anna: mentioned", "Bob: mentioned"]],
])("the first sentence tells subject and object: %s", (text, roles) =>
  expect(extractEntities(text).mentions.map(({ name, role }) => `${name}: ${role}`)).toEqual(roles),
);

test("a word that may be a name is marked as unsure", () => {
  const { mentions } = extractEntities("Nightjar is the retry queue.");
  expect(mentions).toMatchObject([{ name: "Nightjar", sure: false }]);
});

test.each([
  ["The Site Reliability Engineering (SRE) team is on call. SRE decides.", "SRE", "sitereliabilityengineering"],
  ["We met at the Museum of Modern Art (MoMA) today.", "MoMA", "museumofmodernart"],
  ["We drink at the Blue Lagoon, also known as Lagoona.", "Lagoona", "bluelagoon"],
])("two names of one thing are one thing: %s", (text, alias, key) => {
  const { mentions, same } = extractEntities(text);
  expect(same).toMatchObject([{ alias, key }]);
  expect(mentions.map((mention) => mention.name)).not.toContain(alias);
});

test("brackets that hold no initials name nothing else", () => {
  expect(extractEntities("We met Anna Keller (CTO) and the Blue Lagoon (today).").same).toEqual([]);
});

test("a first name beside the full name is no one else", () => {
  expect(namesOf("Anna Keller leads. Anna also codes, and Keller signs.")).toEqual(["Anna Keller"]);
});

test("each thing is named once, however it is written", () => {
  expect(namesOf("We use Redis. The Redis cluster, REDIS and redis too.")).toEqual(["Redis"]);
});

test("a long text names no more than its bound, and an empty one nothing", () => {
  const text = Array.from(
    { length: 500 },
    (_, i) => `We met Xan${String.fromCharCode(97 + (i % 26))}${"q".repeat(i % 19)}.`,
  );
  expect(extractEntities(text.join(" ")).mentions.length).toBeLessThanOrEqual(MENTIONS_MAX);
  expect(extractEntities("").mentions).toEqual([]);
  expect(extractEntities("\u{1F600} 1 2 3 ...").mentions).toEqual([]);
});
