/** Probability that a text that was not added is reported as added. */
const FALSE_POSITIVES = 1e-6;
/** Bits and hash positions per text for this probability (Bloom 1970). */
const BITS_PER_TEXT = -Math.log(FALSE_POSITIVES) / Math.LN2 ** 2;
const HASH_COUNT = Math.round(-Math.log2(FALSE_POSITIVES));
/** Positions have 32 bits. */
const MAX_BITS = 2 ** 32;

/** Maximum number of texts in a filter. */
export const MAX_ENTRIES = Math.floor(MAX_BITS / BITS_PER_TEXT);

/**
 * A set of texts that needs 29 bits per text. It reports every added text as contained, and by mistake one in a million
 * of all others.
 */
export class BloomFilter {
  readonly bits: Uint8Array;
  readonly #size: number;

  constructor(bits: Uint8Array) {
    this.bits = bits;
    this.#size = bits.length * 8;
  }

  /** An empty filter for this number of texts, at most `MAX_ENTRIES`. */
  static forCapacity(texts: number): BloomFilter {
    return new BloomFilter(new Uint8Array(Math.ceil((Math.max(texts, 1) * BITS_PER_TEXT) / 8)));
  }

  add(text: string): void {
    this.#everyBit(text, (index, bit) => {
      this.bits[index] = (this.bits[index] ?? 0) | bit;
      return true;
    });
  }

  has(text: string): boolean {
    return this.#everyBit(text, (index, bit) => ((this.bits[index] ?? 0) & bit) !== 0);
  }

  /** Visits the positions of a text, derived from two hashes (Kirsch and Mitzenmacher 2006), as byte and bit. */
  #everyBit(text: string, holds: (index: number, bit: number) => boolean): boolean {
    const first = murmurHash(text, 0x9e3779b9);
    const step = murmurHash(text, 0x85ebca6b) | 1;
    for (let index = 0; index < HASH_COUNT; index += 1) {
      const position = (first + index * (step >>> 0)) % this.#size;
      if (!holds(Math.floor(position / 8), 1 << (position % 8))) return false;
    }
    return true;
  }
}

/** MurmurHash3 (x86, 32 bits) of the text's UTF-16 units. It need not resist deliberate collisions. */
function murmurHash(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    let unit = Math.imul(text.charCodeAt(index), 0xcc9e2d51);
    unit = Math.imul((unit << 15) | (unit >>> 17), 0x1b873593);
    hash ^= unit;
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash ^= text.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
