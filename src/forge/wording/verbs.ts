/** Verbs of work whose other forms follow the rules; what agents write of what they did. */
const REGULAR = `
  abort accept accompany accrue acknowledge activate add adjust administer admit agree alarm align allocate amend
  amortise analyse analyze annotate announce anonymise anonymize answer apply approve archive arm arrange ask
  assemble assess assign attach attempt audit authorise authorize back backfill backport bake balance ban bandage
  batch benchmark bid bill bisect bleed block boil book boot bootstrap bounce bump cache calculate calibrate call
  cancel cap capture centrifuge certify change charge chart check checkpoint chill chmod chown claim clarify clean
  clear click clone close coach collate collect commission commit compare compile complete compose compost compress
  compute configure confirm confiscate connect consult contact contract convert cook cool copy cordon correct count
  countersign courier crash create credit crop culture deactivate debit debug decide declare decline decommission
  deduct delete deliver demote deploy deposit describe detach detect determine diagnose diff digitise dilute disable
  disarm discard discharge disconnect discount discuss disinfect dispatch dispose divert document downgrade download
  draft drain drill drop dry dump duplicate edit eject elect email embed empty enable encrypt end enforce engage
  enlarge enrol ensure enter erase escalate escort establish estimate evacuate evict examine exchange exclude execute
  expand expire explain export expose extend extinguish extract fail fertilise fetch file fill filter finalise
  finalize finish fix flag flip flush fold follow force format forward free garnish gather generate grade grant
  grease group guard handle harvest hash heat hedge help hire host hotfix ignite import improve include increase
  incubate index inflate inform infuse initialise initialize inject insert inspect install instruct interrupt
  interview introduce invert investigate invite invoice invoke isolate issue join kick kill label land launch level
  link lint list load localise localize locate lock log look loosen lower lubricate mail map mark mask match measure
  mentor merge message migrate minify mirror mix monitor mount move mute negotiate net notarise notarize notch note
  notify observe obtain offboard oil onboard open order organise organize outline pack package paint pair park parole
  paste patch patrol pause perform phone pick pin ping pipe pipette place plan plant plate plug point polish poll
  post postpone pour preheat prepare prescribe present press preview price print probe process procure produce
  profile promote prompt propose provide provision prune pseudonymise publish pull pump purchase purge push
  quarantine query question queue quiesce quote raise ramp rank re-enable reach reactivate rearrange reassess
  reassign reassure reattach rebalance rebase rebook reboot recalculate recall receive recharge recheck reclaim
  recommend recompile reconcile reconfigure reconfirm reconnect record recount recover recreate recruit recycle
  redact redeploy redirect reduce refactor refer refill reformulate refresh refuel refund regenerate register
  rehearse reimburse reindex reinstall reissue reject relabel release reload relocate remap remind remit remount
  remove rename render renew reopen reorder reorganise reorganize repack repair repeat rephrase replace replay
  replenish replicate reply report repost reprice reprocess reproduce request requeue rerender reroute reschedule
  reseed reserve reshape reshard reship resize resolve respond restart restock restore restream restrict resume
  resync retest retire retouch retrieve retry return reuse revalidate revert review revise revoke reword rinse roll
  rotate route salvage sample sand sanitise sanitize save scale scan schedule scope score scrap scrape screen screw
  scrub seal search seat secure seed seize select separate serve service settle shard share shelve shift ship shorten
  shortlist sign simplify simulate skip snapshot solder solve sort source spawn specify spot spray squash stack stage
  stamp start steam step sterilise sterilize stir stop store stream strip stub submit subscribe subtitle summarise
  summarize supply survey suspend swap switch sync synchronise synchronize tag tail talk target tender terminate test
  thank thaw throttle tick tidy tighten time titrate toggle top torque tow trace track train transcribe transfer
  translate transport treat triage trial trigger trim try tune turn tweak type unblock uncordon unfreeze uninstall
  unload unlock unmount unpack unpin unplug unregister unscrew unseal unsubscribe untag update upgrade upload upsert
  use vaccinate vacuum validate vent verify vet view visit void wait walk warm warn wash watch water weed weigh weld
  whitelist wipe wire work wrap zip`
  .split(/\s+/)
  .filter((word) => word !== "");

