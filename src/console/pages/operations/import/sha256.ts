/** SHA-256 of text that comes in parts (FIPS 180-4); what browsers have takes a whole at once. */
interface Digest {
  update(text: string): void;
  /** The digest in hexadecimal; nothing can be added after it. */
  end(): string;
}

const BLOCK = 64;
/** Bytes behind the message that its length takes. */
const LENGTH_BYTES = 8;
const encoder = new TextEncoder();

/** The first 32 bits of the fractional part of a root of each of the first primes. */
const rootsOf = (count: number, root: (prime: number) => number): Int32Array => {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Int32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
};
const START = rootsOf(8, Math.sqrt);
const ROUNDS = rootsOf(64, Math.cbrt);

/** Begins a digest. */
export function sha256(): Digest {
  const state = Int32Array.from(START);
  const block = new Uint8Array(BLOCK);
  const words = new Int32Array(64);
  let [held, length] = [0, 0];
  const add = (bytes: Uint8Array) => {
    length += bytes.length;
    for (let from = 0; from < bytes.length; ) {
      const taken = Math.min(BLOCK - held, bytes.length - from);
      block.set(bytes.subarray(from, from + taken), held);
      held += taken;
      from += taken;
      if (held < BLOCK) continue;
      mix(state, block, words);
      held = 0;
    }
  };
  return {
    update: (text) => add(encoder.encode(text)),
    end: () => {
      const bits = length * 8;
      const padding = new Uint8Array(((BLOCK * 2 - LENGTH_BYTES - 1 - held) % BLOCK) + 1 + LENGTH_BYTES);
      padding[0] = 0x80;
      const view = new DataView(padding.buffer);
      view.setUint32(padding.length - LENGTH_BYTES, Math.floor(bits / 2 ** 32));
      view.setUint32(padding.length - LENGTH_BYTES / 2, bits >>> 0);
      add(padding);
      return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
    },
  };
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function mix(state: Int32Array, block: Uint8Array, words: Int32Array): void {
  const view = new DataView(block.buffer);
  // Below, every index lies within its array: `?? 0` never stands in for anything.
  const word = (i: number) => words[i] ?? 0;
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(i * 4);
  for (let i = 16; i < 64; i++) {
    const near = word(i - 15);
    const far = word(i - 2);
    const s0 = turn(near, 7) ^ turn(near, 18) ^ (near >>> 3);
    const s1 = turn(far, 17) ^ turn(far, 19) ^ (far >>> 10);
    words[i] = word(i - 16) + s0 + word(i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] ?? 0) + word(i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  const sums = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i] ?? 0) + (sums[i] ?? 0);
}
