// Finds the number that solves a challenge. SHA-256 (FIPS 180-4) is implemented here: pages over plain HTTP have no
// crypto.subtle, and a promise for each number would cost more than its hash.
const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
const fraction = (root) => ((root - Math.floor(root)) * 0x100000000) | 0;
const K = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const BEGIN = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const w = new Int32Array(64);

/** Adds the 64 bytes at `at` to the state. */
function compress(state, bytes, at) {
  for (let i = 0; i < 16; i += 1) {
    const j = at + 4 * i;
    w[i] = (bytes[j] << 24) | (bytes[j + 1] << 16) | (bytes[j + 2] << 8) | bytes[j + 3];
  }
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [w[i - 15], w[i - 2]];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/**
 * Finds the number from 0 to `maxnumber` for which the hash of salt and number is `challenge`; undefined if there is
 * none.
 */
function solve(task) {
  const { challenge, salt, maxnumber } = task;
  const wanted = Int32Array.from(challenge.match(/.{8}/g), (word) => Number.parseInt(word, 16) | 0);
  const prefix = new TextEncoder().encode(salt);
  // The full blocks before the number are the same for each attempt.
  const begun = BEGIN.slice();
  const whole = prefix.length - (prefix.length % 64);
  for (let at = 0; at < whole; at += 64) compress(begun, prefix, at);
  const rest = prefix.subarray(whole);
  const state = new Int32Array(8);
  let bytes = new Uint8Array(0);
  let length = 0;
  for (let number = 0; number <= maxnumber; number += 1) {
    const digits = String(number);
    if (length !== rest.length + digits.length) {
      length = rest.length + digits.length;
      bytes = new Uint8Array(length + 9 <= 64 ? 64 : 128);
      bytes.set(rest);
      bytes[length] = 0x80;
      new DataView(bytes.buffer).setUint32(bytes.length - 4, 8 * (whole + length));
    }
    for (let i = 0; i < digits.length; i += 1) bytes[rest.length + i] = digits.charCodeAt(i);
    state.set(begun);
    for (let at = 0; at < bytes.length; at += 64) compress(state, bytes, at);
    if (state[0] === wanted[0] && state.every((word, i) => word === wanted[i])) return number;
  }
  return undefined;
}

addEventListener('message', (message) => postMessage(solve(message.data)));