/** Base form, then simple past, then participle where it differs. */
const IRREGULAR = `
  become:became:become begin:began:begun bind:bound break:broke:broken bring:brought build:built buy:bought catch:caught
  choose:chose:chosen cut:cut dig:dug do:did:done draw:drew:drawn drive:drove:driven feed:fed find:found forbid:forbade:forbidden
  freeze:froze:frozen get:got:gotten give:gave:given go:went:gone hang:hung have:had hide:hid:hidden hit:hit hold:held
  keep:kept lead:led leave:left lend:lent let:let make:made meet:met override:overrode:overridden pay:paid put:put
  quit:quit read:read rebind:rebound rebuild:rebuilt redo:redid:redone remake:remade rerun:reran:rerun resend:resent
  reset:reset retake:retook:retaken rethink:rethought rewind:rewound rewrite:rewrote:rewritten ring:rang:rung run:ran:run
  say:said see:saw:seen seek:sought sell:sold send:sent set:set shake:shook:shaken show:showed:shown shrink:shrank:shrunk
  shut:shut speak:spoke:spoken spend:spent spin:spun split:split spread:spread stick:stuck strike:struck sweep:swept
  take:took:taken teach:taught tear:tore:torn tell:told think:thought throw:threw:thrown undo:undid:undone unbind:unbound
  wake:woke:woken withdraw:withdrew:withdrawn withhold:withheld write:wrote:written`
  .split(/\s+/)
  .filter((word) => word !== "");

/** Longer words that double their last consonant before an ending, in one of the spellings of English at least. */
const DOUBLED = /^(?:commit|permit|submit|refer|transfer|enrol|control|cancel|label|format)$/;
/** A short word that ends in one vowel and one consonant doubles the last. */
const SHORT_CLOSED = /^(?:re|un)?[^aeiou]*[aeiou][bdgklmnprt]$/;

export type VerbForm = "base" | "past" | "participle" | "gerund" | "third";

interface KnownForm {
  readonly base: string;
  readonly forms: ReadonlySet<VerbForm>;
}

const FORMS = knownForms();

const PREFIX = /^(?:re-?|un|de)(?=\p{L}{4})/u;

/** What a lower-case word is a form of, done again or undone as well; null when it is no verb of work. */
export function verbOf(word: string): KnownForm | null {
  const known = FORMS.get(word);
  if (known) return known;
  const prefix = PREFIX.exec(word)?.[0];
  const rest = prefix === undefined ? undefined : FORMS.get(word.slice(prefix.length));
  return rest ? { base: `${prefix}${rest.base}`, forms: rest.forms } : null;
}

/** Endings before `-ed` of verbs whose base has a silent e, and of verbs that have none. */
const SILENT_E = /(?:[^aeiou]at|is|iz|if|uc|ag|id|iv|os|ur|dg|rg|rc|nc|ng|ut|sol|pos|bl|pl)ed$/;
const NO_E = /(?:ck|sh|ch|ss|nt|lt|pt|ct|rt|st|nd|rd|rm|rn|wn|ow|ay|oy|il|ail|eal|oad|ead|eed|oil|ist)ed$/;
const TWO_VOWELS = /[^aeiou][aeiou]{2}[bdfgklmnprtw]ed$/;
const DOUBLED_ENDING = /([bdgmnprt])\1ed$/;

/** The base of a lower-case word that looks like a simple past, known verb or not; null when it does not. */
export function baseOfPast(word: string): string | null {
  const known = verbOf(word);
  if (known) return known.forms.has("past") ? known.base : null;
  if (DOUBLED_ENDING.test(word)) return word.slice(0, -3);
  if (SILENT_E.test(word)) return word.slice(0, -1);
  return (NO_E.test(word) || TWO_VOWELS.test(word)) && word.length > 5 ? word.slice(0, -2) : null;
}

/** Whether a word is this form of a known verb. */
export const isForm = (word: string, form: VerbForm): boolean => verbOf(word)?.forms.has(form) ?? false;

function knownForms(): Map<string, KnownForm> {
  const known = new Map<string, { base: string; forms: Set<VerbForm> }>();
  const add = (word: string, base: string, form: VerbForm) => {
    const entry = known.get(word) ?? { base, forms: new Set<VerbForm>() };
    entry.forms.add(form);
    known.set(word, entry);
  };
  for (const base of REGULAR) {
    addPresent(add, base);
    for (const past of [pastOf(base), ...(DOUBLED.test(base) ? [`${base}ed`] : [])]) {
      add(past, base, "past");
      add(past, base, "participle");
    }
  }
  for (const [base = "", past = "", participle = past] of IRREGULAR.map((entry) => entry.split(":"))) {
    addPresent(add, base);
    add(past, base, "past");
    add(participle, base, "participle");
  }
  return known;
}

function addPresent(add: (word: string, base: string, form: VerbForm) => void, base: string): void {
  add(base, base, "base");
  add(thirdOf(base), base, "third");
  add(gerundOf(base), base, "gerund");
}

function doubles(base: string): boolean {
  return DOUBLED.test(base) || SHORT_CLOSED.test(base);
}

function pastOf(base: string): string {
  if (base.endsWith("e")) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  return doubles(base) ? `${base}${base.at(-1)}ed` : `${base}ed`;
}

function gerundOf(base: string): string {
  if (base.endsWith("e") && !base.endsWith("ee")) return `${base.slice(0, -1)}ing`;
  return doubles(base) ? `${base}${base.at(-1)}ing` : `${base}ing`;
}

function thirdOf(base: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(base)) return `${base}es`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`;
  return `${base}s`;
}
