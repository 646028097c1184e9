/** 2^14 registers: the standard error is 1.04 / √16384 = 0.8 %. */
const INDEX_BITS = 14;
const REGISTERS = 2 ** INDEX_BITS;
/** The largest value of a register: of 64 bits, those that are no index may all be zeros. */
const MOST = 64 - INDEX_BITS + 1;
/**
 * Maximum number of registers that are written individually, in three bytes each. Larger sketches write all registers
 * in a byte each.
 */
const SPARSE = REGISTERS / 4;
const MEAN = 1 / (2 * Math.LN2);

/**
 * Estimates the number of different users without a list of them (HyperLogLog). Each user's hash raises one register.
 * The union of two sketches has the larger of each two registers.
 */
export class UserSketch {
  readonly #registers = new Uint8Array(REGISTERS);

  /** @param hash eight bytes or more, evenly spread */
  add(hash: Buffer): void {
    const first = hash.readUInt32BE(0);
    const rest = (first << INDEX_BITS) >>> 0;
    const zeros = rest === 0 ? 32 - INDEX_BITS + Math.clz32(hash.readUInt32BE(4)) : Math.clz32(rest);
    this.#raise(first >>> (32 - INDEX_BITS), zeros + 1);
  }

  merge(other: UserSketch): void {
    for (const [index, value] of other.#registers.entries()) this.#raise(index, value);
  }

  /** As `merge`: of one with few users it costs as little as they are. @param text of `toString` */
  mergeText(text: string): void {
    const bytes = Buffer.from(text.slice(1), 'base64');
    if (text.startsWith('d')) for (const [index, value] of bytes.entries()) this.#raise(index, value);
    else
      for (let at = 0; at + 3 <= bytes.length; at += 3) {
        const pair = bytes.readUIntBE(at, 3);
        this.#raise(Math.floor(pair / 64), pair % 64);
      }
  }

  /**
   * Estimates how many users were added, by Ertl's improved raw estimator, which needs no correction for small or large
   * numbers.
   */
  count(): number {
    const counts = new Array<number>(MOST + 1).fill(0);
    for (const value of this.#registers) counts[value] = (counts[value] as number) + 1;
    let sum = REGISTERS * tau(1 - (counts[MOST] as number) / REGISTERS);
    for (let value = MOST - 1; value >= 1; value -= 1) sum = 0.5 * (sum + (counts[value] as number));
    sum += REGISTERS * sigma((counts[0] as number) / REGISTERS);
    return Math.round((MEAN * REGISTERS * REGISTERS) / sum);
  }

  /** As text, which `UserSketch.of` reads. */
  toString(): string {
    const raised = [...this.#registers.entries()].filter(([, value]) => value > 0);
    if (raised.length > SPARSE) return `d${Buffer.from(this.#registers).toString('base64')}`;
    const sparse = Buffer.alloc(raised.length * 3);
    for (const [at, [index, value]] of raised.entries()) sparse.writeUIntBE(index * 64 + value, at * 3, 3);
    return `s${sparse.toString('base64')}`;
  }

  /** @param text of `toString`; an empty one has no users */
  static of(text: string): UserSketch {
    const sketch = new UserSketch();
    sketch.mergeText(text);
    return sketch;
  }

  #raise(index: number, value: number): void {
    if (value > (this.#registers[index] ?? MOST)) this.#registers[index] = value;
  }
}

function sigma(of: number): number {
  if (of === 1) return Number.POSITIVE_INFINITY;
  let x = of;
  let y = 1;
  let sum = of;
  let before = Number.NaN;
  while (sum !== before) {
    x *= x;
    before = sum;
    sum += x * y;
    y += y;
  }
  return sum;
}

function tau(of: number): number {
  if (of === 0 || of === 1) return 0;
  let x = of;
  let y = 1;
  let sum = 1 - of;
  let before = Number.NaN;
  while (sum !== before) {
    x = Math.sqrt(x);
    before = sum;
    y *= 0.5;
    sum -= (1 - x) ** 2 * y;
  }
  return sum / 3;
}
