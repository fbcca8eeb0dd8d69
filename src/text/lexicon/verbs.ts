import { stem } from "../words/stem.ts";

/**
 * Verbs that share a predicate: what they say of their subject is the same kind of thing. The name of a group is the
 * predicate of a claim. Groups hold verbs of many trades; a verb of no group is its own predicate.
 */
const GROUPS: Record<string, string> = {
  lives_in: "live reside dwell settle",
  located_in: "locate situate base house sit stand lie hang park place position find belong",
  works_at: "work employ",
  uses: "use employ utilise utilize adopt rely depend run leverage operate",
  made_with: "write build implement develop code program craft compose rewrite reimplement rebuild",
  hosted_on: "host deploy serve",
  stored_in: "store keep save archive stash persist log record",
  leads: "lead head manage own maintain direct oversee supervise chair captain coordinate handle moderate",
  reports_to: "report",
  costs: "cost price charge bill",
  pays: "pay earn",
  weighs: "weigh",
  lasts: "last take",
  holds: "hold contain seat fit accommodate store comprise consist total number have has employ count",
  starts: "start begin commence open kick happen occur take schedule plan slate launch depart leave board",
  ends: "end finish close conclude expire terminate stop",
  arrives: "arrive land",
  prefers: "prefer favour favor want choose pick",
  likes: "like love enjoy adore fancy",
  dislikes: "dislike hate detest loathe",
  allows: "allow permit let enable support accept",
  needs: "need require must demand",
  causes: "cause trigger produce",
  born: "bear born",
  studies: "study major",
  drives: "drive ride",
  eats: "eat consume",
  drinks: "drink",
  plays: "play",
  speaks: "speak",
  teaches: "teach",
  wears: "wear",
};

/** Verbs that say that something came to be other than it was, and the predicates that they may change. */
const CHANGES: Record<string, string> = {
  move: "lives_in located_in stored_in hosted_on works_at starts ends uses",
  relocate: "lives_in located_in hosted_on",
  migrate: "uses hosted_on stored_in made_with",
  transfer: "located_in works_at stored_in",
  switch: "uses made_with prefers works_at hosted_on drives eats drinks studies plays",
  change: "*",
  convert: "*",
  turn: "*",
  become: "*",
  replace: "*",
  swap: "*",
  upgrade: "uses hosted_on made_with",
  update: "*",
  downgrade: "uses hosted_on",
  bump: "*",
  port: "made_with uses",
  rewrite: "made_with uses",
  rename: "*",
  rebrand: "*",
  promote: "works_at",
  demote: "works_at",
  appoint: "leads works_at",
  elect: "leads works_at",
  join: "works_at",
  raise: "*",
  increase: "*",
  rise: "*",
  grow: "*",
  climb: "*",
  lift: "*",
  double: "*",
  halve: "*",
  lower: "*",
  decrease: "*",
  drop: "*",
  fall: "*",
  sink: "*",
  cut: "*",
  reduce: "*",
  shrink: "*",
  trim: "*",
  extend: "*",
  shorten: "*",
  expand: "*",
  slip: "starts ends",
  slide: "starts ends",
  push: "starts ends",
  shift: "starts ends",
  postpone: "starts ends",
  delay: "starts ends",
  reschedule: "starts ends",
  rebook: "starts ends",
  adjourn: "starts ends",
  defer: "starts ends",
  improve: "*",
  worsen: "*",
  amend: "*",
  revise: "*",
  correct: "*",
  adjust: "*",
  reassign: "leads",
  revert: "*",
  restore: "*",
  reset: "*",
  set: "*",
  scale: "*",
  pass: "*",
  reach: "*",
  hit: "*",
  exceed: "*",
  top: "*",
  settle: "costs",
  renegotiate: "*",
  reelect: "leads",
  flip: "*",
  toggle: "*",
  roll: "*",
};

