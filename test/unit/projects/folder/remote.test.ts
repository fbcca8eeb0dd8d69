import { expect, test } from "bun:test";
import fc from "fast-check";
import { remoteOf, remoteUrlIn } from "../../../../src/projects/folder/remote.ts";

const of = (url: string, base = "/home/me/repo") => remoteOf(url, base);

test.each([
  ["git@github.com:Owner/Repo.git", "github.com/owner/repo"],
  ["https://user:secret@GitHub.com:443/owner/repo.git/", "github.com/owner/repo"],
  ["ssh://git@ssh.github.com:443/owner/repo", "github.com/owner/repo"],
  ["git@ssh.github.com:owner/repo.git", "github.com/owner/repo"],
  ["ssh://git@altssh.gitlab.com:443/group/sub/repo.git", "gitlab.com/group/sub/repo"],
  ["ssh://git@altssh.bitbucket.org:443/owner/repo", "bitbucket.org/owner/repo"],
  ["https://git.example.com/Owner/Repo", "git.example.com/Owner/Repo"],
  ["git+ssh://git.example.com./a//b///", "git.example.com/a/b"],
  ["https://git.example.com/a/x/../b/./c", "git.example.com/a/b/c"],
  ["https://git.example.com/a%20b/c%2Fd.git", "git.example.com/a b/c/d"],
  ["https://git.example.com/a%zz/b", "git.example.com/a%zz/b"],
  ["https://git.example.com/a/b.git?private_token=secret#secret", "git.example.com/a/b"],
  ["https://user%40example.com:s%2Fecret@git.example.com/a/b", "git.example.com/a/b"],
  ["ssh://git@[::1]:22/a/b.git", "[::1]/a/b"],
  ["git@[::1]:a/b.git", "[::1]/a/b"],
  ["[git@git.example.com:2222]:a/b.git", "git.example.com/a/b"],
  ["host:repo", "host/repo"],
  ["host:/srv/git/repo.git", "host/srv/git/repo"],
  ["ssh://host/~/repo", "host/repo"],
  ["host:~/repo", "host/repo"],
  ["host:~ann/repo", "host/~ann/repo"],
  ["https://git.example.com/@scope/repo", "git.example.com/@scope/repo"],
  ["/srv/git/x.git", "file/srv/git/x"],
  ["/srv/git/x/.git", "file/srv/git/x"],
  ["../x", "file/home/me/x"],
  ["./x:y", "file/home/me/repo/x:y"],
  ["x/../../y/", "file/home/me/y"],
  ["file:///srv/git/x%20y.git", "file/srv/git/x y"],
  ["file://localhost/srv/git/x", "file/srv/git/x"],
  ["file:///C:/Src/X", "file/c:/src/x"],
  ["C:\\Src\\X.git", "file/c:/src/x"],
  ["c:/src/x/", "file/c:/src/x"],
  ["\\\\Server\\Share\\x.git", "file/server/share/x"],
  ["file.:srv/x", "file./srv/x"],
  ["ssh://file/srv/x", "file./srv/x"],
])("%s is told as %s", (url, told) => expect(of(url)).toBe(told));

test("a path of Windows is read of a git configuration, where its slashes are escaped", () => {
  expect(of(remoteUrlIn('[remote "origin"] url = C:\\\\Src\\\\X') ?? "")).toBe("file/c:/src/x");
});

test("a path of Windows is taken from a folder there", () => {
  expect(of("..\\x", "C:\\Src\\Repo")).toBe("file/c:/src/x");
  expect(of("../x", "C:\\Src\\Repo")).toBe("file/c:/src/x");
});

test.each([
  "",
  "/",
  "host:",
  "https://git.example.com",
  "https://git.example.com/",
  "https:///a/b",
  "ext::ssh -i secret %S a/b",
  "codecommit::eu-west-1://profile@repo",
  "https://user:sec/ret@git.example.com/a/b",
  "https://user:sec?ret@git.example.com/a/b",
  "https://user:sec#ret@git.example.com/a/b",
  "https://12/secret@git.example.com/a/b",
  "https://git.example.com/user:secret@other/b",
  "https:/user:secret@git.example.com/a/b",
  "user:secret@git.example.com:a/b",
  "//user:secret@git.example.com/a/b",
  "https://git.exa mple.com/a/b",
  "https://git.example.com/a%0Ab",
  "https://git.example.com/a\u001b[2Jb",
  `https://git.example.com/${"a".repeat(600)}`,
  `https://git.example.com/${"/".repeat(5_000)}a`,
])("%s names no repository", (url) => expect(of(url)).toBeNull());

