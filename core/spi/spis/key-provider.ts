import type { JsonObject } from '../json-schema.js';
import { spi } from '../plugin.js';
import { optional } from './answer-schemas.js';
import { componentSwitch } from './component-switch.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** The component type of keys in a realm, with Keycloak's name. */
const COMPONENT_TYPE = 'org.keycloak.keys.KeyProvider';

/** The `config` of the key's component in the realm: lists of texts by name, as in Keycloak. */
export interface KeyComponent {
  readonly config: Readonly<Record<string, readonly string[]>>;
}

/** A signing key, without its private half. */
export interface ProvidedKey {
  /** The key's `kid` in the header of tokens, such as the thumbprint of RFC 7638. It must be unique in the realm. */
  readonly kid: string;
  /** The JWS algorithm of the key (RFC 7518 §3.1), such as `RS256`, `PS256`, `ES256` or `EdDSA`. */
  readonly algorithm: string;
  /** The public half: `kty` with `n` and `e`, or `crv`, `x` and `y` (RFC 7517). Nothing private. */
  readonly publicKey: JsonObject;
  /** The key's X.509 certificate, as base64 of the DER form. It is published as `x5c`. */
  readonly certificate?: string;
}

/** A request to sign a token. */
export interface SigningRequest extends KeyComponent {
  /** The `kid` of the key to use. */
  readonly kid: string;
  /** The JWS algorithm of the signature. */
  readonly algorithm: string;
  /** The JWS signing input (RFC 7515 §5.1), which is ASCII. */
  readonly input: string;
}

/**
 * Keycloak's KeyProvider, for keys that cannot be exported, as in an HSM or a cloud's key service. The host publishes
 * the public key and verifies every signature before it uses it.
 */
export interface KeyProviderProvider {
  /**
   * Returns the keys of the component. The first key of an algorithm signs. The host calls it when it loads the keys of
   * the realm, and then once a minute. If it throws or exceeds its time limit, the host keeps using the last known
   * public keys, also after a restart.
   */
  keys(request: KeyComponent): Promise<readonly ProvidedKey[]>;
  /**
   * Signs the input. If it throws, exceeds its time limit, or the signature does not verify, no token is issued and the
   * request is answered with 503.
   * @returns the signature (RFC 7518 §3), base64url without padding; for ECDSA the concatenation of R and S, not DER
   */
  sign(request: SigningRequest): Promise<string>;
  /**
   * Checks a configuration that matches the settings. Returns a sentence for the admin who sent it if something is
   * wrong.
   */
  checkConfig?(request: KeyComponent): Promise<string | undefined>;
}

const TEXT = { type: 'string', minLength: 1, maxLength: 16_384 } as const;

/**
 * A key component of the realm's `components` that names it as `providerId`.
 * @example
 * ```ts
 * import { KeyProvider, provide } from '@keyhost/spi';
 *
 * const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
 *
 * export default provide(KeyProvider, {
 *   id: 'key-in-memory',
 *   async open() {
 *     const { privateKey, publicKey } = await crypto.subtle.generateKey(ES256, false, ['sign', 'verify']);
 *     const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
 *     return {
 *       create: () => ({
 *         keys: async () => [{ kid: x, algorithm: 'ES256', publicKey: { kty, crv, x, y } }],
 *         sign: async ({ input }) =>
 *           Buffer.from(await crypto.subtle.sign(ES256, privateKey, Buffer.from(input))).toString('base64url'),
 *       }),
 *     };
 *   },
 * });
 * ```
 */
export const KeyProvider = spi<Described, KeyProviderProvider>({
  id: 'keys',
  name: 'KeyProvider',
  carries: 'credentials',
  declares: ['describe', 'settings'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  realm: componentSwitch(COMPONENT_TYPE, { common: { priority: ['200'] } }),
  // The keys of Keycloak's own providers are in the host's key store.
  reserved: [
    'rsa',
    'rsa-generated',
    'rsa-enc',
    'rsa-enc-generated',
    'ecdsa-generated',
    'ecdh-generated',
    'eddsa-generated',
    'hmac-generated',
    'aes-generated',
    'java-keystore',
  ],
  methods: { required: ['keys', 'sign'], optional: ['checkConfig'] },
  answers: {
    keys: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        required: ['kid', 'algorithm', 'publicKey'],
        properties: {
          kid: { type: 'string', minLength: 1, maxLength: 255 },
          algorithm: { type: 'string' },
          publicKey: {
            type: 'object',
            required: ['kty'],
            properties: { kty: TEXT, n: TEXT, e: TEXT, crv: TEXT, x: TEXT, y: TEXT },
            additionalProperties: false,
          },
          certificate: TEXT,
        },
        additionalProperties: false,
      },
    },
    sign: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,2048}$' },
    checkConfig: optional(TEXT),
  },
  check: checkDescribed,
});
