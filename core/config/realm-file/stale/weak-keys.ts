import { createPrivateKey } from 'node:crypto';
import { decodeDer } from '../../../model/armour.js';
import { AES_BYTES, MINIMUM_RSA_BITS, MINIMUM_SECRET_BYTES, RSA_BITS, SECRET_BYTES } from '../../../model/key-sizes.js';
import { isJsonObject, type Replacement, type StaleRule } from './rule.js';

type Config = Readonly<Record<string, unknown>>;

const COMPONENTS = ['components', 'org.keycloak.keys.KeyProvider', '*'];
/** Members of a component that describe its key. */
const KEY_MEMBERS = ['privateKey', 'certificate', 'secret', 'kid', 'keySize', 'secretSize'];
const NEW_KEY = 'the realm gets a new key';

/**
 * Rules for keys that Keycloak accepts and that are too weak, or of a wrong size, for their algorithm (RFC 7518 §3.2,
 * §3.3).
 */
export const KEY_RULES: readonly StaleRule[] = [
  { at: COMPONENTS, read: (value) => (isJsonObject(value) ? readComponent(value) : undefined) },
  {
    at: ['privateKey'],
    read(value) {
      const bits = rsaBits(value);
      if (bits === undefined || bits >= MINIMUM_RSA_BITS) return undefined;
      return { message: `is left out: ${tooFewBits(bits)}; ${NEW_KEY}` };
    },
  },
];

function readComponent(component: Config): Replacement | undefined {
  const { providerId, config } = component;
  if (!isJsonObject(config)) return undefined;
  switch (providerId) {
    case 'rsa':
    case 'rsa-enc': {
      const bits = rsaBits(firstValue(config, 'privateKey'));
      if (bits === undefined || bits >= MINIMUM_RSA_BITS) return undefined;
      return { message: `is left out: ${tooFewBits(bits)}; ${NEW_KEY}` };
    }
    case 'rsa-generated':
    case 'rsa-enc-generated':
      return readGenerated(component, config);
    case 'hmac-generated':
    case 'aes-generated':
      return readSecret(component, config, providerId === 'aes-generated');
    default:
      return undefined;
  }
}

function readGenerated(component: Config, config: Config): Replacement | undefined {
  const bits = rsaBits(firstValue(config, 'privateKey'));
  if (bits !== undefined) return bits < MINIMUM_RSA_BITS ? withNewKey(component, config, tooFewBits(bits)) : undefined;
  const size = sizeSetting(config, 'keySize');
  if (firstValue(config, 'privateKey') !== undefined || size === undefined || size >= MINIMUM_RSA_BITS)
    return undefined;
  return withNewKey(component, config, `keySize must be one of ${RSA_BITS.join(', ')}`);
}

function readSecret(component: Config, config: Config, isAes: boolean): Replacement | undefined {
  const sizes = isAes ? AES_BYTES : SECRET_BYTES;
  const secret = firstValue(config, 'secret');
  if (secret === undefined) {
    const size = sizeSetting(config, 'secretSize');
    if (size === undefined || sizes.includes(size)) return undefined;
    return withNewKey(component, config, `secretSize must be one of ${sizes.join(', ')}`);
  }
  // A value that is not base64url, such as a mask or a damaged text, is rejected later.
  if (!/^[A-Za-z0-9_-]+=*$/.test(secret)) return undefined;
  if (firstValue(config, 'kid') === undefined) return withNewKey(component, config, 'a secret requires a kid');
  const { length } = Buffer.from(secret, 'base64url');
  if (isAes && !AES_BYTES.includes(length)) {
    return withNewKey(component, config, `the secret has ${length} bytes; AES requires ${AES_BYTES.join(', ')}`);
  }
  if (isAes || length >= MINIMUM_SECRET_BYTES) return undefined;
  const reason = `the secret has ${length} bytes; at least ${MINIMUM_SECRET_BYTES} are required`;
  return withNewKey(component, config, reason);
}

/** Replaces a component by one without a key, so that the realm generates a new key of the default size. */
function withNewKey(component: Config, config: Config, reason: string): Replacement {
  const members = Object.entries(config).filter(([name]) => !KEY_MEMBERS.includes(name));
  return {
    to: { ...component, config: Object.fromEntries(members) },
    message: `its key is left out: ${reason}; the component gets a new key`,
  };
}

function tooFewBits(bits: number): string {
  return `the RSA key has ${bits} bits; at least ${MINIMUM_RSA_BITS} are required`;
}

/** The size in bits of an RSA key in PKCS#8 or PKCS#1; undefined for any other text. */
function rsaBits(text: unknown): number | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey({
        key: decodeDer(text),
        format: 'der',
        type,
      });
      return asymmetricKeyType === 'rsa' ? asymmetricKeyDetails?.modulusLength : undefined;
    } catch {
      // Try the other encoding. Another check reports a text in neither encoding.
    }
  }
  return undefined;
}

function firstValue(config: Config, name: string): string | undefined {
  const value = [config[name]].flat()[0];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function sizeSetting(config: Config, name: string): number | undefined {
  const text = firstValue(config, name);
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