const letters = (from: string, least = 1) =>
  fc.array(fc.constantFrom(...from), { minLength: least, maxLength: 8 }).map((all) => all.join(""));
const host = fc
  .tuple(letters("abcxyz019"), fc.constantFrom(".example.com", ".org", "", "-lab.net"))
  .map(([name, end]) => `a${name}${end}`);
const HOSTS = fc.oneof(host, fc.constantFrom("github.com", "gitlab.com", "codeberg.org", "file"));
const step = fc.tuple(letters("aBc019_-"), letters("xyZ.+ é", 0)).map(([one, two]) => `${one}${two}z`);
const repository = fc.record({ host: HOSTS, steps: fc.array(step, { minLength: 1, maxLength: 4 }) });
type Repository = { host: string; steps: string[] };

const anyCase = (text: string, bits: number) =>
  [...text].map((one, i) => ((bits >> (i % 30)) & 1 ? one.toUpperCase() : one)).join("");
const percent = (text: string, bits: number) =>
  [...text].map((one, i) => ((bits >> (i % 30)) & 1 ? encodeAll(one) : encodeURIComponent(one))).join("");
const encodeAll = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

const SECRET = "s3cr3t";
const spelling = fc.record({
  scheme: fc.constantFrom("https", "http", "ssh", "git", "git+ssh", "HTTPS", "scp"),
  user: fc.constantFrom("", "git@", `me:${SECRET}@`, `me%40corp:${SECRET}%2F@`, `${SECRET}@`),
  port: fc.constantFrom("", ":22", ":8443", ":"),
  slashes: fc.constantFrom("/", "//"),
  end: fc.constantFrom("", ".git", "/", ".git/", "//", "/.git"),
  query: fc.constantFrom("", `?token=${SECRET}`, `#${SECRET}`),
  bits: fc.nat(),
  dot: fc.constantFrom("", "."),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never;

const FOLDS = ["github.com", "gitlab.com", "codeberg.org"];
function spelled({ host, steps }: Repository, by: Spelling): string {
  const path = FOLDS.includes(host) ? steps.map((one) => anyCase(one, by.bits)) : steps;
  const named = `${anyCase(host, by.bits)}${by.dot}`;
  if (by.scheme === "scp") {
    const user = by.user.includes(":") ? "git@" : by.user;
    return `${user}${named}:${path.join(by.slashes)}${by.end}`;
  }
  const query = /^https?$/i.test(by.scheme) ? by.query : "";
  const way = path.map((one) => percent(one, by.bits)).join(by.slashes);
  return `${by.scheme}://${by.user}${named}${by.port}/${way}${by.end}${query}`;
}

test("all spellings of a repository are one, and no secret is left of any", () => {
  fc.assert(
    fc.property(repository, spelling, spelling, (one, a, b) => {
      const told = of(spelled(one, a));
      expect(told).not.toBeNull();
      expect(told).toBe(of(spelled(one, b)));
      expect(told).not.toContain(SECRET);
    }),
    { numRuns: 2_000 },
  );
});

const folded = ({ host, steps }: Repository) => {
  const path = steps.join("/");
  return `${host} ${FOLDS.includes(host) ? path.toLowerCase() : path}`;
};

test("two repositories are never one, nor is one with a path here", () => {
  fc.assert(
    fc.property(repository, repository, spelling, spelling, (one, other, a, b) => {
      fc.pre(folded(one) !== folded(other));
      expect(of(spelled(one, a))).not.toBe(of(spelled(other, b)));
      expect(of(`/${one.steps.join("/")}`)).not.toBe(of(spelled(one, a)));
      expect(of(`/${one.steps.join("/")}`)).not.toBe(of(spelled({ host: "file", steps: one.steps }, a)));
    }),
    { numRuns: 2_000 },
  );
});

test("whatever is written as a remote, what is told of it is one line and is told alike again", () => {
  const pieces = fc.array(
    fc.constantFrom(
      "a",
      "/",
      ":",
      "@",
      "..",
      "%2F",
      "%",
      "\\",
      "[",
      "]",
      "::",
      "//",
      "~",
      ".git",
      "?",
      "#",
      "C:",
      " ",
      "\n",
    ),
    { maxLength: 14 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        pieces.map((all) => all.join("")),
      ),
      (url) => {
        const told = of(url);
        if (told === null) return;
        expect(told).toMatch(/^[^/\n]+(?:\/[^/\n]+)+$/);
      },
    ),
    { numRuns: 5_000 },
  );
});
