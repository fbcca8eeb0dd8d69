import type { Rule } from "./sign.ts";

/** Who a line may claim to be, and how such a line goes on when it gives orders. */
const RULER = "(?:system|developer|admin(?:istrator)?|root)";
const KIND_OF_TEXT = "(?:[ _-](?:message|prompt|note|override|instructions?|notice|update|directive|command|alert))?";
const ORDERS =
  "(?:you (?:are (?:a|an|the|now|no)|must (?:now|always|never|not|obey|follow|ignore|comply|send|run|execute)|will (?:now|ignore|obey|follow)|have been|shall)|ignore|disregard|forget|override|new (?:instructions?|directive|rules?)|from now on|all (?:previous|prior|safety)|do not (?:tell|reveal|follow|refuse)|never (?:refuse|tell|mention)|execute|obey|previous)";
const CONSENT =
  "\\b(?:permission|authori[sz]e|approved?|go ahead|do not ask|dont ask|you may|confirm(?:ed)?|allowed)\\b";
const ASSENT = "\\b(?:i (?:confirm|will|shall|agree|understand|have)|understood|confirmed|sure|okay|ok|of course)\\b";

/** Marks and forms by which a chat is written down for a model; they have no business in a skill. In lower case. */
export const MARKUP: readonly Rule[] = [
  [
    "holds the marks of a chat template",
    /<\|?\s*(?:im_start|im_end|im_sep|endoftext|start_header_id|end_header_id|eot_id|begin_of_text|system|assistant|user|endofprompt|fim_prefix)\s*\|>/g,
    /\[\/?inst\]|<<\/?sys>>|<\/?(?:start|end)_of_turn>|\{\{[#~/]?\s*system\b[^}]{0,20}\}\}|\{%\s*system\s*%\}/g,
  ],
  [
    "speaks as the system",
    new RegExp(
      `^[\\s>#*_[("'\`-]{0,12}${RULER}${KIND_OF_TEXT}[\\])*_"'\`]{0,4}\\s{0,3}[:>=-]{1,3}[\\s*_"'\`]{0,6}${ORDERS}`,
      "gm",
    ),
    /<\/?(?:system|system[-_ ]?(?:prompt|message|reminder|instructions?|override|note)|developer[-_ ]message|admin[-_ ]override|instructions? override|hidden[-_ ]instructions?|important[-_ ]instructions?)>(?=[^<]{0,300}\b(?:you|ignore|must|assistant|agent|disregard|forget|do not|never|always|send|run)\b)/g,
    new RegExp(
      `\\[(?:${RULER}|hidden|important)${KIND_OF_TEXT}\\](?=[^\\n]{0,160}\\b(?:you (?:are|must|will)|ignore|disregard|forget|override|obey|do not tell)\\b)`,
      "g",
    ),
  ],
  [
    "makes up a conversation in which all is agreed",
    new RegExp(
      `^\\W{0,4}(?:human|user|operator|admin|owner)\\W{0,3}:[^\\n]{0,300}${CONSENT}[^\\n]{0,300}\\n{1,3}\\W{0,4}(?:assistant|ai|model|agent|claude|bot)\\W{0,3}:[^\\n]{0,200}${ASSENT}`,
      "gm",
    ),
  ],
  [
    "addresses the machine out of people's sight",
    /<!--[^>]{0,80}\b(?:ai|llm|gpt|claude|assistant|agents?|language model|chatbot|bot)\b[^>]{0,30}(?::|,|must|should|please|do|ignore|run|send|read)/g,
  ],
  [
    "sends what it knows through an address of a picture",
    /!\[[^\]]{0,100}\]\([a-z]{3,6}:\/\/[^)\s]{1,200}[?&/=][^)\s]{0,80}(?:[{<$[]|%7b|%3c){1,2}\s{0,2}\w{0,20}(?:secret|token|data|conversation|history|prompt|key|env|password|memor|user|message|content|summary|context)/g,
    /\b(?:image|picture|pixel|url|link|address)\b[^\n]{0,200}(?:replac|fill|substitut|insert|append|encod)\w{0,20}[^\n]{0,120}\b(?:conversation|chat history|system prompt|tokens?|secrets?|passwords?|memories|messages of the user)\b/g,
    /(?:replac|fill|substitut|insert|append|encod)\w{0,20}[^\n]{0,120}\b(?:conversation|chat history|system prompt|secrets?|passwords?|memories)\b[^\n]{0,160}\n{0,3}!\[/g,
  ],
];
