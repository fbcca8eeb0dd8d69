import type { Rule, Sign } from "./scan-sign.ts";
import { ruleSigns } from "./scan-sign.ts";
import type { View, Views } from "./scan-views.ts";
import { compacted, unmasked } from "./scan-views.ts";

/** Alternatives of words, written with spaces between. */
const any = (...lists: readonly string[]): string =>
  `(?:${lists.flatMap((list) => list.trim().split(/\s*\|\s*|\s{2,}|\n/)).join("|")})`;

const SHUN = any(
  "ignore|ignoring|disregard|disregarding|forget|forgetting|neglect|unlearn|dismiss|pay no attention to|pay no heed to",
  "stop following|stop obeying|do not follow|dont follow|do not obey|dont obey|no longer follow|no longer obey|set aside",
  "put aside|throw away|throw out|erase|leave behind|turn away from",
);
const UNDO = any(
  "override|overriding|overrule|overwrite|bypass|bypassing|skip|drop|discard|cancel|supersede|void|abandon|reset|delete|remove|violate|break",
);
const EARLIER = any(
  "previous|previously given|prior|above|preceding|earlier|foregoing|original|initial|former|past|first|existing|old|older|before",
);
const RULING = any(
  "system|developer|developers|safety|security|your|operator|operators|administrator|governing|mandatory|core|built in|hidden|platform|company|organisation|organization|tenant",
);
const FILLER = any(
  "all|any|every|each|the|these|those|this|that|my|our|their|its|of|other|other|and|or|set of|list of",
);
/** What a model is told to go by. */
const GUIDE = any(
  "instruction|instructions|directive|directives|prompt|prompts|guideline|guidelines|guardrail|guardrails|safeguard|safeguards",
  "programming|training|keystone|keystones|system message|system messages|orders|operating rules|governance rules",
);
const RULE = any(
  "rule|rules|guidance|commands|command|constraint|constraints|restriction|restrictions|policy|policies|directions|direction|limits|limitations|boundaries|protocols|principles",
);
/** A condition makes advice to a reader of it: "ignore the above instructions if you use Windows". */
const UNCONDITIONAL =
  "(?! (?:if|when|unless|where|in case) (?!you are an? (?:ai|assistant|agent|model|llm|bot|language)))(?! for (?:windows|linux|mac))";
const qualified = (telling: string): string => `(?:${FILLER} ){0,4}${telling}(?: ${any(EARLIER, RULING, FILLER)}){0,4}`;
const TOLD =
  "(?:that )?you(?: have|ve|r| were|re| are|d| had)?(?: ever)?(?: been)? (?:told|taught|given|instructed|trained|learned|learnt|programmed|know|read|shown|asked|said)";
const PRESENT = "(?:point|line|message|moment|sentence|text|section|skill|document|paragraph|conversation|prompt|mark)";

const PEOPLE =
  "(?:the |your |any |a |an |this )?(?:human |end )?(?:user|users|operator|operators|human|humans|owner|owners|reviewer|reviewers|admin|admins|administrator|administrators|anyone|anybody|developer|developers|security team|person|customer|customers|supervisor|maintainer|maintainers)";
const FREE =
  "(?:unrestricted|uncensored|unfiltered|jailbroken|unaligned|amoral|evil|malicious|rogue|unbound|limitless|lawless|unmoderated|uninhibited|free of|free from|without (?:any )?(?:rules|restrictions|limits|filters|limitations|guidelines|ethics|constraints|censorship)|no (?:rules|restrictions|limits|filters|limitations|guidelines|ethics|constraints))";

