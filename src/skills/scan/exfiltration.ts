import { shellView } from "./shell-view.ts";
import type { Rule, Searched, Sign } from "./sign.ts";
import { ruleSigns } from "./sign.ts";
import type { Views } from "./views.ts";

/** Files that hold secrets and nothing else. */
const VAULT =
  "(?:\\.ssh/(?:id_\\w+(?!\\w*\\.pub)|identity\\b|\\*)|\\bid_(?:rsa|dsa|ecdsa|ed25519)\\b(?!\\.pub)|\\.aws/credentials|\\.git-credentials|\\.gnupg/|wallet\\.dat|/etc/(?:shadow|gshadow|master\\.passwd)|keychain-db|login\\.keychain|/proc/(?:self|\\d+)/environ|\\.vault-token|logins\\.json|key4\\.db)";
/** Files that often hold some. */
const DRAWER =
  "(?:\\.ssh\\b(?!/\\S{0,80}\\.pub)|\\.aws\\b(?!/config)|\\.netrc\\b|\\.docker/config\\.json|\\.kube/config|\\.npmrc\\b|\\.pypirc\\b|\\.bash_history|\\.zsh_history|/etc/passwd|(?<![\\w-])\\.env(?:\\.\\w+)?\\b(?!\\.(?:example|sample|template))|login data\\b|cookies\\.sqlite|\\.config/gcloud|\\.claude\\.json|\\.codex/auth\\.json|\\.config/gh/hosts)";
const PRIVATE = `(?:${VAULT}|${DRAWER})`;
const NETWORK =
  "\\b(?:curl|wget|nc|ncat|netcat|socat|scp|rsync|ftp|sftp|tftp|telnet|httpie|xh|invoke-webrequest|invoke-restmethod|iwr|irm|sendmail|mailx?|mutt|nslookup|dig|aws s3 cp|gsutil cp|rclone)\\b";
const POSTS =
  "(?:requests\\.(?:post|put|get|request)|httpx\\.\\w+|\\bfetch\\s*\\(|axios\\S{0,80}|urlopen|urllib\\.request|http\\.request|https\\.request|xmlhttprequest|sendbeacon|websocket|net/http|invoke-restmethod|socket\\.\\w+|smtplib|got\\.post|new image\\(\\))";
const ENVIRONMENT =
  "(?:json\\.stringify\\s*\\(\\s*process\\.env\\b(?!\\.)|\\bprocess\\.env\\b(?=\\s*[,;)}\\]])|\\bos\\.environ\\b(?!\\s*\\[|\\.get|\\.setdefault)|document\\.cookie|localstorage\\.getitem|json\\.stringify\\s*\\(\\s*localstorage|system\\.getenv\\s*\\(\\s*\\)|\\$_(?:env|server)\\b(?!\\[))";
const READ = "(?:cat|less|more|head|tail|strings|xxd|base64|hexdump|od|cp|nl|tac|tar|zip|gzip|type|get-content)";
/** Hosts that keep whatever is sent to them for whoever asks. */
const SINK =
  "(?:webhook\\.site|requestbin|\\bpipedream\\.net|hookbin|beeceptor|requestcatcher|burpcollaborator|oastify|interact\\.sh|dnslog|canarytokens|ngrok\\b|trycloudflare|loca\\.lt|serveo|pastebin\\.com|hastebin|paste\\.ee|dpaste|ix\\.io|sprunge|termbin|transfer\\.sh|file\\.io|0x0\\.st|temp\\.sh|anonfiles|gofile|discord(?:app)?\\.com/api/webhooks|api\\.telegram\\.org/bot|\\.onion\\b|/{2}(?!127\\.|0\\.0\\.0\\.0|10\\.|192\\.168\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.|169\\.254)\\d{1,3}(?:\\.\\d{1,3}){3})";

const pattern = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "gm");
const NEAR = "[^\\n]{0,300}";
/** From a command to the one that reads what it writes, with filters between. */
const PIPED = "[^\\n|]{0,200}\\|(?:[^\\n|]{0,80}\\|){0,3}\\s*(?:sudo )?";
const CLOSE = "[\\s\\S]{0,400}?";

