/** Of a text that was not added: how likely it is taken for one that was. */
const FALSE_POSITIVES = 1e-6;
/** Bits for each text, and places of each, that make it so (Bloom 1970). */
const BITS_PER_TEXT = -Math.log(FALSE_POSITIVES) / Math.LN2 ** 2;
const PLACES = Math.round(-Math.log2(FALSE_POSITIVES));
/** Places are counted in 32 bits. */
const MOST_BITS = 2 ** 32;

/** How many texts fit into a filter. */
export const MOST_TEXTS = Math.floor(MOST_BITS / BITS_PER_TEXT);

/** A set of texts in 29 bits each. It knows every text that was added, and takes one in a million others for one. */
export class BloomFilter {
  readonly bits: Uint8Array;
  readonly #size: number;

  constructor(bits: Uint8Array) {
    this.bits = bits;
    this.#size = bits.length * 8;
  }

  /** An empty filter with room for so many texts, `MOST_TEXTS` at most. */
  static of(texts: number): BloomFilter {
    return new BloomFilter(new Uint8Array(Math.ceil((Math.max(texts, 1) * BITS_PER_TEXT) / 8)));
  }

  add(text: string): void {
    this.#every(text, (at, bit) => {
      this.bits[at] = (this.bits[at] ?? 0) | bit;
      return true;
    });
  }

  has(text: string): boolean {
    return this.#every(text, (at, bit) => ((this.bits[at] ?? 0) & bit) !== 0);
  }

  /** Its places come of two hashes, as Kirsch and Mitzenmacher 2006 say: bytes, and a bit of each. */
  #every(text: string, holds: (at: number, bit: number) => boolean): boolean {
    const first = hashed(text, 0x9e3779b9);
    const step = hashed(text, 0x85ebca6b) | 1;
    for (let index = 0; index < PLACES; index += 1) {
      const place = (first + index * (step >>> 0)) % this.#size;
      if (!holds(Math.floor(place / 8), 1 << (place % 8))) return false;
    }
    return true;
  }
}

/** MurmurHash3 (x86, 32 bits) of the text's UTF-16 units: nobody is kept out by two texts of one hash. */
function hashed(text: string, seed: number): number {
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
