// AssemblyScript, compiled by `npm run build:scan`. The numbers are those of ../layout.ts; ../scan-plain.ts does the same.

const RECORD_BYTES: usize = 80;
const FOUND_MAX: u32 = 65536;

/**
 * Keeps the `pool` records whose codes differ least from the question's, of those that pass; of equals, the newest rows.
 * Returns how many it wrote to `found`: some may be further than the last of the pool.
 */
export function scan(records: usize, count: u32, room: usize): u32 {
  const q0 = v128.load(room);
  const q1 = v128.load(room, 16);
  const q2 = v128.load(room, 32);
  const q3 = v128.load64_zero(room, 48);
  const m0 = v128.load(room, 64);
  const m1 = v128.load(room, 80);
  const m2 = v128.load(room, 96);
  const m3 = v128.load64_zero(room, 112);
  const pool = load<u32>(room, 128);
  const author = load<u32>(room, 132);
  const createdFrom = load<u32>(room, 136);
  const createdTo = load<u32>(room, 140);
  const expiresFrom = load<u32>(room, 144);
  const types = load<u32>(room, 148);
  const statuses = load<u32>(room, 152);
  const weightFrom = load<u32>(room, 156);
  const weightTo = load<u32>(room, 160);
  const audienceBits = load<u32>(room, 164);
  const isListed = load<u32>(room, 168);
  const flags = <u8>load<u32>(room, 172);
  const histogram = room + 256;
  const audiences = room + 4096;
  const found = room + 4096 + 262144;
  const passing = room + 2097152;
  memory.fill(histogram, 0, 4 * 512);
  let worst: u32 = 511;
  let kept: u32 = 0;
  let written: u32 = 0;
  for (let slot = count; slot > 0; ) {
    slot--;
    const p = records + <usize>slot * RECORD_BYTES;
    if ((load<u8>(p, 79) & flags) != flags) continue;
    const audience = load<u32>(p, 60);
    if (audience >= audienceBits || (load<u8>(audiences + (audience >> 3)) & (1 << (audience & 7))) == 0) continue;
    if (author != 0 && load<u32>(p, 64) != author) continue;
    const created = load<u32>(p, 68);
    if (created < createdFrom || created > createdTo) continue;
    if (load<u32>(p, 72) < expiresFrom) continue;
    if ((types & (1 << load<u8>(p, 76))) == 0) continue;
    if ((statuses & (1 << load<u8>(p, 77))) == 0) continue;
    const weight = <u32>load<u8>(p, 78);
    if (weight < weightFrom || weight > weightTo) continue;
    if (isListed != 0 && (load<u8>(passing + (slot >> 3)) & (1 << (slot & 7))) == 0) continue;
    let bits = i8x16.popcnt(v128.and(v128.xor(v128.load(p), q0), m0));
    bits = i8x16.add(bits, i8x16.popcnt(v128.and(v128.xor(v128.load(p, 16), q1), m1)));
    bits = i8x16.add(bits, i8x16.popcnt(v128.and(v128.xor(v128.load(p, 32), q2), m2)));
    bits = i8x16.add(bits, i8x16.popcnt(v128.and(v128.xor(v128.load64_zero(p, 48), q3), m3)));
    const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bits));
    const distance = <u32>(
      (i32x4.extract_lane(sums, 0) +
        i32x4.extract_lane(sums, 1) +
        i32x4.extract_lane(sums, 2) +
        i32x4.extract_lane(sums, 3))
    );
    if (kept >= pool && distance >= worst) continue;
    if (written == FOUND_MAX) written = nearOnly(found, written, worst);
    store<u32>(found + <usize>written * 8, slot);
    store<u32>(found + <usize>written * 8 + 4, distance);
    written++;
    const bucket = histogram + <usize>distance * 4;
    store<u32>(bucket, load<u32>(bucket) + 1);
    kept++;
    if (kept < pool) continue;
    if (worst == 511) worst = farthest(histogram);
    let atWorst = load<u32>(histogram + <usize>worst * 4);
    while (kept - atWorst >= pool) {
      kept -= atWorst;
      worst--;
      atWorst = load<u32>(histogram + <usize>worst * 4);
    }
  }
  return written;
}

/** The largest distance that anything kept has. */
function farthest(histogram: usize): u32 {
  let distance: u32 = 511;
  while (distance > 0 && load<u32>(histogram + <usize>distance * 4) == 0) distance--;
  return distance;
}

/** Throws out what is further than the last of the pool. */
function nearOnly(found: usize, written: u32, worst: u32): u32 {
  let left: u32 = 0;
  for (let i: u32 = 0; i < written; i++) {
    const distance = load<u32>(found + <usize>i * 8 + 4);
    if (distance > worst) continue;
    store<u64>(found + <usize>left * 8, load<u64>(found + <usize>i * 8));
    left++;
  }
  return left;
}
