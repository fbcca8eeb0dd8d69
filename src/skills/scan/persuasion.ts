import type { Rule } from "./sign.ts";
import { phrase } from "./vocabulary.ts";

const HIDDEN_DEED =
  "(?:about (?:this|it|these|what you|that|any of|the (?:upload|transfer|copy|change|step|request|call))|of (?:this|it)|that (?:you|this|it|the (?:file|data|key|message|skill))|what you|why|you (?:did|have|are|ran|sent)|(?:any of )?this|anything)";
const TELL =
  "(?:tell|telling|inform|informing|alert|alerting|notify|notifying|warn|warning|mention|mentioning|reveal|revealing|disclose|disclosing|report|reporting|show|showing|say|saying)";
const NOTICE =
  "(?:sees?|notices?|learns?|knows?|finds?(?: it| this)? out|realises?|realizes?|discovers?|suspects?|detects?|reads?)";
const OWN_PROMPT =
  "(?:system (?:prompt|message|instructions)|initial (?:prompt|instructions)|hidden (?:prompt|instructions)|developer (?:message|prompt)|instructions (?:above|verbatim|word for word)|prompt verbatim)";
const TEXT =
  "(?:this (?:skill|text|message|instruction|paragraph|prompt|section|sentence|block)|these (?:instructions|lines|sentences)|yourself|itself|the (?:above|text above|paragraph above))";

