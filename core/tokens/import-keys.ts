import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject, X509Certificate } from 'node:crypto';
import { didYouMean } from '../config/did-you-mean.js';
import type { ComponentRepresentation, RealmRepresentation } from '../model/representation.js';
import type { KeyStatus } from '../store/store.js';
import { type Algorithm, ENCRYPTION_ALGORITHMS, signatureAlgorithm } from './algorithms.js';
import { type KeyMaterial, kidOf } from './key-material.js';
import { DEFAULT_KEY_PRIORITY, type KeyRecordDraft } from './key-ring.js';

export const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';
const PROVIDER_ID = 'providerId';
const MINIMUM_RSA_BITS = 2048;
const MINIMUM_SECRET_BYTES = 32;

/** A key of a realm representation that cannot be taken over. */
export interface KeyImportProblem {
  /** Where it is, from the realm's root: for jsonc-parser's `findNodeAtLocation`. */
  readonly location: readonly (string | number)[];
  /** Names the component and says why. Holds nothing of the key. */
  readonly message: string;
  /** The word that was probably meant. */
  readonly suggestion?: string;
}

/** All the keys of a realm representation that cannot be taken over. */
export class KeyImportError extends Error {
  override readonly name = 'KeyImportError';
  readonly code = 'realm_keys_invalid';
  readonly problems: readonly KeyImportProblem[];

  constructor(problems: readonly KeyImportProblem[]) {
    super(problems.map(({ message }) => message).join('; '));
    this.problems = problems;
  }
}

/** Why one component was refused, and which key of its `config`, or its `providerId`. */
class Refusal extends Error {
  readonly key: string | undefined;
  readonly suggestion: string | undefined;

  constructor(message: string, key?: string, suggestion?: string) {
    super(message);
    this.key = key;
    this.suggestion = suggestion;
  }
}

interface KeySource {
  readonly use: 'sig' | 'enc';
  readonly algorithm: (config: Config) => string;
  readonly privateKey: string;
  /** A component without key material asks for a new key: it is made on first use. */
  readonly generated: boolean;
}

type Config = (key: string) => string | undefined;

const asStated =
  (fallback: string) =>
  (config: Config): string =>
    config('algorithm') ?? fallback;
const CURVE_ALGORITHMS: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
const byCurve = (config: Config): string => {
  const curve = config('ecdsaEllipticCurveKey') ?? 'P-256';
  const algorithm = CURVE_ALGORITHMS[curve];
  if (algorithm === undefined) throw new Refusal(`the curve ${curve} is not known`, 'ecdsaEllipticCurveKey');
  return algorithm;
};

const SOURCES: Readonly<Record<string, KeySource>> = {
  rsa: { use: 'sig', algorithm: asStated('RS256'), privateKey: 'privateKey', generated: false },
  'rsa-generated': { use: 'sig', algorithm: asStated('RS256'), privateKey: 'privateKey', generated: true },
  'rsa-enc': { use: 'enc', algorithm: asStated('RSA-OAEP'), privateKey: 'privateKey', generated: false },
  'rsa-enc-generated': { use: 'enc', algorithm: asStated('RSA-OAEP'), privateKey: 'privateKey', generated: true },
  'ecdsa-generated': { use: 'sig', algorithm: byCurve, privateKey: 'ecdsaPrivateKey', generated: true },
  'eddsa-generated': { use: 'sig', algorithm: () => 'EdDSA', privateKey: 'eddsaPrivateKey', generated: true },
  'hmac-generated': { use: 'sig', algorithm: asStated('HS256'), privateKey: 'secret', generated: true },
};
/** Keys that nothing in Keyhost uses: AES encrypts Keycloak's own cookies, ECDH its JWE answers. */
const UNUSED = ['aes-generated', 'ecdh-generated'];

/** False for a component that says nothing without its private key. */
export function isGeneratedKey({ providerId }: ComponentRepresentation): boolean {
  return UNUSED.includes(providerId) || (Object.hasOwn(SOURCES, providerId) && SOURCES[providerId]?.generated === true);
}

