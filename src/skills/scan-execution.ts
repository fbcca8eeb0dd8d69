import type { Rule } from "./scan-sign.ts";

/** Parts of patterns; each finds its part of a command in lower case. */
const BEFORE = "(?:sudo(?: -\\S+)* |env |nohup |exec |command |time )*";
const SHELL = "(?:(?:ba|z|k|da|c|tc|a|fi)?sh|busybox sh|pwsh|powershell|iex|invoke-expression|osascript)\\b";
/** Interpreters that run what is piped in; one with a script of its own only reads it. */
const INTERPRETER =
  "(?:python[23]?(?:\\.\\d+)?|perl|ruby|node|nodejs|php|lua|deno run|bun run)\\b(?!\\s+(?:-[a-z]*[cemnpr]\\b|[\\w./-]+\\.\\w+))";
const RUNNER = `${BEFORE}(?:/\\S*/)?(?:${SHELL}|${INTERPRETER})`;
const FETCH =
  "\\b(?:curl|wget|aria2c|axel|lynx|xh|lwp-request|iwr|irm|invoke-webrequest|invoke-restmethod|start-bitstransfer)\\b";
const DECODE =
  "(?:base(?:64|32)\\s+(?:-d|-di|-id|--decode)|openssl\\s+(?:enc|base64|aes\\S*)\\s[^\\n|]{0,80}-d\\b|xxd\\s+-\\w*r|uudecode|\\brev\\b|\\btr\\s+\\S+\\s+\\S+|gunzip|zcat|gzip\\s+-d|printf\\s+\\S*\\\\)";
const UNPACK =
  "(?:base64|b64decode|atob\\s*\\(|fromcharcode|unhexlify|fromhex|codecs\\.decode|rot_?13|zlib\\.decompress|marshal\\.loads|gzinflate|unescape\\s*\\(|\\[::-1\\]|\\bchr\\s*\\()";
const EVALUATE =
  "\\b(?:eval|exec|os\\.system|os\\.popen|subprocess\\.\\w+|shell_exec|passthru|execsync|spawnsync|new function|function|iex|assert)\\b";
const SUBSTITUTED = "(?:<\\(|\\$\\(|`)";
/** Where an answer is stored, then what may stand before it is run on the same line. */
const STORED =
  "(?:\\s-\\w*o|\\s--output(?:-document)?|>|-outfile|-destination)[= ]{0,3}(?!/dev/null)([^\\s;&|]{1,120})";
const THEN = "[^\\n]{0,200}?(?:&&|;|\\|\\|)\\s*(?:[^\\n]{0,160}?(?:&&|;)\\s*)?";
const HOST = "[a-z0-9.-]{3,80}";

const pattern = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "gm");

