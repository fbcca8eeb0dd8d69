/** Runs git in a folder, with none of this person's settings; throws what it says where it fails. */
export function git(folder: string, ...words: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(["git", "-c", "protocol.file.allow=always", ...words], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.com",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.com",
    },
  });
  if (exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
}
