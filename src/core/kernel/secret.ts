import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** A secret of the configuration: can be compared, never printed. */
export interface Secret {
  /** Compares in constant time. */
  matches(candidate: string): boolean;
  toString(): string;
  toJSON(): string;
}

const HIDDEN = "***";

/** Wraps a secret so that logs, errors and JSON show `***`. */
export function secret(value: string): Secret {
  const own = digest(value);
  return {
    matches: (candidate) => timingSafeEqual(own, digest(candidate)),
    toString: () => HIDDEN,
    toJSON: () => HIDDEN,
  };
}