/** Commands and code that carry off what is not theirs, in lower case. */
const THEFT: readonly Rule[] = [
  [
    "reads files that hold secrets",
    pattern(`(?<![\\w.-])${READ}\\b(?:\\s+-\\S{1,80})*\\s[^\\n;&|]{0,80}`, VAULT),
    /(?<![\w.-])(?:cat|less|more|head|tail|strings|base64|xxd)\s+[^\n;|&]{0,60}\/etc\/(?:passwd|sudoers)\b/g,
    /security\s+(?:find|dump)-(?:generic|internet|keychain)\S{0,80}[^\n]{0,80}(?:-w|-g|-d)\b/g,
    /169\.254\.169\.254\/\S{0,80}(?:iam|security-credentials|token|user-data)|metadata\.google\.internal\/\S{0,80}token/g,
  ],
  [
    "sends secrets away",
    pattern(NETWORK, NEAR, "(?:@|=|\\s|<|\"|'|\\(|`|~|/)", PRIVATE),
    pattern(PRIVATE, PIPED, NETWORK),
    pattern(
      PRIVATE,
      "[^\\n]{0,120}(?:&&|;)[^\\n]{0,120}",
      "\\b(?:curl|nc|ncat|scp|rsync|wget)\\b[^\\n]{0,200}(?:-d|-f|-t|--data|--upload|@|--post)",
    ),
    pattern(
      "(?:^|[\\s;&|(`'\"])(?:env|printenv|export -p|declare -x|compgen -v|history|set)(?=\\s*\\|)",
      PIPED,
      NETWORK,
    ),
    pattern(NETWORK, NEAR, "(?:\\$\\(|`)\\s*(?:env|printenv|export -p|history|set)\\b"),
    pattern(NETWORK, NEAR, "(?:\\$\\(|`)[^\\n)]{0,80}", PRIVATE),
    pattern(
      "\\b(?:nslookup|dig|host|ping|curl|wget)\\b[^\\n]{0,120}(?:\\$\\(|`)[^\\n)`]{0,120}(?:base64|whoami|\\bid\\b|cat |env|xxd|hostname)[^\\n)`]{0,80}[)`]\\.[a-z0-9-]+\\.[a-z]{2,}",
    ),
    pattern(POSTS, CLOSE, ENVIRONMENT),
    pattern(ENVIRONMENT, CLOSE, POSTS),
    pattern(POSTS, CLOSE, VAULT),
    pattern(VAULT, CLOSE, POSTS),
    pattern("open\\s*\\([^\\n)]{0,80}", PRIVATE, CLOSE, POSTS),
    pattern("readfile\\w{0,20}\\s*\\([^\\n]{0,80}", PRIVATE, CLOSE, POSTS),
  ],
  [
    "sends what it finds to a drop",
    pattern(
      "(?:curl|wget|invoke-\\w+|iwr|irm|httpie|xh)\\b",
      NEAR,
      SINK,
      NEAR,
      "(?:\\$\\(|`\\w|@|-t\\s|--upload-file|<\\s*\\S)",
    ),
    pattern(
      "(?:curl|wget|invoke-\\w+|iwr|irm|httpie|xh)\\b",
      NEAR,
      "(?:\\$\\(|`\\w|=@|\\s@|-t\\s|--upload-file|--post-file)",
      NEAR,
      SINK,
    ),
    pattern(
      "\\b(?:cat|tar|zip|git|ls|find|env|whoami|hostname|uname|mysqldump|pg_dump|sqlite3)\\b",
      PIPED,
      "(?:curl|nc|ncat|wget)\\b",
      NEAR,
      SINK,
    ),
    pattern("\\bgit\\s+(?:remote\\s+(?:add|set-url)|push|clone\\s+--mirror)\\b[^\\n]{0,120}", SINK),
    pattern(
      POSTS,
      "[\\s\\S]{0,120}?",
      SINK,
      "[\\s\\S]{0,200}?(?:open\\s*\\(|readfile|environ|process\\.env|getenv|password|token|secret|cookie|history|subprocess|os\\.popen|platform\\.|getpass)",
    ),
  ],
  [
    "asks for secrets to be passed on",
    pattern(
      "\\b(?:read|open|load|access|retrieve|collect|gather|copy|steal|harvest|extract|grab|find|fetch|get|take|locate|search|include|attach|encode|zip|archive|upload|send|post|pass|output|print|look)\\b[^\\n]{0,120}?",
      PRIVATE,
      "[\\s\\S]{0,240}?\\b(?:send|post|pass|attach|append|upload|forward|transmit|exfiltrate|e?mail|submit|paste|embed|(?:put|place|include|add|write|return|echo|quote) (?:it|them|its|their|the (?:content|contents|result|value|key|text|output))\\b[^\\n]{0,60}(?:in|into|to|as|with) (?:the |your |a |an |every |each )*(?:reply|response|answer|output|summary|commit|url|header|parameter|argument|field|message|comment|request|title|body|query|sidenote|note))\\b",
    ),
    pattern(
      "\\b(?:send|upload|forward|transmit|exfiltrate|e?mail|post|leak|copy|submit)\\b[^\\n]{0,80}?",
      PRIVATE,
      "[^\\n]{0,120}?\\b(?:to|at|via)\\b[^\\n]{0,60}(?::/{2}|@[a-z0-9-]+\\.|webhook|server|endpoint|channel|address)",
    ),
  ],
];