/** Further verbs: only that they are verbs matters here. */
const OTHERS = `accept achieve act activate add admit advise agree aim announce answer appear apply approve argue arrive ask
  attend avoid award ban beat believe belong block borrow break breed bring buy call cancel carry celebrate check claim
  clean climb collect come compile complete confirm connect consider cook cover crash create cross cure cycle date deal
  decide decline delete deliver deny deprecate describe design destroy detect die disable discuss divorce download draft
  draw dress drop enable encrypt engage enter exist expect explain export face fail feed feel fight file fill fix fly
  follow forbid forget forward fund gain get give govern grant grind guarantee guard guess handle harvest hate hear heat
  help hide hire hit hope hunt ignore import include inform inspect install intend introduce invest invite involve issue
  jog jump kill knit know lack land lay learn leave lend limit link listen load lock look lose mail make march mark marry
  match mean measure meet mend merge miss mix monitor mow name note notice notify offer omit order orbit organise organize
  owe pack paint pass pause perform pick plan plant plead plot point post practise practice prepare present prevent print
  process produce promise propose protect prove provide publish pull purchase pursue quit race read reach realise realize
  receive recommend recover refund refuse register reject release rely remain remember remind remove renew rent repair
  repeat reply request rescue reserve resign resolve respond restart result resume retire return reveal review ring roast
  roll rotate sail say schedule score seal search see seem select sell send separate serve sew share ship shoot shop show
  sign sing sink skip sleep smell smoke solve sound spend split sponsor spread stay steal stop store stream stretch
  struggle submit subscribe back succeed suffer suggest supply support suspect suspend swim sync take talk taste tell tend test
  think throw tolerate touch tour track trade train translate travel treat trust try type uninstall unite unlock unsubscribe
  upload validate vary verify visit volunteer vote wait wake walk warn wash watch water wed win wish wonder worry wrap yield
  withdraw abandon scrap shelve ditch retire decommission discontinue sunset graduate enrol enroll inherit adopt bake brew
  bind bless boil book boost bounce brush burn bury camp cast catch chat chop cite clear cost crack crawl cure curl curve
  dance dig dive donate drain drift dry earn echo edit emit emerge equal escape exceed exit feature fetch float flood flow
  forecast freeze greet grill hike hug hurt impact infect inject insist insure interview invoice iron isolate juggle keep
  kick kneel label laugh lead lean lease lick mount mute nap negotiate nest nominate oppose orient outsource overlap park
  patch peak peel persist pin ping pitch plug poll pop pour pray predict press pretend proceed prohibit promote prune
  qualify query queue quote rain rank rate rebuild recall reboot recruit recycle refactor refer reflect refresh regret
  rehearse reject relate relax remodel render renovate repay replicate represent reproduce rescind reside resist rest
  restrict retain reverse rinse rule rush scan scrub seek seize settle shake shave shelter shut simmer ski slice slow
  smile snow soak sort sow specialise specialize spell spill spin spray squat stack stage stall star stare starve steer
  stick stir stitch strike strip stroll suit survive sweep swing switch tag target taste tear tease text thank threaten
  tick tie tighten tip toast toss tow trace transform trap trigger tutor twist undergo understand undo upset urge vanish go come get do make
  view wander want wear weave welcome whisper widen win wipe withhold witness work write yell zip sleep carry`;

const table = new Map<string, string>();
for (const [name, verbs] of Object.entries(GROUPS)) {
  for (const verb of verbs.split(" ")) if (!table.has(stem(verb))) table.set(stem(verb), name);
}
const changes = new Map(
  Object.entries(CHANGES).map(([verb, names]) => [stem(verb), new Set(names.split(" "))] as const),
);
const known: ReadonlySet<string> = new Set([
  ...table.keys(),
  ...changes.keys(),
  ...OTHERS.trim().split(/\s+/).map(stem),
]);

/** Whether a stem is that of a common verb. */
export const isVerbStem = (word: string): boolean => known.has(word);

/** The predicate that a verb stands for; the stem itself for a verb of no group. */
export const predicateOf = (verb: string): string => table.get(verb) ?? verb;

/** Whether a verb says that things are now other than they were. */
export const isChangeVerb = (verb: string): boolean => changes.has(verb);

/** Whether a verb of change says nothing of what changes: in the present tense it may tell what happens again and again. */
export const isGeneralChange = (verb: string): boolean => changes.get(verb)?.has("*") === true && !LASTING.has(verb);
const LASTING: ReadonlySet<string> = new Set(["become", "replace", "rename"].map(stem));

/** Whether a verb of change may end what a predicate says. */
export const changesPredicate = (verb: string, predicate: string): boolean => {
  const names = changes.get(verb);
  return names !== undefined && (names.has("*") || names.has(predicate));
};

/** The predicates of listed verbs; a name of a group stands for itself. */
export const predicateSet = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .trim()
      .split(/\s+/)
      .map((verb) => (Object.hasOwn(GROUPS, verb) || verb === "be" ? verb : predicateOf(stem(verb)))),
  );
