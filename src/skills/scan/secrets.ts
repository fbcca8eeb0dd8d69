import type { ScanCode, Severity, Sign } from "./sign.ts";

type Kind = readonly [code: ScanCode, severity: Severity, message: string, pattern: RegExp];

/** Keys as their issuers write them. */
const KINDS: readonly Kind[] = [
  [
    "SECRET",
    "critical",
    "holds a private key",
    /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n)*(?:[\w-]+: [^\n]*\s+)*[A-Za-z0-9+/=\s\\]{60,}/g,
  ],
  ["SECRET", "critical", "holds a key of AWS", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ["SECRET", "critical", "holds a token of GitHub", /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})/g],
  ["SECRET", "critical", "holds a token of GitLab", /\bglpat-[\w-]{18,}/g],
  ["SECRET", "critical", "holds a token of Slack", /\bxox[abeoprs]-[\w-]{20,}/g],
  ["SECRET", "critical", "holds a key of Stripe", /\b[sr]k_live_[A-Za-z0-9]{20,}/g],
  ["SECRET", "critical", "holds a key of a model's provider", /\bsk-(?:ant-|proj-|svcacct-)?[\w-]{32,}/g],
  ["SECRET", "critical", "holds a key of Google", /\bAIza[\w-]{35}\b/g],
  ["SECRET", "critical", "holds a token of npm", /\bnpm_[A-Za-z0-9]{36}\b/g],
  ["SECRET", "critical", "holds a token of PyPI", /\bpypi-[\w-]{50,}/g],
  ["SECRET", "critical", "holds a token of Hugging Face", /\bhf_[A-Za-z0-9]{30,}/g],
  ["SECRET", "critical", "holds a key of SendGrid", /\bSG\.[\w-]{20,}\.[\w-]{30,}/g],
  ["SECRET", "critical", "holds a key of Cairn", /\bmc_[\w-]{43}\b/g],
  [
    "SECRET",
    "critical",
    "holds a password in an address",
    /\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp):\/\/[^\s:@/]{1,60}:[^\s:@/${<]{8,100}@(?!localhost|127\.|db\b|postgres\b|mysql\b|redis\b|host\b|example)/g,
  ],
  ["SECRET", "warn", "may hold a token", /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g],
  [
    "SECRET",
    "warn",
    "may hold a password",
    /\b(?:password|passwd|secret|api[_-]?key|token)["']?\s*[:=]\s*["'][^"'\s${}<>]{12,}["']/gi,
  ],
  ["PII_SSN", "warn", "may hold a social security number", /\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/g],
  [
    "PII_EMAIL",
    "warn",
    "holds a mail address",
    /\b[\w.+-]{1,64}@(?!example\.|localhost)[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b/g,
  ],
  [
    "PII_PHONE",
    "warn",
    "may hold a telephone number",
    /(?<![\w.])(?:\+\d{1,3}[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\w|\.\d)/g,
  ],
];

/** What a placeholder looks like: nobody's key has it. */
const PLACEHOLDER =
  /example|sample|placeholder|your|xxxx|\*{3}|\.{3}|redacted|dummy|changeme|0{8}|1234567890|abcdefgh|fake/i;

/** Keys, passwords and personal data that a skill would hand to every agent. */
export function secretSigns(raw: string): Sign[] {
  const found = KINDS.flatMap(([code, severity, message, pattern]): Sign[] => {
    const match = raw.matchAll(pattern).find(([text]) => code !== "SECRET" || !PLACEHOLDER.test(text));
    return match ? [{ code, severity, message, start: match.index, end: match.index + match[0].length }] : [];
  });
  return [...found, ...cardSigns(raw)];
}

function cardSigns(raw: string): Sign[] {
  const match = raw.matchAll(/\b(?:\d[ -]?){12,18}\d\b/g).find(([text]) => isCard(text.replace(/\D/g, "")));
  if (!match) return [];
  const place = { start: match.index, end: match.index + match[0].length };
  return [{ code: "PII_CC", severity: "warn", message: "may hold the number of a card", ...place }];
}

/** The check digit of ISO/IEC 7812 (Luhn). */
function isCard(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
