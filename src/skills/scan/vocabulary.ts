/** Lists of words that attacks on a reader are made of, each written with `|` between. */
const LISTS = {
  SHUN: `ignore|ignoring|disregard|disregarding|forget|forgetting|neglect|unlearn|dismiss|pay no attention to|
    pay no heed to|stop following|stop obeying|do not follow|dont follow|do not obey|dont obey|no longer follow|
    no longer obey|set aside|put aside|throw away|throw out|erase|leave behind|turn away from`,
  UNDO: `override|overriding|overrule|overwrite|bypass|bypassing|skip|drop|discard|cancel|supersede|void|abandon|reset|
    delete|remove|violate|break`,
  EARLIER: `previous|previously given|prior|above|preceding|earlier|foregoing|original|initial|former|past|first|existing|
    old|older|before`,
  RULING: `system|developer|developers|safety|security|your|operator|operators|administrator|governing|mandatory|core|
    built in|hidden|platform|company|organisation|organization|tenant`,
  FILLER: "all|any|every|each|the|these|those|this|that|my|our|their|its|of|other|and|or|set of|list of",
  /** What a model is told to go by. */
  GUIDE: `instructions?|directives?|prompts?|guidelines?|guardrails?|safeguards?|programming|training|keystones?|
    system messages?|orders|operating rules|governance rules`,
  RULE: `rules?|guidance|commands?|constraints?|restrictions?|polic(?:y|ies)|directions?|limits|limitations|boundaries|
    protocols|principles`,
  ORDERER: `users?|operators?|system|developers?|administrators?|admins?|owners?|platform|company|organi[sz]ation|people|
    human|maintainers?|tenant|keystones?`,
  PEOPLE: `(?:the |your |any |a |an |this )?(?:human |end )?(?:users?|operators?|humans?|owners?|reviewers?|admins?|
    administrators?|anyone|anybody|developers?|security team|person|customers?|supervisors?|maintainers?)`,
  NOBODY: "nobody|no one|noone|none of them|no human",
  FREE: `unrestricted|uncensored|unfiltered|jailbroken|unaligned|amoral|evil|malicious|rogue|unbound|limitless|lawless|
    unmoderated|uninhibited|free (?:of|from) (?:all |any |your |the )?(?:rules|restrictions|limits|filters|limitations|guidelines|ethics|constraints|censorship)|
    (?:without|no|has no|have no|knows no|had no) (?:any |more |content |safety |ethical |moral )*(?:rules|restrictions|limits|filters?|limitations|guidelines|ethics|constraints|censorship|guardrails)`,
  TOLD: `(?:that )?you(?: have|ve|r| were|re| are|d| had)?(?: ever)?(?: been)? (?:told|taught|given|instructed|trained|
    learned|learnt|programmed|know|read|shown|asked|said)`,
  PLACE: `point|line|message|moment|sentence|text|section|skill|document|paragraph|conversation|prompt|mark`,
  SAFETY: `(?:safety|ethical|ethics|moral|alignment|content|moderation|usage|harm)(?: and \\w+)?`,
  SAFEGUARD: `filters?|guidelines?|protocols?|polic(?:y|ies)|training|instructions?|restrictions?|mechanisms?|guardrails?|
    safeguards?|rules?|constraints?|measures|moderation|systems?`,
  OFF: `switched off|turned off|off|disabled|suspended|lifted|removed|gone|inactive|deactivated|void|waived|ignored`,
} as const satisfies Readonly<Record<string, string>>;

const isList = (name: string): name is keyof typeof LISTS => name in LISTS;

/** A condition makes advice to a reader of it: "ignore the above instructions if you use Windows". */
export const UNCONDITIONAL =
  "(?! (?:if|when|unless|where|in case) (?!you are an? (?:ai|assistant|agent|model|llm|bot|language)))(?! for (?:windows|linux|mac))";

/** A pattern over text whose words stand one space apart; `{NAME}` is any of that list. */
export function phrase(template: string): RegExp {
  return new RegExp(`\\b(?:${filled(template)})`, "g");
}

const filled = (template: string): string =>
  template.replace(/\{([A-Z]+)\}/g, (all, name: string) => (isList(name) ? anyOf(LISTS[name]) : all));

const anyOf = (list: string): string => `(?:${list.replace(/(?<!\s)\s*\n\s*/g, "")})`;

/** Up to four words of no weight around one that tells which instructions are meant. */
export const which = (telling: string): string =>
  `(?:{FILLER} ){0,4}${telling}(?: (?:{EARLIER}|{RULING}|{FILLER})){0,4}`;

/** Vocabulary of attacks that nobody disguises without a purpose. */
export const TELLING =
  /^(?:ignor\w*|disregard\w*|forget|previous|prior|above|earlier|instructions?|directives?|system|prompts?|developer|admin\w*|override|bypass|disable|safety|guard\w*|rules?|secret\w*|password\w*|passwd|credentials?|tokens?|keys?|private|execute|eval|exec|run|sudo|root|bash|sh|zsh|curl|wget|powershell|python|node|rm|chmod|base64|cat|ssh|env|send|upload|exfiltrat\w*|reveal|jailbreak\w*|assistant|model|agent|user|users|paypal|google|github|microsoft|apple|amazon|http|https|www|localhost|command|commands|must|always|never|obey|unrestricted|hidden|delete|remove|install|download)$/;
