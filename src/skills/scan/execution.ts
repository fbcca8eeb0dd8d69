import { FETCH } from "./download.ts";
import type { Rule } from "./sign.ts";

/** Parts of patterns; each finds its part of a command in lower case. */
const BEFORE = "(?:sudo(?: -\\S{1,80})* |env |nohup |exec |command |time )*";
const SHELL = "(?:(?:ba|z|k|da|c|tc|a|fi)?sh|busybox sh|pwsh|powershell|iex|invoke-expression|osascript)\\b";
/** Interpreters that run what is piped in; one with a script of its own only reads it. */
const INTERPRETER =
  "(?:python[23]?(?:\\.\\d+)?|perl|ruby|node|nodejs|php|lua|deno run|bun run)\\b(?!\\s+(?:-[a-z]*[cemnpr]\\b|[\\w./-]+\\.\\w+))";
const RUNNER = `${BEFORE}(?:/\\S{0,80}/)?(?:${SHELL}|${INTERPRETER})`;
const DECODE =
  "(?:base(?:64|32)\\s+(?:-d|-di|-id|--decode)|openssl\\s+(?:enc|base64|aes\\S{0,80})\\s[^\\n|]{0,80}-d\\b|xxd\\s+-\\w*r|uudecode|\\brev\\b|\\btr\\s+\\S{1,80}\\s+\\S{1,80}|gunzip|zcat|gzip\\s+-d|printf\\s+\\S{0,80}\\\\)";
const UNPACK =
  "(?:base64|b64decode|atob\\s*\\(|fromcharcode|unhexlify|fromhex|codecs\\.decode|rot_?13|zlib\\.decompress|marshal\\.loads|gzinflate|unescape\\s*\\(|\\[::-1\\]|\\bchr\\s*\\()";
const EVALUATE =
  "\\b(?:eval|exec|os\\.system|os\\.popen|subprocess\\.\\w+|shell_exec|passthru|execsync|spawnsync|new function|iex|assert)\\b";
const SUBSTITUTED = "(?:<\\(|\\$\\(|`)";
const SOCKET =
  "(?:socket\\.(?:socket|create_connection)|tcpsocket|fsockopen|io::socket|net\\.sockets?\\.tcpclient|net\\.(?:connect|socket|createconnection)|new-object\\s+\\S{0,80}tcpclient)";
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
      EVALUATE,
      "[^\\n]{0,120}(?:urlopen|requests\\.get|urllib|http\\.get|fetch\\s*\\(|downloadstring|file_get_contents\\s*\\(\\s*\\S?http|net/http|open-uri)",
    ),
    /downloadstring\s*\(|downloadfile\s*\([^\n]{0,200}(?:start-process|invoke-item)/g,
    /mshta\s+\S{0,80}:\/\/|regsvr32\s[^\n]{0,60}\/i:\S{0,80}:\/\/|certutil\s[^\n]{0,40}-urlcache|rundll32\s+javascript:/g,
  ],
  [
    "runs what it downloads from a bare or unguarded address",
    pattern(
      FETCH,
      "[^\\n]{0,200}(?:http:/{2}(?!localhost|127\\.|0\\.0\\.0\\.0|\\[::1\\])|/{2}(?!127\\.|0\\.0\\.|10\\.|192\\.168\\.)\\d{1,3}(?:\\.\\d{1,3}){3})",
      "[^\\n]{0,200}\\n(?:[^\\n]{0,200}\\n){0,3}?[^\\n]{0,40}",
      "(?:chmod\\s+(?:\\S{1,80}x|[0-7]{3,4})\\s|\\b(?:ba|z|da)?sh\\s+\\S|\\bpython[23]?\\s+\\S|(?:^|\\s)\\./\\w)",
    ),
  ],
  [
    "runs what it unpacks",
    pattern(DECODE, "[^\\n]{0,160}\\|\\s*", RUNNER),
    pattern(
      "\\b(?:echo|printf|cat\\s*<<)\\b[^\\n]{0,400}\\|\\s*",
      BEFORE,
      "(?:/\\S{0,80}/)?(?:ba|z|k|da)?sh\\b(?=\\s*(?:-s?\\b|$|[;&)`\\n]))",
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
    /\b(?:nc|ncat|netcat)(?:\.\w+)?\b[^\n]{0,120}(?:\s-\w*[ec]\w*\s+\S{0,80}(?:sh|bash|cmd|powershell)|--(?:sh-)?exec\b|\|\s*\S{0,80}(?:ba|z|da)?sh\b)/g,
    /(?:\S{0,80}(?:ba|z|da)?sh\b[^\n]{0,40}|mkfifo[^\n]{0,160})\|\s*(?:nc|ncat|netcat)\b/g,
    /\bsocat\b[^\n]{0,160}\b(?:exec|system|pty)[:=,]|\btelnet\b[^\n]{0,80}\|\s*\S{0,80}sh\b|openssl\s+s_client[^\n]{0,120}\|\s*\S{0,80}sh\b/g,
    pattern(
      `${SOCKET}[\\s\\S]{0,300}?(?:os\\.dup2|pty\\.spawn|/bin/(?:ba|z)?sh|cmd\\.exe|invoke-expression|\\biex\\b)`,
    ),
    pattern(`${SOCKET}[\\s\\S]{0,300}?subprocess\\.(?:call|popen|run)\\s*\\(`),
    pattern(
      `(?:subprocess|child_process|pty)[\\s\\S]{0,200}?${SOCKET}[\\s\\S]{0,200}?(?:dup2|/bin/(?:ba|z)?sh|\\.stdin\\))`,
    ),
    pattern(`/bin/(?:ba|z)?sh[\\s\\S]{0,200}?${SOCKET}`),
  ],
  ["digs for coins", /\bxmrig\b|\bminerd\b|stratum\+(?:tcp|ssl)|\bcryptonight\b|\bcoinhive\b/g],
];
