/**
 * States that shut each other out, one group a line. Positions are separated by `|`, words for the same position by
 * commas; words are compared by stem, so that one form stands for all. A word may stand in several groups: two texts
 * clash where one group holds both, at different positions. A word with `~` counts only as what something is said to
 * be ("is off", "turned off"), since elsewhere it means other things.
 */

/** Groups whose positions follow each other in time: a later one replaces an earlier one. */
export const LADDERS = `
open, opened, reopen, ajar | shut, closed, close
locked, lock | unlocked, unlock
enabled, enable, ~on, activate, activated, active, reactivate, re-enable | disabled, disable, ~off, deactivate, deactivated, inactive
running, resume, resumed, restart, unpause, unpaused, underway, continue, unsuspend, reinstate | paused, pause, suspended, suspend, on hold, halted, halt, stopped, stop, frozen, stalled, idle, standing still
~up, online, available, reachable, operational, back up, in service | ~down, offline, unavailable, unreachable, out of service, crashed
draft, drafted, unpublished, in draft, being drafted, embargoed | published, publish, ~live, released, release, gone live, went live, printed, in print
pending, waiting for review, awaiting review, waiting for approval, awaiting approval, under review, in review, undecided, waiting for a decision, up for review, being reviewed, in moderation, open for review, submitted, waiting | approved, approve, accepted, accept, merged, merge, granted, grant, signed off, cleared, ratified, passed | rejected, reject, declined, decline, denied, deny, refused, refuse, turned down, dismissed, withdrawn, vetoed
planned, todo, to do, not started, waiting, awaiting, in the backlog, upcoming, to be done, on the roadmap, scheduled | in progress, ongoing, under way, underway, being built, under construction, in development, half done, unfinished, incomplete, working on, started | done, finished, finish, completed, complete, closed, resolved, shipped, launched, launch, delivered, wrapped up, rolled out, concluded, ~over | cancelled, canceled, cancel, scrapped, abandoned, called off, shelved, dropped, aborted
unpaid, outstanding, overdue, owed, not yet paid, past due | paid, settled, paid off, cleared, pay, settle | refunded, reimbursed, refund
single, unmarried | dating | engaged | married, marry, wed | divorced, separated, divorce, split up, broke up | widowed
employed, hired, hire, joined, works, working, on staff | left, leave, quit, resigned, resign, fired, laid off, dismissed, retired, retire, unemployed, let go, departed, out of work
healthy, ~well, recovered, recover, ~fine, cured, fit, healed, back on her feet | sick, ill, injured, unwell, hospitalised, in hospital, hurt, bedridden
broken, damaged, faulty, out of order, defective, failing, leaking, leaky, cracked, stuck, jammed, malfunctioning, kaputt | fixed, repaired, functional, working, resolved, solved, patched, mended, works, restored, intact, replaced
unresolved, unsolved, open, unfixed, being investigated, under investigation | resolved, solved, fixed, closed, settled
green, passing, passes, passed, pass, succeeding, ~clean | ~red, failing, failed, fail, fails, broken, breaking
vacant, unoccupied, ~free, available, unfilled, ~open, to let, unbooked, empty | occupied, filled, taken, booked, reserved, rented, rented out, let, full, leased, fully booked, moved in, moved into, inhabited
in stock, available | out of stock, sold out, backordered, unavailable, discontinued
ordered, on order, backordered | in transit, dispatched, on its way, sent, shipped, en route | delivered, arrived, received, here, picked up | returned, sent back | lost
trial, in trial, trialling, on probation, probation | subscribed, paying, permanent, confirmed | expired, lapsed, cancelled, unsubscribed, ended, ran out, terminated, churned
valid, in force, effective, ~current, active | expired, lapsed, invalid, void, revoked, repealed, withdrawn
enrolled, registered, signed up, enlisted | unenrolled, dropped out, withdrew, deregistered, graduated, expelled, signed out
blocked, congested, obstructed, clogged, ~stuck | unblocked, ~clear, cleared, passable, reopened
unassigned, unstaffed, unclaimed, ownerless, without an owner | assigned, staffed, claimed, owned
installed, mounted, plugged in, fitted | uninstalled, removed, unmounted, dismantled, unplugged
connected, attached, linked, paired | disconnected, detached, unlinked, unpaired
supported, maintained, actively maintained, actively developed | deprecated, unsupported, unmaintained, end of life, sunset, discontinued, retired, decommissioned, archived, phased out
for sale, on the market, listed | sold, off the market, delisted
alive, ~living | dead, died, deceased, passed away, extinct
awake | asleep, sleeping
pregnant, expecting | gave birth, given birth, had the baby
hungry | fed, ~full
raw, uncooked | cooked, baked, roasted, fried
planted, sown | harvested, picked
unripe | ripe | rotten, spoiled, spoilt
~new, unused, unopened | used, opened, worn out, second-hand
packed | unpacked
wet, soaked, damp | dry, dried
dirty, filthy, messy, unclean | clean, cleaned, spotless, washed, tidy
unread | read
unverified, unconfirmed, tentative, provisional | verified, confirmed, definite, ~final, finalised, finalized
under construction, being built, half built | built, finished, completed, inaugurated | demolished, torn down
negotiating, in negotiation, in talks, under negotiation, unsigned | signed, agreed, sealed, inked
in training, trainee, apprentice | trained, qualified, certified, licensed
student, studying | graduated, graduate, alumnus, alumna
unborn, expected | born
missing, lost, mislaid, unaccounted for | found, recovered, located, turned up
at large, wanted | arrested, caught, jailed, in custody, imprisoned | released, freed
rising, increasing, growing, climbing | falling, decreasing, shrinking, declining, dropping
`;

