/** 2^14 registers: the standard error is 1.04 / √16384 = 0.8 %. */
const INDEX_BITS = 14;
const REGISTERS = 2 ** INDEX_BITS;
/** The largest value of a register, for a 64-bit hash whose bits after the index are all zero. */
const MAX_VALUE = 64 - INDEX_BITS + 1;
/**
 * Maximum number of non-zero registers for the sparse format, which has three bytes for each of them. The dense format
 * has one byte for every register.
 */
const MAX_SPARSE = REGISTERS / 4;
const ALPHA = 1 / (2 * Math.LN2);

/**
 * Estimates the number of distinct users without storing them (HyperLogLog). The hash of a user can raise one register.
 * The union of two sketches has the larger value of each register.
 */
export class UserSketch {
  readonly #registers = new Uint8Array(REGISTERS);

  /** @param hash at least eight evenly distributed bytes */
  add(hash: Buffer): void {
    const first = hash.readUInt32BE(0);
    const remainingBits = (first << INDEX_BITS) >>> 0;
    const zeros = remainingBits === 0 ? 32 - INDEX_BITS + Math.clz32(hash.readUInt32BE(4)) : Math.clz32(remainingBits);
    this.#raise(first >>> (32 - INDEX_BITS), zeros + 1);
  }

  merge(other: UserSketch): void {
    this.#raiseAll(other.#registers);
  }

  /**
   * Merges a sketch that was serialized to a text. For a text in the sparse format, the cost depends only on the number
   * of its users.
   * @param text a result of `toString`
   */
  mergeText(text: string): void {
    const bytes = Buffer.from(text.slice(1), 'base64');
    if (text.startsWith('d')) this.#raiseAll(bytes);
    else
      for (let offset = 0; offset + 3 <= bytes.length; offset += 3) {
        const pair = bytes.readUIntBE(offset, 3);
        this.#raise(Math.floor(pair / 64), pair % 64);
      }
  }

  /**
   * Estimates the number of added users by Ertl's improved raw estimator, which requires no correction for small or
   * large numbers.
   */
  count(): number {
    const counts = new Array<number>(MAX_VALUE + 1).fill(0);
    for (let index = 0; index < REGISTERS; index += 1) {
      const value = this.#registers[index] as number;
      counts[value] = (counts[value] as number) + 1;
    }
    let sum = REGISTERS * tau(1 - (counts[MAX_VALUE] as number) / REGISTERS);
    for (let value = MAX_VALUE - 1; value >= 1; value -= 1) sum = 0.5 * (sum + (counts[value] as number));
    sum += REGISTERS * sigma((counts[0] as number) / REGISTERS);
    return Math.round((ALPHA * REGISTERS * REGISTERS) / sum);
  }

  /** Serializes the sketch to a text that `UserSketch.of` parses. */
  toString(): string {
    const nonZero: number[] = [];
    for (let index = 0; index < REGISTERS; index += 1) if (this.#registers[index] !== 0) nonZero.push(index);
    if (nonZero.length > MAX_SPARSE) return `d${Buffer.from(this.#registers).toString('base64')}`;
    const sparse = Buffer.alloc(nonZero.length * 3);
    for (const [position, index] of nonZero.entries())
      sparse.writeUIntBE(index * 64 + (this.#registers[index] as number), position * 3, 3);
    return `s${sparse.toString('base64')}`;
  }

  /**
   * Parses a sketch.
   * @param text a result of `toString`, or an empty text for a sketch without users
   */
  static of(text: string): UserSketch {
    const sketch = new UserSketch();
    sketch.mergeText(text);
    return sketch;
  }

  // Indexed loops: the iterators of the 16,384 registers would allocate a megabyte each time.
  #raiseAll(values: Uint8Array): void {
    for (let index = 0; index < values.length; index += 1) this.#raise(index, values[index] as number);
  }

  #raise(index: number, value: number): void {
    if (value > (this.#registers[index] ?? MAX_VALUE)) this.#registers[index] = value;
  }
}

function sigma(fraction: number): number {
  if (fraction === 1) return Number.POSITIVE_INFINITY;
  let x = fraction;
  let y = 1;
  let sum = fraction;
  let previous = Number.NaN;
  while (sum !== previous) {
    x *= x;
    previous = sum;
    sum += x * y;
    y += y;
  }
  return sum;
}

function tau(fraction: number): number {
  if (fraction === 0 || fraction === 1) return 0;
  let x = fraction;
  let y = 1;
  let sum = 1 - fraction;
  let previous = Number.NaN;
  while (sum !== previous) {
    x = Math.sqrt(x);
    previous = sum;
    y *= 0.5;
    sum -= (1 - x) ** 2 * y;
  }
  return sum / 3;
}