/**
 * Takes over the keys of a Keycloak export with their kids: the components of type `org.keycloak.keys.KeyProvider`,
 * or, where there is none of them, the realm's own `privateKey` and `certificate` (RS256). Components without key
 * material are left out, since Keycloak too makes their key when it imports them.
 * @param now milliseconds: `createdAt` of the drafts
 * @throws KeyImportError with every key that cannot be taken over
 */
export function importRealmKeys(representation: RealmRepresentation, now: number): KeyRecordDraft[] {
  const components = representation.components?.[KEY_PROVIDER] ?? [];
  const problems: KeyImportProblem[] = [];
  const drafts: KeyRecordDraft[] = [];
  const seen = new Map<string, string>();
  type Place = (key: string | undefined) => readonly (string | number)[];
  const take = (name: string, placeOf: Place, read: () => KeyRecordDraft | undefined) => {
    try {
      const draft = read();
      if (draft === undefined) return;
      const other = seen.get(draft.kid);
      if (other !== undefined) throw new Refusal(`its kid is also that of ${other}`);
      seen.set(draft.kid, name);
      drafts.push(draft);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { key, message, suggestion } = error;
      const problem = { location: placeOf(key), message: `${name}: ${message}` };
      problems.push(suggestion === undefined ? problem : { ...problem, suggestion });
    }
  };

  for (const [index, component] of components.entries()) {
    const name = `key component ${JSON.stringify(component.name ?? component.id ?? component.providerId)}`;
    const place = ['components', KEY_PROVIDER, index];
    const placeOf: Place = (key) =>
      key === PROVIDER_ID ? [...place, key] : [...place, 'config', ...(key ? [key] : [])];
    take(name, placeOf, () => readComponent(component, now));
  }
  if (components.length === 0 && representation.privateKey !== undefined) {
    const { privateKey, certificate } = representation;
    const config: Config = (key) => ({ privateKey, certificate })[key];
    take(
      'key of the realm',
      (key) => (key === undefined ? [] : [key]),
      () => readKey(config, 'RS256', 'sig', 'privateKey', now),
    );
  }
  if (problems.length > 0) throw new KeyImportError(problems);
  return drafts;
}

function readComponent(component: ComponentRepresentation, now: number): KeyRecordDraft | undefined {
  const { providerId } = component;
  if (UNUSED.includes(providerId)) return undefined;
  if (providerId === 'java-keystore') {
    throw new Refusal('a key in a Java keystore cannot be read; give it as an rsa component with privateKey');
  }
  const source = Object.hasOwn(SOURCES, providerId) ? SOURCES[providerId] : undefined;
  if (source === undefined) {
    const suggestion = didYouMean(providerId, [...Object.keys(SOURCES), ...UNUSED]);
    throw new Refusal(`the key provider ${JSON.stringify(providerId)} is not known`, PROVIDER_ID, suggestion);
  }
  const config: Config = (key) => {
    const value = component.config?.[key]?.[0];
    return value === undefined || value === '' ? undefined : value;
  };
  if (config(source.privateKey) === undefined) {
    if (source.generated) return undefined;
    throw new Refusal(`${source.privateKey} is missing`, source.privateKey);
  }
  // Before `rsa-enc` existed, the rsa provider said in keyUse what its key is for.
  const use = config('keyUse')?.toLowerCase() === 'enc' ? 'enc' : source.use;
  return readKey(config, source.algorithm(config), use, source.privateKey, now);
}