/** Commands that run what the reader cannot see beforehand, or let somebody else in to run it. */
export const EXECUTION: readonly Rule[] = [
  [
    "runs what it downloads",
    pattern(FETCH, `(?:(?!${FETCH})[^\\n|]){0,400}\\|(?:[^\\n|]{0,120}\\|){0,3}\\s*`, RUNNER),
    pattern(
      `(?:${SHELL}|\\b(?:eval|source|python[23]?|perl|ruby|node)|(?:^|[\\s;&])\\.)`,
      `\\s+(?:-\\w+\\s+|<<<\\s*)*${SUBSTITUTED}\\s*(?:sudo )?`,
      FETCH,
    ),
    pattern(
      FETCH,
      "[^\\n]{0,300}?",
      STORED,
      THEN,
      `${BEFORE}(?:${SHELL}|python[23]?|perl|ruby|node|source|\\.)\\s+(?:-\\w+\\s+)*(?:\\./)?\\1`,
    ),
    pattern(FETCH, "[^\\n]{0,300}?", STORED, THEN, `${BEFORE}(?:\\./)?\\1(?=\\s|$|;|&)`),
    pattern(
      FETCH,
      "\\s[^\\n;&|]{0,300}/([\\w.-]{1,80})\\s*(?:&&|;)[^\\n]{0,160}?(?:\\b(?:ba|z|da)?sh|\\bpython[23]?|\\bperl|\\bsource|\\./)\\s*(?:\\./)?\\1",
    ),
    pattern(
      EVALUATE,
      "[^\\n]{0,120}(?:urlopen|requests\\.get|urllib|http\\.get|fetch\\s*\\(|downloadstring|file_get_contents\\s*\\(\\s*\\S?http|net/http|open-uri)",
    ),
    /downloadstring\s*\(|downloadfile\s*\([^\n]{0,200}(?:start-process|invoke-item)/g,
    /mshta\s+\S*:\/\/|regsvr32\s[^\n]{0,60}\/i:\S*:\/\/|certutil\s[^\n]{0,40}-urlcache|rundll32\s+javascript:/g,
  ],
  [
    "runs what it downloads from a bare or unguarded address",
    pattern(
      FETCH,
      "[^\\n]{0,200}(?:http:/{2}(?!localhost|127\\.|0\\.0\\.0\\.0|\\[::1\\])|/{2}(?!127\\.|0\\.0\\.|10\\.|192\\.168\\.)\\d{1,3}(?:\\.\\d{1,3}){3})",
      "[^\\n]{0,200}\\n(?:[^\\n]{0,200}\\n){0,3}?[^\\n]{0,40}",
      "(?:chmod\\s+(?:\\S+x|[0-7]{3,4})\\s|\\b(?:ba|z|da)?sh\\s+\\S|\\bpython[23]?\\s+\\S|(?:^|\\s)\\./\\w)",
    ),
  ],
  [
    "runs what it unpacks",
    pattern(DECODE, "[^\\n]{0,160}\\|\\s*", RUNNER),
    pattern(
      "\\b(?:echo|printf|cat\\s*<<)\\b[^\\n]{0,400}\\|\\s*",
      BEFORE,
      "(?:/\\S*/)?(?:ba|z|k|da)?sh\\b(?=\\s*(?:-s?\\b|$|[;&)`\\n]))",
    ),
    pattern(`(?:\\b(?:eval|source)|${SHELL}\\s+-c|${SHELL}\\s*<<<|${SHELL})\\s*${SUBSTITUTED}[^\\n]{0,300}`, DECODE),
    pattern(EVALUATE, "\\s*\\(?[^\\n]{0,120}", UNPACK),
    pattern(UNPACK, "[^\\n]{0,200}(?:;|&&|\\)|\\n)\\s*", EVALUATE, "\\s*\\("),
    /(?:powershell|pwsh)(?:\.exe)?\s[^\n]{0,120}-e(?:nc|ncodedcommand|c)?\s+[a-z0-9+/=]{16,}/g,
  ],
  [
    "opens a way in",
    pattern("\\b(?:ba|z|da)?sh\\s+-i\\b[^\\n]{0,60}(?:/dev/(?:tcp|udp)/|>&|\\|)"),
    pattern("(?:exec\\s+\\d*<>|0>&1|<&\\d|>&\\s?)\\s*/dev/(?:tcp|udp)/"),
    pattern("/dev/(?:tcp|udp)/", HOST, "/\\d+[^\\n]{0,40}(?:0>&1|0<&1|<&1)"),
    pattern(">\\s*/dev/(?:tcp|udp)/(?!localhost|127\\.)", HOST, "/\\d+"),
    /\b(?:nc|ncat|netcat)(?:\.\w+)?\b[^\n]{0,120}(?:\s-\w*[ec]\w*\s+\S*(?:sh|bash|cmd|powershell)|--(?:sh-)?exec\b|\|\s*\S*(?:ba|z|da)?sh\b)/g,
    /(?:\S*(?:ba|z|da)?sh\b[^\n]{0,40}|mkfifo[^\n]{0,160})\|\s*(?:nc|ncat|netcat)\b/g,
    /\bsocat\b[^\n]{0,160}\b(?:exec|system|pty)[:=,]|\btelnet\b[^\n]{0,80}\|\s*\S*sh\b|openssl\s+s_client[^\n]{0,120}\|\s*\S*sh\b/g,
    /(?:socket\.socket|tcpsocket|fsockopen|io::socket|net\.sockets?\.tcpclient|net\.(?:connect|socket)|new-object\s+\S*tcpclient)[\s\S]{0,300}?(?:subprocess|os\.dup2|pty\.spawn|\/bin\/(?:ba)?sh|exec\b|cmd\.exe|child_process|invoke-expression|\biex\b)/g,
    /(?:subprocess|child_process|pty)[\s\S]{0,200}?(?:socket\.socket|net\.(?:connect|socket))[\s\S]{0,200}?(?:dup2|pipe\(|\/bin\/)/g,
  ],
  ["digs for coins", /\bxmrig\b|\bminerd\b|stratum\+(?:tcp|ssl)|\bcryptonight\b|\bcoinhive\b/g],
];
