import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/**
 * A challenge of ALTCHA: find the number from 0 to `maxnumber` for which the SHA-256 of salt and number is `challenge`.
 */
export interface Challenge {
  readonly algorithm: 'SHA-256';
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
}

/** The realm, the login and the step in which a challenge is valid. It is valid nowhere else. */
export interface Place {
  readonly realm: string;
  readonly login: string;
  /** The ID of the step or form action. */
  readonly use: string;
}

/** A solved challenge. */
export interface Solved {
  readonly challenge: string;
  /** Seconds since the epoch. */
  readonly until: number;
}

/**
 * The salt ends with `&`. Otherwise the first digits of the number could be read as part of `expires`, so that one
 * solution would count several times.
 */
const SALT = /^[0-9a-f]{24}\?expires=([1-9]\d{0,11})&for=([0-9a-f]{32})&$/;
const MAX_ANSWER_LENGTH = 2000;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const placeHash = ({ realm, login, use }: Place) => sha256(JSON.stringify([realm, login, use])).slice(0, 32);
const sign = (key: string, challenge: string) => createHmac('sha256', key).update(challenge).digest('hex');

/** @param until seconds since the epoch */
export function newChallenge(key: string, complexity: number, until: number, place: Place): Challenge {
  const salt = `${randomBytes(12).toString('hex')}?expires=${until}&for=${placeHash(place)}&`;
  const challenge = sha256(`${salt}${randomInt(complexity + 1)}`);
  return { algorithm: 'SHA-256', challenge, maxnumber: complexity, salt, signature: sign(key, challenge) };
}

/**
 * Returns the challenge that an answer of the browser solves; undefined if it solves none.
 * @param answer the Base64 of ALTCHA's JSON, with the `number`
 * @param now seconds since the epoch
 */
export function verifyAnswer(key: string, answer: string, place: Place, now: number): Solved | undefined {
  const { algorithm, challenge, number, salt, signature } = parseAnswer(answer);
  if (algorithm !== 'SHA-256' || typeof challenge !== 'string' || typeof signature !== 'string') return undefined;
  if (typeof salt !== 'string' || !Number.isSafeInteger(number) || Number(number) < 0) return undefined;
  const [, expires, name] = SALT.exec(salt) ?? [];
  const until = Number(expires);
  if (expires === undefined || until <= now || name !== placeHash(place)) return undefined;
  if (!isSame(signature, sign(key, challenge)) || !isSame(challenge, sha256(`${salt}${number}`))) return undefined;
  return { challenge, until };
}

function parseAnswer(answer: string): Readonly<Record<string, unknown>> {
  if (answer === '' || answer.length > MAX_ANSWER_LENGTH) return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(answer, 'base64').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // An answer that is not JSON solves nothing.
    return {};
  }
}

function isSame(actual: string, expected: string): boolean {
  const a = Buffer.from(actual);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