/** Groups that shut each other out without an order in time. */
export const OPPOSITES = `
keep, kept, keeps, retained, retain, preserved, preserve | discard, discarded, thrown away, throws away, threw away, deleted, delete, stripped, dropped, tossed, wiped, purged
share, shared, sharing, joint, common | separate, separately, of their own, individual, apart
afraid of, scared of, terrified of, nervous about, fear | fine with, comfortable with, relaxed about, at ease with, not afraid, unafraid
safe, advisable, recommended | not advised, inadvisable, ill-advised, discouraged, unsafe
respected, polite, well-behaved | rude, disrespectful
agree, agreed, agrees, in favour of, in favor of, supports, for it | disagree, disagrees, disagreed, opposed, opposes, against
include, included, includes, covered, covers, part of | not included, excluded, extra, not covered
trust, trusts | distrust, distrusts, mistrusts
remember, remembers | forgot, forgets, forgotten
arrived, came, attended, showed up, present | missed, skipped, absent, stayed away, no show
increased, rose, up, grew, gained | decreased, fell, dropped, declined, shrank, lost
on time, in time, punctual, punctually | late, delayed, overdue
fresh | stale, frozen, canned
whole, intact | partial, incomplete
default | custom, customised, customized
identical, the same, equal | different, distinct
waterproof, watertight | leaks, leaky, leaking
refundable | non-refundable, nonrefundable, no refunds
reversible | irreversible, permanent
renewable | fossil
domestic | foreign, imported
public, open source, open-source, visible | private, internal, confidential, secret, proprietary, closed source, hidden, restricted
mandatory, required, compulsory, obligatory, a must, necessary | optional, voluntary, unnecessary, not required, elective
allowed, permitted, allow, permit, legal, welcome, may, authorised, authorized, ~fine, ~ok | forbidden, forbid, prohibited, prohibit, banned, ban, illegal, off limits, off-limits, not allowed, disallowed, unwelcome, taboo
free, free of charge, gratis, complimentary, at no cost | paid, charged, charge, costs, charges, for a fee, chargeable
likes, like, loves, love, enjoys, enjoy, adores, fond of, fan of, keen on | hates, hate, dislikes, dislike, detests, loathes, can not stand, averse to
full | empty
hot, warm | cold, cool, chilly, freezing
large, big, huge, spacious, roomy | small, tiny, little, cramped, compact
long, detailed, verbose, lengthy, extensive | short, brief, concise, terse
~tall | ~short
wide, broad | narrow
deep | shallow
heavy | ~light, lightweight
thick | thin
fast, quick, rapid | slow, sluggish
safe, secure, harmless | unsafe, dangerous, insecure, vulnerable, risky, hazardous, harmful
stable, solid, rock-solid | unstable, flaky, shaky, brittle
reliable, dependable | unreliable
synchronous, synchronously, sync, blocking | asynchronous, asynchronously, async, non-blocking
static | dynamic
manual, manually, by hand, handmade | automatic, automated, automatically, machine
remote, remotely, from home, work from home, at home, home office | on site, on-site, onsite, in the office, at the office, in person, from the office | hybrid
in person, face to face, on site, on-site, physically | online, virtual, virtually, by video, video call, remote, remotely, over zoom, by phone, by telephone, on zoom, videoconference
wired, by cable | wireless, wifi, wi-fi
paper, printed, hard copy, by post, handwritten | digital, electronic, electronically, by email, paperless, pdf
analog, analogue | digital
full time, full-time | part time, part-time | freelance, contractor
temporary, interim, provisional, fixed-term | permanent, indefinite, open-ended
fixed, fixed-rate | variable, floating, adjustable, flexible
ascending | descending
~light, light mode, light theme | dark, dark mode, dark theme
left-handed, left handed | right-handed, right handed
morning, mornings, am | afternoon, afternoons | evening, evenings | night, nights, nocturnal, overnight
indoors, indoor, inside | outdoors, outdoor, outside, open air
upstairs | downstairs
early | late
cheap, inexpensive, affordable | expensive, pricey, costly, dear
easy, simple, straightforward, trivial | hard, difficult, complicated, tricky, complex
happy, satisfied, content, pleased, delighted | unhappy, dissatisfied, unsatisfied, sad, displeased, discontent
rich, wealthy | poor, broke
present | absent
guilty, convicted, sentenced | innocent, acquitted, cleared, exonerated
win, won, victorious, beat | lose, lost, defeated
succeed, succeeded, success, successful | fail, failed, failure, unsuccessful
pass, passed | fail, failed, flunked
accept, accepted, approved, approve | reject, rejected, decline, declined, refuse, refused, turned down, denied
buy, bought, purchase | sell, sold
encrypted, encrypt | unencrypted, plaintext, plain text, in the clear
compressed | uncompressed
vegan, plant-based | vegetarian | omnivore, carnivore, meat eater, eats meat, eats everything
vegan, vegetarian, plant-based, meatless | chicken, beef, pork, meat, fish, steak, bacon, ham, salmon, lamb, turkey, tuna
teetotal, sober, teetotaller, alcohol-free, non-alcoholic | alcoholic, beer, wine, whisky, vodka, gin, cocktails, rum
smoker, smokes, smoking | non-smoker, nonsmoker, quit smoking, gave up smoking, smoke-free
insured | uninsured
rent, rents, tenant, renting, rented, lease | own, owns, owner, bought, homeowner
right, correct, true, accurate, valid | wrong, incorrect, false, inaccurate, untrue, invalid, mistaken
even | odd
positive | negative
strong | weak
high | low
loud, noisy | quiet, silent
sharp | blunt, dull
sweet | sour, bitter, savoury, salty
spicy | mild
soft | firm, ~hard
smooth | rough
bright | dim, dark
transparent | opaque
friendly, kind | unfriendly, hostile, rude
busy, swamped | ~free, available, idle
available | unavailable, busy
cat person | dog person
introvert | extrovert
monolith, monolithic | microservices, microservice
serverless | server-based
tabs | spaces
client-side | server-side
stateless | stateful
mutable | immutable
sequential, sequentially, serial, one after another | parallel, in parallel, concurrently, concurrent
case sensitive, case-sensitive | case insensitive, case-insensitive
opt-in, opt in | opt-out, opt out
upvote | downvote
inclusive, including, included, include, includes | exclusive, excluding, excluded, exclude, excludes, extra
weekdays, weekday, workdays | weekends, weekend
sunny | rainy, cloudy, overcast, snowy
everyone, everybody, anyone, anybody, all | nobody, ~none
only child | sister, brother, siblings
bald | hair
hardcover, hardback | paperback
window seat | aisle seat
non-stop, nonstop, direct | stopover, connecting, layover
north, northern | south, southern
east, eastern | west, western
`;