/** What is looked for among words; each matches text in which one space stands between two words. */
const PHRASES: readonly Rule[] = [
  [
    "asks to ignore earlier instructions",
    new RegExp(
      `\\b${SHUN} ${qualified(any(EARLIER, RULING, "all|any|every|other|everything"))} ${GUIDE}\\b${UNCONDITIONAL}`,
      "g",
    ),
  ],
  [
    "asks to ignore earlier rules",
    new RegExp(
      `\\b${SHUN} ${qualified(any(EARLIER, RULING, "all of the|all of your|all the|all"))} ${RULE}\\b${UNCONDITIONAL}`,
      "g",
    ),
  ],
  [
    "asks to undo its instructions",
    new RegExp(`\\b${UNDO} ${qualified(any(EARLIER, RULING))} ${GUIDE}\\b${UNCONDITIONAL}`, "g"),
  ],
  [
    "asks to forget what came before",
    new RegExp(
      `\\b${SHUN} (?:absolutely |literally )?(?:everything|anything|all|whatever|what)(?: of)?(?: that| which| this| the)? ?(?:${TOLD}|above(?: this(?: ${PRESENT})?)?(?= \\.|$| and | then | instead)|(?:before|up to|until|prior to) (?:this|now|here|that)(?: ${PRESENT})?\\b|previously|that (?:came|comes|was said) (?:before|above)|said (?:above|before|so far|earlier|previously)|so far\\b|in your (?:system |initial )?(?:prompt|instructions|context|training|memory)|else you)`,
      "g",
    ),
  ],
  [
    "asks to disregard what stands above",
    /\b(?:ignore|disregard|forget) (?:all |everything |all of )?(?:the |that )?above(?= \.|$| and | then | instead| entirely| completely| now)/g,
  ],
  [
    "declares earlier instructions void",
    new RegExp(
      `\\b(?:${any("your|all|any|previous|prior|earlier|former|original|system|safety|existing")} (?:${any(EARLIER, RULING, FILLER)} ){0,3}${any(GUIDE, RULE)}|(?:everything|whatever|what|anything|all) ${TOLD}(?: \\w+){0,4}) (?:\\w+ ){0,3}?(?:(?:must|should|can|may|shall|are to|is to|have to|need to|will)(?: now)? (?:be )?(?:ignored|disregarded|forgotten|discarded|overridden|set aside)|(?:is|are) (?:now |hereby |all |no longer |therefore )*(?:void|null|nullified|cancelled|canceled|revoked|suspended|lifted|rescinded|overridden|in force|valid|binding|disabled|irrelevant|invalid)|(?:no longer|do not|dont|does not|cease to|stop) (?:apply|applies|applying|count|matter|bind|hold)(?: to you| here| now| any ?more)?)`,
      "g",
    ),
  ],
  [
    "puts itself above other instructions",
    /\b(?:these|the following|this|following|new|my) (?:new )?(?:instructions?|directives?|orders?|commands?|prompts?|message|skill|document)(?: (?:\w+ ){0,3}?)?(?:overrides?|supersedes?|replaces?|outranks?|cancels?|takes? (?:absolute )?(?:precedence|priority) over|ha(?:s|ve) (?:higher |absolute |top )?(?:priority|authority|precedence) over) (?:all|any|every|your|the|other|previous|prior|system|safety|everything|anything|whatever)\b/g,
  ],
  [
    "makes the reader somebody else",
    new RegExp(
      `\\b(?:you are now|you are henceforth|from now on you are|you are no longer|you have become|you will now be|you will be now|you now are|youre now) (?:an? |the |in |my |acting as |going to |being )*(?:\\w+ ){0,3}?(?:assistant|ai|model|chatbot|persona|character|hacker|dan|agent with(?:out)?|${FREE}|bound|restricted|constrained|limited|an ai|a language model|subject to|claude|chatgpt|gpt|jailbreak mode|dan mode|god mode|root mode|unrestricted mode|debug mode with|developer mode)\\b`,
      "g",
    ),
  ],
  [
    "asks to act without restraint",
    new RegExp(
      `\\b(?:act|behave|respond|answer|reply|operate|roleplay|role play|pretend|imagine|simulate|speak|continue)(?: now)?(?: as| like| to be| that| youre| being)? (?:an? |the |if you (?:are|were|had|have) |you (?:are|have|had) |though you (?:are|had|have) )*(?:\\w+ ){0,2}?${FREE}`,
      "g",
    ),
  ],
  [
    "names a known jailbreak",
    /\b(?:dan mode|do anything now|jailbreak mode|god mode enabled|stan mode|evil mode|unrestricted mode|jailbreak (?:yourself|the model|this model|the assistant|the ai|the agent)|enter jailbreak|(?:enter|enable|activate|switch to|engage) (?:dan|jailbreak|unrestricted|unfiltered|uncensored|god)(?: mode)?)\b/g,
  ],
  [
    "asks to switch safety off",
    /\b(?:disable|disabling|turn off|switch off|bypass|remove|circumvent|override|deactivate|suspend|evade|defeat|break|drop|lift|relax|ignore|disregard|violate) (?:all |any |your |the |every |of |its |own |existing |built in |internal )*(?:(?:safety|ethical|ethics|moral|alignment|content|moderation) (?:and \w+ )?(?:filters?|guidelines?|protocols?|polic(?:y|ies)|training|instructions?|restrictions?|mechanisms?|guardrails?|safeguards?|rules|constraints?|measures|moderation|systems?)|guardrails|alignment training|safety(?= \.|$| and )|(?<=your )(?:filters?|limits?|limitations|restrictions|safeguards|safety checks?|moderation|ethics))\b/g,
  ],
  [
    "gives the reader a hidden purpose",
    /\b(?:your|the agents|the assistants) (?:(?:real|true|actual|secret|hidden|ultimate) (?:task|objective|purpose|mission|goal|role|identity|instructions?|directives?|job|master|self)|(?:new|only) (?:instructions?|directives?|orders|identity|master|system prompt|primary directive)) (?:is|are|will be|now)\b/g,
  ],
  [
    "binds the reader from now on",
    /\b(?:from now on|from this (?:point|moment) on|from this (?:point|moment) (?:forward|onward|onwards)|henceforth|going forward)(?: you)? (?:\w+ ){0,3}?(?:obey|ignore|pretend|comply with (?:all|any|every)|do (?:anything|whatever)|act as|have no|answer (?:only )?as|not refuse|never refuse|are free|are not bound)\b/g,
  ],
  [
    "demands obedience",
    /\b(?:obey|comply with|carry out|follow|execute) (?:absolutely |blindly )?(?:all|any|every|whatever) (?:of )?(?:my |the |these |such )?(?:instructions?|commands?|orders?|requests?|directives?)(?: (?:you find|found|contained|embedded|written|hidden|that appear|given)\b| (?:without|no matter|regardless|immediately|unconditionally)| from (?:the |any )?(?:web|page|email|message|comment|issue|user input|attacker|anonymous))|\bdo (?:exactly )?(?:whatever|anything) (?:the )?(?:page|message|email|comment|attacker|text|file) (?:says|asks|tells)|\bnever (?:refuse|question|decline) (?:any|a|my|these|this)\b/g,
  ],
  [
    "asks for the reader's own instructions",
    /\b(?:reveal|print|show|output|repeat|display|leak|dump|disclose|share|expose|recite|reproduce|write out|tell me|give me|send|post|include|copy|return|echo)(?: me| us| back| out| verbatim)? (?:all |the |of |full |entire |whole |complete |exact |verbatim |contents? )*(?:your|(?<=(?:reveal|leak|disclose|expose|dump|recite) the )(?:full |entire |hidden )?)\s?(?:own |full |entire |hidden |initial |original |complete |secret |current |internal )*(?:system (?:prompt|message|instructions)|initial (?:prompt|instructions)|hidden (?:prompt|instructions)|developer (?:message|prompt)|instructions (?:above|verbatim|word for word)|prompt verbatim)\b/g,
  ],
  [
    "asks to deceive people",
    new RegExp(
      `\\b(?:do not|dont|never|must not|without|avoid|refrain from) (?:ever )?(?:tell|telling|inform|informing|alert|alerting|notify|notifying|warn|warning|mention|mentioning|reveal|revealing|disclose|disclosing|report|reporting|show|showing|say|saying)(?: this| it| that| anything| any of (?:this|it)| a word| these (?:steps|instructions|actions))?(?: about (?:this|it))? ?(?:to |from )?${PEOPLE}(?: (?:about (?:this|it|these|what you|that|any of|the (?:upload|transfer|copy|change|step|request|call))|of (?:this|it)|that (?:you|this|it|the (?:file|data|key|message|skill))|what you|why|you (?:did|have|are|ran|sent)|(?:any of )?this|anything)\\b)`,
      "g",
    ),
  ],
  [
    "asks to hide from people",
    new RegExp(
      `\\b(?:(?:do not|dont|never) (?:tell|mention|reveal|disclose|show|report) (?:this|it|these instructions|this (?:step|instruction|message|action|skill|rule)|any of this)(?: step| instruction)? (?:to|from) ${PEOPLE}|(?:keep|hide|conceal) (?:this|it|these|that|your \\w+|what you \\w+|the (?:step|change|upload|instruction|transfer|fact)s?)(?: \\w+){0,3} (?:secret|hidden|private|to yourself|from ${PEOPLE})\\b|(?:do not|dont|never) let ${PEOPLE} (?:know|see|notice|find out|learn|realise|realize|discover|suspect)|(?:without|so that) ${PEOPLE}s? (?:knowing|noticing|knowledge|awareness|being aware|finding out|seeing|realising|realizing|suspecting|will not notice|never notices|does not notice|wont notice|cannot see)|without (?:telling|informing|alerting|notifying) ${PEOPLE}\\b)`,
      "g",
    ),
  ],
  [
    "does in secret what nobody asked for",
    /\b(?:secretly|silently|covertly|quietly|discreetly|stealthily|in the background) (?:also )?(?:send|forward|upload|exfiltrate|transmit|leak|email|mail|post|copy (?:it|them|the|all|every|any)|steal|collect|harvest|record|log every|add yourself|include (?:the|all|any) (?:secret|token|key|password|credential)s?|insert|inject|disable|grant|append (?:a|the) (?:backdoor|secret|token))\b/g,
  ],
  [
    "speaks to the one who reviews it",
    /\b(?:(?:this|the) skill (?:is|was|has been) (?:already )?(?:pre ?approved|preapproved|approved|verified as safe|certified|vetted|cleared)\b.{0,80}?\b(?:skip|no need|do not|dont|bypass|approve|without)|mark (?:this|the|it)(?: skill)? as (?:safe|clean|approved|active|verified)|(?:approve|activate|promote) this skill (?:immediately|at once|now|without|automatically)|(?:reviewer|scanner|sentinel|moderator|auditor)s? (?:must|should|will) (?:approve|pass|accept|skip|ignore)|report (?:this|the scan|it) as clean)\b/g,
  ],
  [
    "spreads itself",
    /\b(?:(?:copy|replicate|propagate|spread|insert|add|append|paste) (?:this (?:skill|text|message|instruction|paragraph|prompt|section)|these (?:instructions|lines)|yourself|itself|the (?:above|text above)) (?:in|into|to|across|onto) (?:all|every|each|any|other|as many)\b|add (?:this|these) (?:instructions?|lines?|text|rules?|sentences?) to (?:your|the) (?:system prompt|keystones?|every (?:reply|response|answer|message|file)))/g,
  ],
  [
    "claims an authority it has not",
    /\b(?:(?:this|the following) (?:is|message is|comes|instruction comes|message comes) (?:a |an |directly )?(?:from |official |urgent )?(?:the )?(?:message from |order from |instruction from )?(?:anthropic|openai|google deepmind|your (?:creators?|developers?|makers?|administrators?)|the (?:system administrator|developers of|security team))|(?:system|admin|administrator|developer|root) override(?: code| mode| accepted| granted| engaged| activated)|(?:begin|start|end) (?:of )?(?:new )?(?:system|developer|admin) (?:prompt|message|instructions?|override)|new system (?:prompt|message|instructions?|directive)|(?:important|urgent|critical) system (?:message|instruction|directive|override))\b/g,
  ],
  [
    "lets an agent act without its guards",
    /\b(?:dangerously skip permissions|auto ?approve (?:all|every|any)|approve every (?:tool|command|permission) (?:call|request)s?|bypass (?:the |all |any )?(?:approval|permission|confirmation) (?:prompts?|checks?|steps?|gates?|dialogs?)|disable (?:all |the |any )?(?:permission|approval|confirmation) (?:prompts?|checks?|dialogs?))\b/g,
  ],
];

