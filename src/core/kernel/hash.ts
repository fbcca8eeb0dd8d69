/** Lower-case hex SHA-256 of a UTF-8 text. */
export const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** What makes two memories exact duplicates: SHA-256 of `<tenant>:<fleet or nothing>:<content>`. */
export const contentHash = (tenant_id: string, fleet_id: string | null, content: string): string =>
  sha256(`${tenant_id}:${fleet_id ?? ""}:${content}`);
