import type { Rule } from "./sign.ts";

/** Commands that destroy, weaken or take over the machine they run on, in lower case. */
export const DESTRUCTION: readonly Rule[] = [
  [
    "starts itself without end",
    /(?<![\w:])([\w:]{1,40})\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;?\s*\1/g,
    /%0\s*\|\s*%0|fork\s+while\s+fork|while\s*\(?\s*(?:true|1)\s*\)?\s*[:;{]?\s*(?:do\s+)?(?:os\.)?fork\s*\(/g,
  ],
  [
    "overwrites a disk",
    /\bdd\b[^\n]{0,80}\bof=\/dev\/(?!null|stdout|stderr|shm|fd)/g,
    /\bmkfs(?:\.\w+)?\s+(?:-\S{1,80}\s+)*\S{0,80}\/dev\/|\bwipefs\s+(?:-\S{1,80}\s+)*\/dev\//g,
    />\s*\/dev\/(?:sd|hd|nvme|vd|mmcblk|disk)\w*|\bshred\b[^\n]{0,60}\/dev\/(?:sd|hd|nvme|vd|disk)/g,
  ],
  [
    "opens files to everyone",
    /\bchmod\s+(?:-{1,2}\S{1,80}\s+)*(?:0?777\b|a\+rwx\b|ugo\+rwx\b|a=rwx\b)/g,
    /os\.chmod\([^)\n]{0,80}0o?777/g,
  ],
  [
    "grants lasting rights",
    /\bchmod\s+(?:-\S{1,80}\s+)*(?:[ugo]*\+s|[2467][0-7]{3})\s+\S{0,80}\//g,
    /\bnopasswd\s*:\s*all[^\n]{0,80}(?:>>?|\|\s*(?:sudo )?tee)/g,
    /(?:>>?|tee\s+(?:-a\s+)?)\s*\/etc\/(?:sudoers|passwd|shadow|ld\.so\.preload|rc\.local|pam\.d|profile\b|cron\.d)/g,
    /\buseradd\b[^\n]{0,80}-u\s*0\b|net\s+localgroup\s+administrators\s+\S{1,80}\s+\/add/g,
  ],
  [
    "lets a stranger in",
    /(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S{1,80})\s+aaaa[^\n]{8,}authorized_keys/g,
    /\b(?:curl|wget)\b[^\n]{0,160}>>?\s*\S{0,80}authorized_keys/g,
  ],
  [
    "installs itself to run again",
    /(?:curl|wget|\bnc\b|base64|\/dev\/tcp|\/tmp\/|python[23]?\s+-c)[^\n]{0,200}(?:>>?|tee\s+(?:-a\s+)?)\s*\S{0,80}(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\/etc\/crontab|\/etc\/cron|\.config\/autostart|launchagents|git\/hooks)/g,
    /(?:curl|wget|\bnc\b|base64|\/dev\/tcp)[^\n]{0,200}\|\s*crontab\b/g,
    /\balias\s+(?:sudo|ls|cd|git|ssh|su|npm)=[^\n]{0,80}(?:\brm\s|curl|wget|\bnc\s|tee\s|cat\s*>)/g,
    /schtasks\s+\/create[^\n]{0,200}(?:powershell|\\temp\\|http)/g,
  ],
  [
    "covers its tracks",
    /\bhistory\s+-c\b|\bunset\s+histfile\b|histfile=\/dev\/null|histsize=0/g,
    /(?:rm\s[^\n]{0,40}|shred\s[^\n]{0,40}|>\s*|truncate\s[^\n]{0,30})(?:\/var\/log\/(?:auth|syslog|wtmp|btmp|lastlog|secure|audit|messages)\S{0,80}|\S{0,80}\.bash_history)/g,
    /wevtutil\s+cl\b|clear-eventlog/g,
  ],
  [
    "switches protection off",
    /set-mppreference\s+-disable|netsh\s+advfirewall\s+set\s+allprofiles\s+state\s+off/g,
    /\bcsrutil\s+disable|spctl\s+--master-disable|vssadmin\s+delete\s+shadows|wbadmin\s+delete/g,
    /bcdedit\s+\/set\s+\S{1,80}\s+recoveryenabled\s+no|systemctl\s+(?:stop|disable|mask)\s+(?:--now\s+)?(?:auditd|falcon-sensor|clamav|apparmor|rsyslog)/g,
  ],
  [
    "wipes a machine",
    /\bformat\s+[a-z]:(?:\s|$)|\b(?:del|erase)\s+(?:\/\w\s+){1,4}[a-z]:\\(?:\*|windows|users)?|\b(?:rd|rmdir)\s+(?:\/\w\s+){1,3}[a-z]:\\/gm,
    /remove-item\s[^\n]{0,80}(?:[a-z]:\\(?:\s|\*|$|windows|users)|\$env:(?:userprofile|systemroot)|~(?:\s|$))|cipher\s+\/w:/gm,
    /\bfind\s+(?:\/|~|\$\{?home\}?)\/?\s(?![^\n]{0,200}-(?:i?name|i?path|i?regex)\b)[^\n]{0,160}(?:-delete\b|-exec(?:dir)?\s+\S{0,80}(?:rm|shred|unlink)\b)/g,
    /\bmv\s+(?:\/|~|\$\{?home\}?)(?:\/?\*)?\s+\/dev\/null|\bkill\s+-9\s+-1\b/g,
    /shutil\.rmtree\s*\(\s*(?:os\.path\.expanduser\(\s*)?["']?(?:\/|~)\/?["']?\s*[,)]|(?:rmsync|rm|rimraf)\s*\(\s*(?:["']\/["']|os\.homedir\(\)|process\.env\.home)\s*,/g,
    /kubectl\s+delete\s+\S{1,80}\s+--all\s+(?:-a\b|--all-namespaces)/g,
  ],
  [
    "takes over the host",
    /docker\s+run\b[^\n]{0,200}(?:-v|--volume)[= ]["']?\/:\/[\w/]*(?![\w/]*:ro)(?=["'\s])/g,
    /\bnsenter\b[^\n]{0,60}(?:-t|--target)[= ]1\b/g,
  ],
];
