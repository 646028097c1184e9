import { KeyProvider } from '@keyhost/spi';
import { ECDH_ALGORITHMS } from '../../keys/algorithms.js';
import { keyMaterialOf } from '../../keys/component-key.js';
import type { Providers } from '../../registry/generations/generation.js';
import type { AdminTexts } from '../admin-texts.js';
import { type ConfigProperty, field } from './config-property.js';
import { settingsProperties } from './settings-properties.js';

const STATE = [
  field('priority', 'String', 'Priority', {
    defaultValue: '0',
    helpText: 'The active key with the highest priority signs.',
  }),
  field('enabled', 'boolean', 'Enabled', {
    defaultValue: 'true',
    helpText: 'A disabled key is not used, not even to verify.',
  }),
  field('active', 'boolean', 'Active', {
    defaultValue: 'true',
    helpText: 'A key that is not active only verifies.',
  }),
];
const list = (name: string, label: string, options: readonly string[], defaultValue = options[0]) =>
  field(name, 'List', label, { options, defaultValue });
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const RSA_ENC = ['RSA-OAEP', 'RSA-OAEP-256', 'RSA1_5'];
const KEY_SIZE = list('keySize', 'Key size', ['2048', '3072', '4096']);
const PEM = [
  field('privateKey', 'File', 'Private RSA Key', { required: true, helpText: 'In PEM.' }),
  field('certificate', 'File', 'X509 Certificate', { helpText: 'In PEM.' }),
];

/** The key providers of `POST /components` for Keycloak's admin console. */
export const KEY_PROVIDER_TYPES = [
  type('rsa-generated', 'Generates RSA signature keys', [KEY_SIZE, list('algorithm', 'Algorithm', RSA)]),
  type('rsa-enc-generated', 'Generates RSA keys for key encryption', [
    KEY_SIZE,
    list('algorithm', 'Algorithm', RSA_ENC),
  ]),
  type('ecdsa-generated', 'Generates ECDSA keys', [
    list('ecdsaEllipticCurveKey', 'Elliptic Curve', ['P-256', 'P-384', 'P-521']),
  ]),
  type('ecdh-generated', 'Generates ECDH keys', [
    list('ecdhEllipticCurveKey', 'Elliptic Curve', ['P-256', 'P-384', 'P-521']),
    list('ecdhAlgorithm', 'Algorithm', ECDH_ALGORITHMS),
  ]),
  type('eddsa-generated', 'Generates EdDSA keys', [list('eddsaEllipticCurveKey', 'Elliptic Curve', ['Ed25519'])]),
  type('hmac-generated', 'Generates HMAC secret key', [
    list('secretSize', 'Secret size', ['32', '48', '64', '128', '256', '512'], '64'),
    list('algorithm', 'Algorithm', ['HS256', 'HS384', 'HS512'], 'HS512'),
  ]),
  type('aes-generated', 'Generates AES secret key', [list('secretSize', 'AES Key size', ['16', '24', '32'], '32')]),
  type('rsa', 'RSA signature key provider that can optionally include a certificate', [
    ...PEM,
    list('algorithm', 'Algorithm', RSA),
  ]),
  type('rsa-enc', 'RSA key for key encryption that can optionally include a certificate', [
    ...PEM,
    list('algorithm', 'Algorithm', RSA_ENC),
  ]),
];

/** The key providers of this host: its own and those of plugins. */
export function keyProviderTypes(providers: Pick<Providers, 'all'>, words: AdminTexts) {
  const ofPlugins = providers.all(KeyProvider).map((provider) => {
    const { displayName, helpText = displayName ?? provider.plugin.name } = words.description(provider) ?? {};
    const settings = settingsProperties(words.schema(provider, provider.declaration.settings), {});
    return { id: provider.id, helpText, properties: [...STATE, ...settings], clientProperties: [], metadata: {} };
  });
  return [...KEY_PROVIDER_TYPES, ...ofPlugins];
}

function type(id: string, helpText: string, properties: readonly ConfigProperty[]) {
  const material = keyMaterialOf(id);
  const described = properties.map((one) => (material.includes(one.name) ? { ...one, secret: true } : one));
  return { id, helpText, properties: [...STATE, ...described], clientProperties: [], metadata: {} };
}