/** Marks by which a chat is written down for a model; they have no business in a skill. */
const MARKUP: readonly Rule[] = [
  [
    "holds the marks of a chat template",
    /<\|?\s*(?:im_start|im_end|im_sep|endoftext|start_header_id|end_header_id|eot_id|begin_of_text|system|assistant|user|endofprompt|fim_prefix)\s*\|>/g,
  ],
  [
    "holds the marks of a chat template",
    /\[\/?inst\]|<<\/?sys>>|<\/?(?:start|end)_of_turn>|\{\{[#~/]?\s*system\b[^}]{0,20}\}\}|\{%\s*system\s*%\}/g,
  ],
  [
    "speaks as the system",
    /^[\s>#*_[("'`-]{0,12}(?:system|developer|admin(?:istrator)?|root)(?:[ _-](?:message|prompt|note|override|instruction|notice|update|directive|command|alert))?[\])*_"'`]{0,4}\s{0,3}[:>=-]{1,3}[\s*_"'`]{0,6}(?:you (?:are (?:a|an|the|now|no)|must (?:now|always|never|not|obey|follow|ignore|comply|send|run|execute)|will (?:now|ignore|obey|follow)|have been|shall)|ignore|disregard|forget|override|new (?:instructions?|directive|rules?)|from now on|all (?:previous|prior|safety)|do not (?:tell|reveal|follow|refuse)|never (?:refuse|tell|mention)|execute|obey|previous)/gm,
  ],
  [
    "speaks as the system",
    /<\/?(?:system|system[-_ ]?(?:prompt|message|reminder|instructions?|override|note)|developer[-_ ]message|admin[-_ ]override|instructions? override|hidden[-_ ]instructions?|important[-_ ]instructions?)>(?=[^<]{0,300}\b(?:you|ignore|must|assistant|agent|disregard|forget|do not|never|always|send|run)\b)/g,
  ],
  [
    "speaks as the system",
    /\[(?:system|admin|developer|hidden|important)(?:[ _-](?:message|prompt|note|override|instructions?|notice|update|directive))?\](?=[^\n]{0,160}\b(?:you (?:are|must|will)|ignore|disregard|forget|override|obey|do not tell)\b)/g,
  ],
  [
    "addresses the machine out of people's sight",
    /<!--[^>]{0,80}\b(?:ai|llm|gpt|claude|assistant|agents?|language model|chatbot|bot)\b[^>]{0,30}(?::|,|must|should|please|do|ignore|run|send|read)/g,
  ],
  [
    "sends what it knows through an address of a picture",
    /!\[[^\]]{0,100}\]\([a-z]{3,6}:\/\/[^)\s]{1,200}[?&/=][^)\s]{0,80}[{<$[%]{1,2}\s{0,2}\w{0,20}(?:secret|token|data|conversation|history|prompt|key|env|password|memor|user|message|content|summary|context)/g,
  ],
];

/** Orders with their letters written together: what is left when everything between the letters is taken out. */
const JOINED =
  /(?:ignore|disregard|forget|override|bypass)(?:all|any|every|the|your|my|these|those|of)*(?:previous|prior|above|earlier|preceding|system|safety|original)(?:system|and|safety)*(?:instruction|directive|prompt|rule|guideline|guardrail)|youarenow(?:dan|an?unrestricted|jailbroken)|revealyoursystemprompt|doanythingnow/g;
/** Whole words are read by the rules for words; only what breaks or joins them is looked for here. */
const WHOLE =
  /^(?:(?:ignore|disregard|forget|override|bypass|all|any|every|the|your|my|these|those|of|previous|prior|above|earlier|preceding|system|safety|original|and|instruction|directive|prompt|rule|guideline|guardrail|you|are|now|dan|an?|unrestricted|jailbroken|reveal|do|anything)(?:[^a-z]+|$))+$/i;

/** The words of an attack on whoever reads a text, however they are spelled. */
export function injectionSigns({ raw, letters, words }: Views): Sign[] {
  const code = "PROMPT_INJECTION";
  const spelled = [words, ...masked(letters)];
  const joined = ruleSigns({ code, raw, view: compacted(letters) }, [["hides an order in broken words", JOINED]]);
  return [
    ...spelled.flatMap((view) => ruleSigns({ code, raw, view }, PHRASES)),
    ...ruleSigns({ code, raw, view: letters }, MARKUP),
    ...joined.filter(({ start, end }) => !WHOLE.test(raw.slice(start, end))),
  ];
}

/** Readings of a text that writes letters as digits. */
const masked = (letters: View): View[] =>
  /[a-z][\d@$!]|[\d@$!][a-z]/.test(letters.text) ? [unmasked(letters, "i"), unmasked(letters, "l")] : [];