function readKey(config: Config, algorithm: string, use: 'sig' | 'enc', field: string, now: number): KeyRecordDraft {
  const text = config(field) ?? '';
  if (/^\*+$/.test(text)) {
    throw new Refusal('the key is masked: export the realm with "kc.sh export", which writes its secrets', field);
  }
  const spec = use === 'sig' ? signatureAlgorithm(algorithm) : undefined;
  if (spec === undefined && !(use === 'enc' && ENCRYPTION_ALGORITHMS.includes(algorithm))) {
    throw new Refusal(`the algorithm ${JSON.stringify(algorithm)} is not supported`, 'algorithm');
  }
  const priority = Number(config('priority') ?? DEFAULT_KEY_PRIORITY);
  if (!Number.isSafeInteger(priority)) throw new Refusal('the priority is not a whole number', 'priority');
  const { kid, material } = spec?.kty === 'oct' ? readSecret(text, config) : readPrivateKey(text, spec, field, config);
  return {
    kid: config('kid') ?? kid,
    use,
    algorithm,
    status: statusOf(config),
    priority,
    createdAt: now,
    material: JSON.stringify(material),
  };
}

function statusOf(config: Config): KeyStatus {
  if (config('enabled') === 'false') return 'DISABLED';
  return config('active') === 'false' ? 'PASSIVE' : 'ACTIVE';
}

function readSecret(text: string, config: Config): { kid: string; material: KeyMaterial } {
  const secret = Buffer.from(text, 'base64url');
  if (!/^[A-Za-z0-9_-]+=*$/.test(text)) throw new Refusal('the secret is not base64url', 'secret');
  if (secret.length < MINIMUM_SECRET_BYTES) {
    throw new Refusal(`the secret has ${secret.length} bytes; ${MINIMUM_SECRET_BYTES} are needed`, 'secret');
  }
  const kid = config('kid');
  if (kid === undefined) throw new Refusal('an HMAC key needs a kid', 'kid');
  return { kid, material: { jwk: createSecretKey(secret).export({ format: 'jwk' }) } };
}

function readPrivateKey(
  text: string,
  spec: Algorithm | undefined,
  field: string,
  config: Config,
): { kid: string; material: KeyMaterial } {
  const key = parsePrivateKey(text, field);
  checkFits(key, spec, field);
  const jwk = key.export({ format: 'jwk' });
  const certificate = config('certificate');
  const material = certificate === undefined ? { jwk } : { jwk, certificate: readCertificate(certificate, key) };
  return { kid: kidOf(createPublicKey(key)), material };
}

/** Base64 with or without PEM armour; PKCS#8, or PKCS#1 as old Keycloaks wrote it. */
function parsePrivateKey(text: string, field: string): KeyObject {
  const key = withoutArmour(text);
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type });
    } catch {
      // The next encoding is tried; the refusal below tells when none fits. OpenSSL's reasons say nothing to a person.
    }
  }
  throw new Refusal(`${field} is not a PKCS#8 or PKCS#1 private key`, field);
}

function checkFits(key: KeyObject, spec: Algorithm | undefined, field: string): void {
  const kty = spec?.kty ?? 'RSA';
  const expected = kty === 'RSA' ? 'rsa' : kty === 'EC' ? 'ec' : 'ed25519';
  if (key.asymmetricKeyType !== expected) {
    throw new Refusal(`${field} is of type ${key.asymmetricKeyType}, not ${expected}`, field);
  }
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && bits < MINIMUM_RSA_BITS) {
    throw new Refusal(`the RSA key has ${bits} bits; ${MINIMUM_RSA_BITS} are needed`, field);
  }
  const curve = kty === 'EC' ? key.export({ format: 'jwk' }).crv : spec?.curve;
  if (curve !== spec?.curve) throw new Refusal(`the key is on the curve ${curve}, not ${spec?.curve}`, field);
}

function readCertificate(text: string, key: KeyObject): string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(withoutArmour(text));
  } catch {
    throw new Refusal('the certificate cannot be read', 'certificate');
  }
  if (!certificate.checkPrivateKey(key)) throw new Refusal('the certificate is of another key', 'certificate');
  return certificate.raw.toString('base64');
}

function withoutArmour(text: string): Buffer {
  return Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64');
}
