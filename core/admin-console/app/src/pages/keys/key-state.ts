import type { KeyComponent, KeyUse, RealmKey, RealmKeys } from '../../api/keys.ts';

/**
 * The purpose of a key.
 * - `tokens`: signs tokens that applications verify
 * - `internal`: signs what only the realm reads, such as cookies and refresh tokens
 * - `storage`: encrypts what only the realm reads
 * - `encryption`: decrypts what others encrypt for the realm
 * - `unused`: a secret of another algorithm, which the realm does not use
 */
export type KeyPurpose = 'tokens' | 'internal' | 'storage' | 'encryption' | 'unused';

const INTERNAL_ALGORITHM = 'HS512';
const STORAGE_ALGORITHM = 'AES';

export function purposeOf({ algorithm, use }: RealmKey): KeyPurpose {
  if (algorithm === INTERNAL_ALGORITHM) return 'internal';
  if (algorithm === STORAGE_ALGORITHM) return 'storage';
  if (use === 'ENC') return 'encryption';
  return algorithm.startsWith('HS') ? 'unused' : 'tokens';
}

/** `current`: the active key of its algorithm with the highest priority, which signs or encrypts. */
export type KeyState = 'current' | 'active' | 'passive' | 'disabled';

export function stateOf({ kid, status, algorithm }: RealmKey, { active }: RealmKeys): KeyState {
  if (status === 'DISABLED') return 'disabled';
  if (status === 'PASSIVE') return 'passive';
  return active[algorithm] === kid ? 'current' : 'active';
}

/** The active key that signs after this one stops; undefined if there is none. */
export function successorOf(key: RealmKey, { keys }: RealmKeys): RealmKey | undefined {
  return keys.find(
    ({ kid, status, algorithm }) => kid !== key.kid && status === 'ACTIVE' && algorithm === key.algorithm,
  );
}

/**
 * The time until which tokens of a key are valid that no longer signs, in milliseconds since the epoch. Undefined if it
 * is unknown: for the current key, and if no newer key has replaced it.
 */
export function lastTokenExpiry(key: RealmKey, realmKeys: RealmKeys, use: KeyUse | undefined): number | undefined {
  const current = realmKeys.keys.find(({ kid }) => kid === realmKeys.active[key.algorithm]);
  if (use?.lifespan === undefined || current?.createdAt === undefined || key.createdAt === undefined) return undefined;
  if (current.kid === key.kid || current.createdAt <= key.createdAt) return undefined;
  return current.createdAt + use.lifespan * 1000;
}

/** The order of the list: by algorithm, tokens first, and the host's signing order within an algorithm. */
export function inListOrder(keys: readonly RealmKey[]): readonly RealmKey[] {
  const rank = (key: RealmKey) => PURPOSES.indexOf(purposeOf(key));
  return [...keys].sort(
    (a, b) => rank(a) - rank(b) || (a.algorithm < b.algorithm ? -1 : a.algorithm > b.algorithm ? 1 : 0),
  );
}

const PURPOSES: readonly KeyPurpose[] = ['tokens', 'internal', 'storage', 'encryption', 'unused'];

/** The providers of the host itself; the keys of all others belong to plugins. */
const BUILT_IN = [
  ...['rsa-generated', 'rsa-enc-generated', 'ecdsa-generated', 'eddsa-generated', 'hmac-generated', 'aes-generated'],
  ...['ecdh-generated', 'rsa', 'rsa-enc'],
];

export function isOfPlugin({ providerId }: KeyComponent): boolean {
  return !BUILT_IN.includes(providerId);
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
/** Members that a new key of the same provider takes over. */
const SIZES = ['keySize', 'secretSize', 'ecdhEllipticCurveKey'];
/** The distance of a new key's priority, so that keys fit between. */
const PRIORITY_STEP = 100;

/** The component that generates a successor of a key: with the same algorithm and size, and the highest priority. */
export function rotationOf(key: RealmKey, keys: readonly RealmKey[], component: KeyComponent | undefined) {
  const [providerId, settings] = generatorOf(key.algorithm);
  const previous = component?.providerId === providerId ? Object.entries(component.config) : [];
  return {
    providerId,
    config: {
      ...Object.fromEntries(previous.filter(([name]) => SIZES.includes(name))),
      ...settings,
      priority: [String(nextPriority(keys, key.algorithm))],
    },
  };
}

export function nextPriority(keys: readonly RealmKey[], algorithm: string): number {
  const priorities = keys.filter((key) => key.algorithm === algorithm).map((key) => key.providerPriority);
  return Math.max(0, ...priorities) + PRIORITY_STEP;
}

function generatorOf(algorithm: string): [providerId: string, config: Readonly<Record<string, readonly string[]>>] {
  if (algorithm === STORAGE_ALGORITHM) return ['aes-generated', {}];
  if (algorithm === 'EdDSA') return ['eddsa-generated', {}];
  const curve = CURVES[algorithm];
  if (curve !== undefined) return ['ecdsa-generated', { ecdsaEllipticCurveKey: [curve] }];
  if (algorithm.startsWith('ECDH')) return ['ecdh-generated', { ecdhAlgorithm: [algorithm] }];
  if (algorithm.startsWith('HS')) return ['hmac-generated', { algorithm: [algorithm] }];
  return [/^[RP]S\d/.test(algorithm) ? 'rsa-generated' : 'rsa-enc-generated', { algorithm: [algorithm] }];
}
