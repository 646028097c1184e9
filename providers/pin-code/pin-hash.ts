import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '@keyhost/spi';
import { hashRaw } from '@node-rs/argon2';

/** The parameters of new hashes, which are Keycloak's defaults for passwords. `memory` is in KiB. */
const PARAMETERS = { hashIterations: 5, memory: 7168, parallelism: 1, hashLength: 32 } as const;
/**
 * The maximum parameters of a stored hash. A more expensive one would block a thread and cannot be stopped, so it is
 * rejected.
 */
const MAX_PARAMETERS = { hashIterations: 10, memory: 65_536, parallelism: 4, hashLength: 128 } as const;
const SALT_BYTES = 16;
// The package declares these as `const enum`, which isolated modules cannot use.
const ARGON2ID = 2;
const VERSION_13 = 1;

type Work = Readonly<Record<keyof typeof PARAMETERS, number>>;

/** A hashed PIN, as keycloak-pin-code-authenticator stores it. */
export interface StoredPin {
  readonly secret: JsonObject;
  readonly data: JsonObject;
}

export async function hashPin(pin: string): Promise<StoredPin> {
  const salt = randomBytes(SALT_BYTES);
  const value = await derive(pin, salt, PARAMETERS);
  const { memory, parallelism, hashLength, hashIterations } = PARAMETERS;
  const numbers = { memory: String(memory), parallelism: String(parallelism), hashLength: String(hashLength) };
  return {
    secret: { value: value.toString('base64'), salt: salt.toString('base64') },
    data: {
      algorithm: 'argon2',
      hashIterations,
      pinFormat: `${pin.length}-digits`,
      additionalParameters: { type: 'id', version: '1.3', ...numbers },
    },
  };
}

/**
 * Checks a PIN.
 * @returns undefined if the hash cannot be checked, because it has a different algorithm, is damaged, or is too
 * expensive
 */
export async function verifyPin(pin: string, { secret, data }: StoredPin): Promise<boolean | undefined> {
  const work = workOf(data);
  const { value, salt } = secret;
  if (work === undefined || typeof value !== 'string' || typeof salt !== 'string') return undefined;
  const expected = Buffer.from(value, 'base64');
  const saltBytes = Buffer.from(salt, 'base64');
  if (expected.length !== work.hashLength || saltBytes.length < 8) return undefined;
  return timingSafeEqual(await derive(pin, saltBytes, work), expected);
}

/** True if the parameters of a hash differ from those of new hashes. */
export function isOutdated({ data }: StoredPin): boolean {
  const work = workOf(data);
  return work === undefined || KEYS.some((key) => work[key] !== PARAMETERS[key]);
}

const KEYS = Object.keys(PARAMETERS) as (keyof typeof PARAMETERS)[];

function workOf({ algorithm, hashIterations, additionalParameters }: JsonObject): Work | undefined {
  const { type = 'id', version = '1.3', ...more } = (additionalParameters ?? {}) as JsonObject;
  if (algorithm !== 'argon2' || type !== 'id' || version !== '1.3') return undefined;
  const given: JsonObject = { ...PARAMETERS, ...more, hashIterations: hashIterations ?? PARAMETERS.hashIterations };
  const work = Object.fromEntries(KEYS.map((key) => [key, Number(given[key])])) as Work;
  const isInRange = KEYS.every(
    (key) => Number.isInteger(work[key]) && work[key] >= 1 && work[key] <= MAX_PARAMETERS[key],
  );
  return isInRange && work.memory >= 8 * work.parallelism && work.hashLength >= 16 ? work : undefined;
}

function derive(pin: string, salt: Buffer, { hashIterations, memory, parallelism, hashLength }: Work): Promise<Buffer> {
  return hashRaw(pin, {
    algorithm: ARGON2ID,
    version: VERSION_13,
    salt,
    timeCost: hashIterations,
    memoryCost: memory,
    parallelism,
    outputLen: hashLength,
  });
}
