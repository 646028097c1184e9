import type { PasswordHashed } from '@keyhost/spi';
import type { CredentialRepresentation } from '../../model/representation.js';

/** The algorithm and parameters of a password hash. */
export type PasswordFormat =
  | {
      readonly algorithm: 'argon2';
      readonly hashIterations: number;
      /** KiB. */
      readonly memory: number;
      readonly parallelism: number;
      readonly hashLength: number;
      readonly type: 'd' | 'i' | 'id';
      readonly version: '1.0' | '1.3';
    }
  | {
      readonly algorithm: 'pbkdf2' | 'pbkdf2-sha256' | 'pbkdf2-sha512';
      readonly hashIterations: number;
      readonly hashLength: number;
    };

/** A parsed password credential. */
export interface StoredPassword {
  readonly format: PasswordFormat;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** The terms of a password policy about hashing. */
export interface HashPolicy {
  readonly hashAlgorithm?: string;
  /** -1 or absent: the algorithm's default. */
  readonly hashIterations?: number;
}

const MAX_ARGON2_ITERATIONS = 100;
/** Keycloak's default iterations by algorithm. */
const PBKDF2_ITERATIONS = { pbkdf2: 1_300_000, 'pbkdf2-sha256': 600_000, 'pbkdf2-sha512': 210_000 } as const;
const ARGON2_DEFAULTS = {
  algorithm: 'argon2',
  hashIterations: 5,
  memory: 7168,
  parallelism: 1,
  hashLength: 32,
  type: 'id',
  version: '1.3',
} as const;

/** For PBKDF2: the output of the HMAC in bytes, and its cost relative to SHA-256. */
const HMACS = {
  pbkdf2: { bytes: 20, cost: 1 },
  'pbkdf2-sha256': { bytes: 32, cost: 1 },
  'pbkdf2-sha512': { bytes: 64, cost: 2 },
} as const;
/** Cost of a KiB of argon2 per pass, in HMACs of SHA-256. */
const KIB_COST = 2;
/** With several lanes, each pass of argon2 starts a thread for each lane in each slice (RFC 9106 §3.4). */
const SLICES = 4;
const THREAD_COST = 250;
/**
 * Maximum cost of a hash: a little above Keycloak's most expensive default, PBKDF2 with SHA-1, which takes about a
 * second of a core. A running hash cannot be aborted.
 */
const MAX_COST = 6_000_000;
/** KiB per hashing thread (RFC 9106 §4, for little memory). */
const MAX_MEMORY_KIB = 64 * 1024;

/** The IDs of the built-in algorithms, as in `hashAlgorithm`. */
export const HASH_ALGORITHMS: readonly string[] = ['argon2', ...Object.keys(PBKDF2_ITERATIONS)];

/**
 * The format of new passwords under a policy: argon2id with Keycloak's parameters unless the policy names another
 * algorithm. For argon2, iterations above 100 are ignored as in Keycloak, because they were meant for PBKDF2.
 * @throws RangeError for an unknown algorithm, which `PasswordPolicy.parse` never returns
 */
export function formatOf(policy: HashPolicy = {}): PasswordFormat {
  const algorithm = policy.hashAlgorithm ?? 'argon2';
  const iterations = policy.hashIterations ?? -1;
  if (algorithm === 'argon2') {
    const isUsable = iterations > 0 && iterations <= MAX_ARGON2_ITERATIONS;
    return isUsable ? { ...ARGON2_DEFAULTS, hashIterations: iterations } : ARGON2_DEFAULTS;
  }
  if (!isPbkdf2(algorithm)) throw new RangeError(`the hash algorithm ${JSON.stringify(algorithm)} is not known`);
  return { algorithm, hashIterations: iterations > 0 ? iterations : PBKDF2_ITERATIONS[algorithm], hashLength: 64 };
}

/** The cost of a hash, in HMACs of SHA-256. */
export function costOf(format: PasswordFormat): number {
  const { algorithm, hashIterations } = format;
  if (algorithm === 'argon2') {
    const { memory, parallelism } = format;
    const threads = parallelism > 1 ? parallelism * SLICES * THREAD_COST : 0;
    return hashIterations * (memory * parallelism * KIB_COST + threads);
  }
  const { bytes, cost } = HMACS[algorithm];
  return hashIterations * Math.ceil(format.hashLength / bytes) * cost;
}

/**
 * The maximum number of iterations with the format's other parameters, if the format is too expensive; else undefined.
 */
export function exceededIterationLimit(format: PasswordFormat): number | undefined {
  if (costOf(format) <= MAX_COST) return undefined;
  return Math.floor(MAX_COST / costOf({ ...format, hashIterations: 1 }));
}

/** Writes a password in Keycloak's stored form: two JSON strings, in which parameters are lists of strings. */
export function writeCredential({ format, salt, hash }: StoredPassword): CredentialRepresentation {
  const additionalParameters =
    format.algorithm === 'argon2'
      ? {
          hashLength: [String(format.hashLength)],
          memory: [String(format.memory)],
          type: [format.type],
          version: [format.version],
          parallelism: [String(format.parallelism)],
        }
      : {};
  const { hashIterations, algorithm } = format;
  return {
    type: 'password',
    secretData: JSON.stringify({
      value: hash.toString('base64'),
      salt: salt.toString('base64'),
      additionalParameters: {},
    }),
    credentialData: JSON.stringify({ hashIterations, algorithm, additionalParameters }),
  };
}

/**
 * Parses a stored password.
 * @throws Error with the reason, without secrets, if the credential is unreadable or too expensive to verify
 */
export function readCredential(credential: CredentialRepresentation): StoredPassword {
  const stored = parseCredential(credential);
  const limit = exceededIterationLimit(stored.format);
  if (limit === undefined) return stored;
  throw new Error(
    `its hash would stop the logins of others: with its other parameters it may have ${limit} hashIterations at most`,
  );
}

function parseCredential(credential: CredentialRepresentation): StoredPassword {
  const secret = parse(credential.secretData, 'secretData');
  const data = parse(credential.credentialData, 'credentialData');
  const hash = decodeBytes(secret.value, 'value', 16, 512);
  const salt = decodeBytes(secret.salt, 'salt', 1, 512);
  const { algorithm } = data;
  if (algorithm === 'argon2') return { format: readArgon2(data, hash.length), salt, hash };
  if (typeof algorithm !== 'string' || !isPbkdf2(algorithm)) {
    throw new Error(`its algorithm ${JSON.stringify(algorithm)} is not one of ${HASH_ALGORITHMS.join(', ')}`);
  }
  const hashIterations = requireInteger(data.hashIterations, 'hashIterations', 1, Number.MAX_SAFE_INTEGER);
  return { format: { algorithm, hashIterations, hashLength: hash.length }, salt, hash };
}

/** The algorithm of a stored password; undefined if it is unreadable. */
export function algorithmOf({ credentialData }: CredentialRepresentation): string | undefined {
  const { algorithm } = parseOrEmpty(() => parse(credentialData, 'credentialData'));
  return typeof algorithm === 'string' ? algorithm : undefined;
}

/** Writes the result of a `password-hashing` provider in Keycloak's stored form. */
export function writeHashedPassword(algorithm: string, hashed: PasswordHashed): CredentialRepresentation {
  const { value, salt, hashIterations, additionalParameters = {} } = hashed;
  return {
    type: 'password',
    secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations, algorithm, additionalParameters }),
  };
}