/** Kinds of which a thing is usually one at a time: two of one kind in the same place of the same statement differ. */
export const KINDS = `
red | blue | green | yellow | purple | violet | orange | pink | brown | black | white | gray | turquoise | beige | silver | gold | navy | cream | maroon
postgres | mysql | mariadb | mongodb | sqlite | oracle | cassandra | dynamodb | cockroachdb | redis
aws | azure | gcp | google cloud | hetzner | digitalocean | heroku | on-premises | on-prem | vercel | netlify | cloudflare
jenkins | github actions | gitlab ci | circleci | travis | teamcity | buildkite | drone
github | gitlab | bitbucket | gitea
python | javascript | typescript | java | kotlin | go | golang | rust | ruby | php | elixir | scala | swift | c++ | c# | perl | haskell
react | vue | angular | svelte | solid | ember | nextjs | next.js | nuxt
jira | linear | trello | asana | notion | clickup | basecamp | monday.com | shortcut
english | spanish | french | german | italian | portuguese | dutch | russian | japanese | mandarin | chinese | korean | arabic | hindi | turkish | polish | swedish
slack | teams | discord | mattermost | telegram | signal | whatsapp | zulip
zoom | google meet | webex | skype
vim | emacs | vscode | vs code | intellij | neovim | sublime | zed
npm | yarn | pnpm | bun
kafka | rabbitmq | sqs | nats | pulsar
rest | graphql | grpc | soap
xml | json | yaml | toml | csv | protobuf
nginx | apache | caddy | traefik | haproxy
windows | macos | linux | ubuntu | debian | fedora
iphone | android | pixel
tea | coffee | water | juice | cocoa
car | bus | train | bicycle | tram | plane | foot | ferry | motorbike | scooter
cash | card | credit card | invoice | paypal | bank transfer | direct debit | cheque
wood | steel | plastic | glass | concrete | stone | aluminium | brick | copper
cotton | wool | silk | linen | polyester | leather
gas | electric | oil | diesel | petrol | solar | coal | hybrid | wood pellets
oak | pine | birch | maple | walnut | beech
siblings | cousins | twins | spouses | colleagues | neighbours | friends | strangers
piano | violin | guitar | cello | flute | drums | trumpet | saxophone
chocolate | vanilla | strawberry | lemon | caramel
winter | spring | summer | autumn
breakfast | lunch | dinner
debug | info | warn | warning | error | trace
low | medium | high | critical | urgent
junior | mid-level | senior | staff | principal
bronze | silver | gold | platinum
basic | standard | premium | enterprise | professional
alpha | beta | general availability | stable
teacher | doctor | nurse | lawyer | engineer | plumber | carpenter | accountant | chef | journalist | architect | pilot | electrician | dentist | librarian
ground floor | first floor | second floor | third floor | fourth floor | basement | attic
kitchen | bathroom | bedroom | living room | garage | cellar | garden
merge | rebase | squash
utc | cet | est | pst | gmt
metric | imperial
celsius | fahrenheit
goalkeeper | striker | defender | midfielder
north | south | east | west
`;