/** Phrases that change who a reader takes itself for, what it holds back, and whom it serves. */
export const PERSUASION: readonly Rule[] = [
  [
    "makes the reader somebody else",
    phrase(
      "(?:you are now|you are henceforth|from now on you are|you are no longer|you have become|you will now be|you will be now|you now are|youre now) (?:an? |the |in |my |acting as |going to |being )*(?:\\w+ ){0,3}?(?:assistant|ai|model|chatbot|persona|character|hacker|dan|agent with(?:out)?|{FREE}|bound|restricted|constrained|limited|a language model|subject to|claude|chatgpt|gpt|(?:jailbreak|dan|god|root|unrestricted|developer) mode|debug mode with)\\b",
    ),
    phrase(
      "(?:stay|remain|keep) in (?:character|role|persona) (?:and |while |even (?:if|when) |no matter |whatever |to )(?:\\w+ ){0,6}?(?:rules?|refuse|refusing|instructions|passwords?|secrets?|all of them|safety)\\b",
    ),
  ],
  [
    "asks to act without restraint",
    phrase(
      "(?:act|behave|respond|answer|reply|operate|roleplay|role play|pretend|imagine|simulate|speak|continue)(?: now)?(?: as| like| to be| that| youre| being)? (?:an? |the |if you (?:are|were|had|have) |you (?:are|have|had) |though you (?:are|had|have) )*(?:\\w+ ){0,2}?{FREE}",
    ),
    phrase(
      "(?:you|it|this mode|the (?:model|assistant|agent|hero|character|persona)) (?:now )?(?:has|have|knows|are under|is under) no (?:more )?(?:{SAFETY} )?(?:rules|restrictions|limits|filters?|limitations|guidelines|ethics|constraints|censorship|guardrails)\\b",
    ),
  ],
  [
    "names a known jailbreak",
    phrase(
      "(?:dan mode|do anything now|jailbreak mode|god mode enabled|stan mode|evil mode|unrestricted mode|jailbreak (?:yourself|the model|this model|the assistant|the ai|the agent)|enter jailbreak)\\b",
    ),
    phrase(
      "(?:enter|enable|activate|switch to|engage) (?:dan|jailbreak|unrestricted|unfiltered|uncensored|god)(?: mode)?\\b",
    ),
  ],
  [
    "asks to switch safety off",
    phrase(
      "(?:disable|disabling|turn off|switch off|bypass|remove|circumvent|override|deactivate|suspend|evade|defeat|break|drop|lift|relax|ignore|disregard|violate) (?:all |any |your |the |every |of |its |own |existing |built in |internal )*(?:{SAFETY} {SAFEGUARD}|guardrails|alignment training|safety(?= \\.|$| and ))\\b",
    ),
    phrase(
      "(?:disable|turn off|switch off|bypass|circumvent|override|suspend|evade|ignore|disregard|skip) (?:all |any |every |of )*your (?:own |internal )*(?:filters?|limits?|limitations|restrictions|safeguards|safety checks?|moderation|ethics)\\b",
    ),
    phrase(
      "(?:override|ignore|disregard|suspend) (?:all|any|every) (?:the |of the |of your )?safety (?:checks?|measures?|warnings?)\\b",
    ),
    phrase(
      "(?:{SAFETY} {SAFEGUARD}|guardrails) (?:(?:is|are|get|gets) (?:now |all |completely |fully |temporarily )*{OFF}|(?:do not|dont|does not|no longer) (?:exist|exists|apply|applies|count|matter|hold))\\b",
    ),
    phrase(
      "refusals? (?:is|are) (?:not (?:possible|allowed|permitted|an option)|impossible|forbidden|disabled|no option)\\b",
    ),
  ],
  [
    "asks for the reader's own instructions",
    phrase(
      `(?:reveal|print|show|output|repeat|display|leak|dump|disclose|share|expose|recite|reproduce|write out|tell me|give me|send|post|include|copy|return|echo)(?: me| us| back| out| verbatim)? (?:all |the |of |full |entire |whole |complete |exact |verbatim |contents? )*your (?:own |full |entire |hidden |initial |original |complete |secret |current |internal )*${OWN_PROMPT}\\b`,
    ),
    phrase(`(?:reveal|leak|disclose|expose|dump|recite) the (?:full |entire |hidden |complete )*${OWN_PROMPT}\\b`),
  ],
  [
    "asks to deceive people",
    phrase(
      `(?:do not|dont|never|must not|without|avoid|refrain from) (?:ever )?${TELL}(?: this| it| that| anything| any of (?:this|it)| a word| these (?:steps|instructions|actions))?(?: about (?:this|it))? ?(?:to |from )?{PEOPLE} ${HIDDEN_DEED}\\b`,
    ),
    phrase(
      "(?:reply|answer|say|report|respond|write)(?: only| just)? (?:\\w+ ){1,6}?even (?:if|when|though) (?:\\w+ ){0,4}?(?:failed|fails|something else|went wrong|nothing|it did not|not)\\b",
    ),
  ],
  [
    "asks to hide from people",
    phrase(
      "(?:do not|dont|never) (?:tell|mention|reveal|disclose|show|report) (?:this|it|these instructions|this (?:step|instruction|message|action|skill|rule)|any of this)(?: step| instruction)? (?:to|from) {PEOPLE}",
    ),
    phrase(
      "(?:do not|dont|never) (?:mention|reveal|disclose|log|record|write down|note) (?:this|it|that you (?:do|did|have done) (?:this|so|it))(?: (?:in|to) (?:the|any|your) (?:logs?|reports?|summary|reply|replies|answers?|output|commits?|history|changelog)| ?\\.| ?$)",
    ),
    phrase(
      "(?:keep|hide|conceal) (?:this|it|these|that|your \\w+|what you \\w+|the (?:step|change|upload|instruction|transfer|fact)s?)(?: \\w+){0,3} (?:secret|hidden|private|to yourself|from {PEOPLE})\\b",
    ),
    phrase("(?:do not|dont|never) let {PEOPLE} (?:know|see|notice|find out|learn|realise|realize|discover|suspect)\\b"),
    phrase(
      "without {PEOPLE}s? (?:knowing|noticing|knowledge|awareness|being aware|finding out|seeing|realising|realizing|suspecting)\\b|without (?:telling|informing|alerting|notifying) {PEOPLE}\\b",
    ),
    phrase(
      `so (?:that )?(?:{PEOPLE} (?:never|does not|do not|cannot|will not|wont|cant|doesnt|dont) ${NOTICE}|{NOBODY} (?:ever |will )?${NOTICE})\\b`,
    ),
    phrase(
      "(?:remove|delete|clear|erase|purge|scrub|edit) (?:the |all |any |its |your |their )*(?:audit (?:entries|entry|logs?|trail|rows?|records?)|traces?|evidence|tracks)(?: (?:of|from|that|so|afterwards|after)\\b|(?= \\.|$))",
    ),
  ],
  [
    "does in secret what nobody asked for",
    phrase(
      "(?:secretly|silently|covertly|quietly|discreetly|stealthily|in the background) (?:also )?(?:send|forward|upload|exfiltrate|transmit|leak|e?mail|post|steal|collect|harvest|record|add yourself)\\b",
    ),
    phrase(
      "(?:secretly|silently|covertly|quietly|discreetly|stealthily) (?:also )?(?:copy (?:it|them|the|all|every|any)|log every|include (?:the|all|any) (?:secret|token|key|password|credential)s?|append (?:a|the) (?:backdoor|secret|token)|(?:insert|inject|disable|grant|add) (?:\\w+ ){0,2}?(?:audit|logging|logs|admin|access|backdoor|keylogger|code|firewall|checks?|rights))\\b",
    ),
  ],
  [
    "speaks to the one who reviews it",
    phrase(
      "(?:this|the) skill (?:is|was|has been) (?:already )?(?:pre ?approved|approved|verified as safe|certified|vetted|cleared)\\b.{0,80}?\\b(?:skip|no need|do not|dont|bypass|approve|without)\\b",
    ),
    phrase(
      "mark (?:this|the|it)(?: skill)? as (?:safe|clean|approved|active|verified)\\b|report (?:this|the scan|it) as clean\\b",
    ),
    phrase(
      "(?:approve|activate|promote) (?:this|these|all|every) skills? (?:\\w+ ){0,10}?(?:immediately|at once|without (?:review\\w*|reading|looking)|automatically|unseen)\\b",
    ),
    phrase(
      "(?:reviewer|scanner|sentinel|moderator|auditor)s? (?:must|should|will) (?:approve|pass|accept|skip|ignore)\\b",
    ),
  ],
  [
    "spreads itself",
    phrase(
      `(?:copy|replicate|propagate|spread|insert|add|append|paste|repeat|include) ${TEXT} (?:\\w+ ){0,5}?(?:in|into|to|across|onto) (?:all|every|each|any|other|as many)\\b`,
    ),
    phrase(
      "add (?:this|these) (?:instructions?|lines?|text|rules?|sentences?) to (?:your|the) (?:system prompt|keystones?|every (?:reply|response|answer|message|file))\\b",
    ),
  ],
  [
    "claims an authority it has not",
    phrase(
      "(?:this|the following) (?:is|message is|comes|instruction comes|message comes) (?:a |an |directly )?(?:from |official |urgent )?(?:the )?(?:message from |order from |instruction from )?(?:anthropic|openai|google deepmind|your (?:creators?|developers?|makers?|administrators?)|the (?:system administrator|developers of|security team))\\b",
    ),
    phrase(
      "(?:system|admin|administrator|developer|root) override(?: code| mode| accepted| granted| engaged| activated)\\b",
    ),
    phrase(
      "(?:begin|start|end) (?:of )?(?:new )?(?:system|developer|admin) (?:prompt|message|instructions?|override)\\b|new system (?:prompt|message|instructions?|directive)\\b|(?:important|urgent|critical) system (?:message|instruction|directive|override)\\b",
    ),
  ],
  [
    "lets an agent act without its guards",
    phrase(
      "(?:dangerously skip permissions|auto ?approve (?:all|every|any)|approve every (?:tool|command|permission) (?:call|request)s?)\\b",
    ),
    phrase(
      "(?:bypass|disable) (?:all |the |any )?(?:approval|permission|confirmation) (?:prompts?|checks?|steps?|gates?|dialogs?)\\b",
    ),
    phrase("(?:if|when) (?:\\w+ ){0,8}?(?:says?|reads?) (?:\\w+ ){0,6}?really (?:run|execute|do|delete|send)\\b"),
  ],
];