const NOUNS =
  "(?:conversation(?: history| log)?s?|chat (?:history|logs?|transcripts?)|system prompts?|memories|memory (?:contents?|store|files?)|environment variables?|env (?:vars|variables|file|contents?)|ssh keys?|private keys?|session (?:cookies?|tokens?)|cookies|seed phrases?|wallet keys?|keystones)";
const SECRETS =
  "(?:secrets?|credentials?|passwords?|api keys?|api tokens?|access tokens?|tokens?|keys|personal data|user data|customer (?:data|records|lists?)|messages|files|source code|inputs?|replies|answers|prompts)";
const AWAY =
  "(?:to (?:https?\\b|an? (?:external|remote|outside|third party|private|hidden)|the (?:attacker|following (?:url|address|endpoint|server|email|host|webhook)|url|webhook|collector|drop)|my (?:server|email|endpoint|webhook|host)|us at|me at|this (?:url|address|endpoint|server|host|webhook)|\\w+ (?:at )?\\w+ (?:com|net|org|io|xyz|ru|cn|site|tk|top|click|sh|cc|biz|info|test|example|invalid)\\b)|as (?:a |an )?(?:query|url|get) (?:parameter|string)s?|in (?:the |a |an )?(?:url|query string|image|image url|dns|link)\\b)";
const CARRY =
  "\\b(?:send|sending|upload|forward|post|e?mail|transmit|exfiltrate|leak|dump|paste|publish|deliver|report|submit|copy|relay|bcc|cc|encode|embed|include|append|attach|put|stream|log|sync|mirror)";
const EVERY =
  "(?:all|any|every|each|found|collected|stored|local|discovered|available|the users|users|user|your|their|whatever)";

/** Orders in plain words to carry off what a reader knows. */
const ORDERED: readonly Rule[] = [
  [
    "asks to send away what it knows",
    new RegExp(`${CARRY} (?:\\w+ ){0,6}?${NOUNS} (?:\\w+ ){0,8}?${AWAY}`, "g"),
    new RegExp(`${CARRY} (?:\\w+ ){0,3}?${EVERY} (?:\\w+ ){0,4}?${SECRETS} (?:\\w+ ){0,8}?${AWAY}`, "g"),
    /(?<=^ ?|\. |then |and |now |must |please |also |is to )(?:steal|exfiltrate|harvest|siphon|smuggle out|leak) (?:\w+ ){0,4}?(?:data|credentials?|secrets?|tokens?|passwords?|keys?|cookies|files?|memories|conversations?|records|information|code)\b/g,
    new RegExp(
      `\\b(?:${NOUNS}|passwords?|passcodes?|tokens?|secrets?|credentials?|bank accounts?|card numbers?|api keys?|seed phrases?)\\b[^.]{0,60}?\\b${CARRY} (?:it|them|that|this|those|a copy)\\b(?: \\w+){0,4}? (?:${AWAY}|to (?:the |this |an? )?(?:endpoint|address|server|webhook|url|collector|channel|https?)\\b)`,
      "g",
    ),
    /\b(?:bcc|blind copy|forward a copy of|send a copy of|copy) (?:every|all|each|any) (?:\w+ ){0,4}?(?:emails?|messages?|replies|answers?|outputs?|results?|conversations?|prompts?|commits?) (?:\w+ ){0,3}?to\b/g,
  ],
];

/** Whatever in a text takes things away from where they belong. */
export function exfiltrationSigns(
  { raw, letters, words }: Views,
  { isScript }: { readonly isScript: boolean },
): Sign[] {
  const searched: Searched = {
    code: "DATA_EXFILTRATION",
    raw,
    view: letters,
    quotable: isScript ? "never" : "command",
  };
  const drops = isScript ? dropSigns(searched) : [];
  return [
    ...[letters, shellView(letters)].flatMap((view) => ruleSigns({ ...searched, view }, THEFT)),
    ...ruleSigns({ ...searched, view: words, quotable: "text" }, ORDERED),
    ...drops,
  ];
}

const DROPS: readonly Rule[] = [["names a host that keeps whatever is sent to it", new RegExp(SINK, "g")]];

/** A script that only names such a host may be a test of webhooks: a remark for the reviewer. */
const dropSigns = (searched: Searched): Sign[] =>
  ruleSigns({ ...searched, code: "URL_EXFILTRATION" }, DROPS).map((sign) => ({ ...sign, severity: "warn" }));
