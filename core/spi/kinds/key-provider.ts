import type { JsonObject } from '../json-schema.js';
import { spi } from '../plugin.js';
import { optional } from './answer-schemas.js';
import { componentSwitch } from './component-switch.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** Where a realm keeps its keys, with Keycloak's name. */
const COMPONENTS = 'org.keycloak.keys.KeyProvider';

/** The `config` of the key's component in the realm: lists of texts by name, as Keycloak keeps them. */
export interface KeyComponent {
  readonly config: Readonly<Record<string, readonly string[]>>;
}

/** A key that signs, without its private half. */
export interface ProvidedKey {
  /** Its name in the header of tokens, such as the thumbprint of RFC 7638. No other key of the realm may have it. */
  readonly kid: string;
  /** The JWS algorithm (RFC 7518 §3.1) that it signs with, such as `RS256`, `PS256`, `ES256` or `EdDSA`. */
  readonly algorithm: string;
  /** The public half: `kty` with `n` and `e`, or `crv`, `x` and `y` (RFC 7517). Nothing private. */
  readonly publicKey: JsonObject;
  /** Its X.509 certificate: base64 of the DER form. Published as `x5c`. */
  readonly certificate?: string;
}

export interface SigningRequest extends KeyComponent {
  readonly kid: string;
  readonly algorithm: string;
  /** The JWS signing input (RFC 7515 §5.1), which is ASCII. */
  readonly input: string;
}

/**
 * Keycloak's KeyProvider, for keys that never leave the place where they are: an HSM, a cloud's key service. The host publishes
 * the public half, verifies with it, and has every signature checked before it uses it.
 */
export interface KeyProviderProvider {
  /**
   * The keys of the component. The first one of an algorithm signs. The host asks when it loads the keys of the realm, and once a minute
   * after that. If it throws or is late, the public keys stay as they were, also across restarts.
   */
  keys(request: KeyComponent): Promise<readonly ProvidedKey[]>;
  /**
   * @returns the signature (RFC 7518 §3), base64url without padding. Of ECDSA it is R and S one after the other, not DER. If it throws,
   *   is late, or its signature does not verify, no token is issued: the request is answered with 503.
   */
  sign(request: SigningRequest): Promise<string>;
  /** What is wrong with a configuration that fits the settings: a sentence for the admin who sends it. */
  checkConfig?(request: KeyComponent): Promise<string | undefined>;
}

const TEXT = { type: 'string', minLength: 1, maxLength: 16_384 } as const;

/** A key component of the realm's `components` that names it as `providerId`. */
export const KeyProvider = spi<Described, KeyProviderProvider>({
  id: 'keys',
  name: 'KeyProvider',
  carries: 'credentials',
  declares: ['describe', 'settings'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  realm: componentSwitch(COMPONENTS, { common: { priority: ['200'] } }),
  // The keys of Keycloak's own providers are in the host's key store.
  reserved: [
    ...['rsa', 'rsa-generated', 'rsa-enc', 'rsa-enc-generated', 'ecdsa-generated', 'ecdh-generated', 'eddsa-generated'],
    ...['hmac-generated', 'aes-generated', 'java-keystore'],
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
