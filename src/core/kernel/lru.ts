/** A map that forgets what was not used for longest. */
export interface Lru<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  readonly size: number;
}

/** An empty cache that drops the entry used longest ago when it is full. */
export function createLru<K, V>(maxEntries: number): Lru<K, V> {
  // A Map keeps the order of insertion: the first key is the one unused for longest.
  const entries = new Map<K, V>();
  const touch = (key: K, value: V) => {
    entries.delete(key);
    entries.set(key, value);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) touch(key, value);
      return value;
    },
    set(key, value) {
      touch(key, value);
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
    get size() {
      return entries.size;
    },
  };
}