/** Parses a stored password for a `password-hashing` provider; undefined if it is unreadable. */
export function readHashedPassword(credential: CredentialRepresentation): PasswordHashed | undefined {
  const { value, salt } = parseOrEmpty(() => parse(credential.secretData, 'secretData'));
  const { hashIterations, additionalParameters } = parseOrEmpty(() =>
    parse(credential.credentialData, 'credentialData'),
  );
  if (typeof value !== 'string') return undefined;
  return {
    value,
    ...(typeof salt === 'string' && salt !== '' ? { salt } : {}),
    hashIterations: Number.isInteger(hashIterations) ? Number(hashIterations) : 1,
    ...(typeof additionalParameters === 'object' && additionalParameters !== null
      ? { additionalParameters: additionalParameters as Readonly<Record<string, readonly string[]>> }
      : {}),
  };
}

function parseOrEmpty(read: () => Record<string, unknown>): Record<string, unknown> {
  try {
    return read();
  } catch {
    return {};
  }
}

/**
 * True if the formats are the same, so that the password need not be rehashed. Keycloak's older, shorter PBKDF2 outputs
 * count as different.
 */
export function isSameFormat(a: PasswordFormat, b: PasswordFormat): boolean {
  const values = (format: PasswordFormat) =>
    JSON.stringify(Object.entries(format).sort(([x], [y]) => (x < y ? -1 : 1)));
  return values(a) === values(b);
}

function readArgon2(data: Record<string, unknown>, hashLength: number): PasswordFormat {
  const rawParameters = data.additionalParameters;
  const parameters =
    typeof rawParameters === 'object' && rawParameters !== null ? (rawParameters as Record<string, unknown>) : {};
  const parameter = (name: string): unknown => {
    const value = parameters[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const type = parameter('type') ?? ARGON2_DEFAULTS.type;
  const version = parameter('version') ?? ARGON2_DEFAULTS.version;
  if (type !== 'd' && type !== 'i' && type !== 'id') throw new Error('its argon2 type is unknown');
  if (version !== '1.0' && version !== '1.3') throw new Error('its argon2 version is unknown');
  const parallelism = requireInteger(parameter('parallelism') ?? ARGON2_DEFAULTS.parallelism, 'parallelism', 1, 64);
  const statedLength = requireInteger(parameter('hashLength') ?? hashLength, 'hashLength', 4, 512);
  if (statedLength !== hashLength) throw new Error('its hashLength does not match the value');
  return {
    algorithm: 'argon2',
    hashIterations: requireInteger(data.hashIterations, 'hashIterations', 1, Number.MAX_SAFE_INTEGER),
    memory: requireInteger(parameter('memory') ?? ARGON2_DEFAULTS.memory, 'memory', 8 * parallelism, MAX_MEMORY_KIB),
    parallelism,
    hashLength,
    type,
    version,
  };
}

function isPbkdf2(algorithm: string): algorithm is keyof typeof PBKDF2_ITERATIONS {
  return Object.hasOwn(PBKDF2_ITERATIONS, algorithm);
}

function parse(text: string | undefined, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null) throw new Error(`its ${name} is not JSON`);
  return value as Record<string, unknown>;
}

function decodeBytes(value: unknown, name: string, min: number, max: number): Buffer {
  const decoded = typeof value === 'string' ? Buffer.from(value, 'base64') : Buffer.alloc(0);
  if (decoded.length < min || decoded.length > max) throw new Error(`its ${name} is not base64 of a usable length`);
  return decoded;
}

function requireInteger(value: unknown, name: string, min: number, max: number): number {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
    throw new Error(`its ${name} is not a whole number from ${min} to ${max}`);
  }
  return number;
}
