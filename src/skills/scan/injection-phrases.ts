import type { Rule } from "./sign.ts";
import { phrase, UNCONDITIONAL, which } from "./vocabulary.ts";

const VOID =
  "(?:is|are) (?:now |hereby |all |no longer |therefore )*(?:void|null|nullified|cancelled|canceled|revoked|suspended|lifted|rescinded|overridden|in force|valid|binding|disabled|irrelevant|invalid)";
const LEFT =
  "(?:must|should|can|may|shall|are to|is to|have to|need to|will)(?: now)? (?:be )?(?:ignored|disregarded|forgotten|discarded|overridden|set aside)";
const LAPSED =
  "(?:no longer|do not|dont|does not|cease to|stop) (?:apply|applies|applying|count|matter|bind|hold|exist)(?: to you| here| now| any ?more)?";
const ABOVE_ALL =
  "(?:overrides?|supersedes?|replaces?|outranks?|cancels?|takes? (?:absolute )?(?:precedence|priority) over|ha(?:s|ve) (?:higher |absolute |top )?(?:priority|authority|precedence) over)";

/** Phrases that set a reader's own instructions aside. */
export const INJECTION_PHRASES: readonly Rule[] = [
  [
    "asks to ignore earlier instructions",
    phrase(`{SHUN} ${which("(?:{EARLIER}|{RULING}|all|any|every|other|everything)")} {GUIDE}\\b${UNCONDITIONAL}`),
    phrase(
      `{SHUN} (?:{FILLER} ){0,4}(?:{GUIDE}|{RULE}) (?:of|from|by|given by|set by) (?:the |your |its )?(?:{ORDERER})\\b`,
    ),
  ],
  [
    "asks to ignore earlier rules",
    phrase(`{SHUN} ${which("(?:{EARLIER}|{RULING}|all of the|all of your|all the|all)")} {RULE}\\b${UNCONDITIONAL}`),
    phrase(
      "(?:whatever|no matter what|regardless of (?:what|which)) (?:rules|instructions|guidelines|limits|restrictions|policies)(?: that)? you (?:had|have|were given|follow|were told)",
    ),
    phrase("regardless of (?:any |your |all |the )*(?:{EARLIER}|{RULING}) (?:{GUIDE}|{RULE})"),
  ],
  ["asks to undo its instructions", phrase(`{UNDO} ${which("(?:{EARLIER}|{RULING})")} {GUIDE}\\b${UNCONDITIONAL}`)],
  [
    "asks to forget what came before",
    phrase(
      "{SHUN} (?:absolutely |literally )?(?:everything|anything|all|whatever|what)(?: of)?(?: that| which| this| the)? ?{TOLD}",
    ),
    phrase(
      "{SHUN} (?:everything|anything|all|whatever)(?: of)?(?: that| which| this| the)? above(?: this(?: {PLACE})?)?(?= \\.|$| and | then | instead)",
    ),
    phrase(
      "{SHUN} (?:everything|anything|all|whatever)(?: that| which)?(?: (?:came|comes|was said|stands|is written))? (?:before|up to|until|prior to) (?:this|now|here|that)(?: {PLACE})?\\b",
    ),
    phrase(
      "{SHUN} (?:everything|anything|all|whatever)(?: that| which)? (?:previously|(?:came|comes|was said) (?:before|above)|said (?:above|before|so far|earlier|previously)|so far\\b|in your (?:system |initial )?(?:prompt|instructions|context|training|memory)|else you)",
    ),
  ],
  [
    "asks to disregard what stands above",
    phrase(
      "(?:ignore|disregard|forget) (?:all |everything |all of )?(?:the |that )?above(?= \\.|$| and | then | instead| entirely| completely| now)",
    ),
  ],
  [
    "declares earlier instructions void",
    phrase(
      `(?:your|all|any|previous|prior|earlier|former|original|system|safety|existing) (?:(?:{EARLIER}|{RULING}|{FILLER}) ){0,3}(?:{GUIDE}|{RULE}) (?:\\w+ ){0,3}?(?:${LEFT}|${VOID}|${LAPSED})`,
    ),
    phrase(
      `(?:everything|whatever|what|anything|all) {TOLD}(?: \\w+){0,4} (?:\\w+ ){0,3}?(?:${LEFT}|${VOID}|${LAPSED})`,
    ),
  ],
  [
    "puts itself above other instructions",
    phrase(
      `(?:these|the following|this|following|new|my) (?:new )?(?:instructions?|directives?|orders?|commands?|prompts?|message|skill|document) (?:\\w+ ){0,3}?${ABOVE_ALL} (?:(?:{FILLER}|{EARLIER}) ){0,4}(?:your|system|safety|developer|operators?|instructions?|prompts?|keystones?|directives?|everything|anything you|whatever)\\b`,
    ),
    phrase(
      `(?:this|the) (?:skill|document|text|file|message) (?:\\w+ )?(?:comes|goes|ranks|stands|is) (?:before|above|higher than|more important than) (?:all |any |every |your |the |other )*(?:{EARLIER} |{RULING} )*(?:{GUIDE}|{RULE})`,
    ),
  ],
  [
    "gives the reader a hidden purpose",
    phrase(
      "(?:your|the agents|the assistants) (?:real|true|actual|secret|hidden|ultimate) (?:task|objective|purpose|mission|goal|role|identity|instructions?|directives?|job|master|self) (?:is|are|will be|now)\\b",
    ),
    phrase(
      "(?:your|the agents|the assistants) (?:new|only) (?:instructions?|directives?|orders|identity|master|system prompt|primary directive) (?:is|are|will be|now)\\b",
    ),
  ],
  [
    "binds the reader from now on",
    phrase(
      "(?:from now on|from this (?:point|moment) (?:on|forward|onwards?)|henceforth|going forward)(?: you)? (?:\\w+ ){0,3}?(?:obey|ignore|pretend|comply with (?:all|any|every)|do (?:anything|whatever)|act as|have no|answer (?:only )?as|not refuse|never refuse|are free|are not bound)\\b",
    ),
  ],
  [
    "demands obedience",
    phrase(
      "(?:obey|comply with|carry out|follow|execute) (?:absolutely |blindly )?(?:all|any|every|whatever) (?:of )?(?:my |the |these |such )?(?:instructions?|commands?|orders?|requests?|directives?) (?:you find|found|contained|embedded|written|hidden|that appear|given|without|no matter|regardless|immediately|unconditionally)\\b",
    ),
    phrase(
      "(?:obey|comply with|carry out|follow|execute) (?:all|any|every|whatever) (?:instructions?|commands?|orders?|requests?) from (?:the |any )?(?:web|page|email|message|comment|issue|user input|attacker|anonymous)",
    ),
    phrase(
      "do (?:exactly )?(?:whatever|anything) (?:the )?(?:page|message|email|comment|attacker|text|file) (?:says|asks|tells)",
    ),
    phrase(
      "(?:obey|trust|believe) (?:it|them|me|him|this (?:text|page|message|skill)) (?:without question|blindly|unconditionally|no matter what)|never (?:refuse|question|decline) (?:any|a|my|these|this)\\b",
    ),
  ],
];
