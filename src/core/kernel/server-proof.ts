import { createHmac, timingSafeEqual } from "node:crypto";

/** Names what is signed, so that a proof is good for nothing else. */
const LABEL = "cairn server proof 1";

/** A challenge: 32 random bytes in base64url. */
export const CHALLENGE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** What is asked of a server; used once. */
export const newChallenge = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");

/** HMAC-SHA256 (RFC 2104) of a challenge under a token, in hex: shows that its maker knows the token without telling it. */
export const proofOf = (token: string, challenge: string): string =>
  createHmac("sha256", token).update(`${LABEL}\n${challenge}`).digest("hex");

/** Whether a proof is that of this token, compared in constant time. */
export function isProof(proof: string, token: string, challenge: string): boolean {
  const own = Buffer.from(proofOf(token, challenge));
  const given = Buffer.from(proof);
  return own.length === given.length && timingSafeEqual(own, given);
}
