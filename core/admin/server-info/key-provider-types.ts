import { KeyProvider } from '@keyhost/spi';
import { ECDH_ALGORITHMS } from '../../keys/algorithms.js';
import { keyMaterialOf } from '../../keys/component-key.js';
import type { Providers } from '../../registry/generations/generation.js';
import type { AdminTexts } from '../admin-texts.js';
import { type ConfigProperty, createField } from './config-property.js';
import { settingsProperties } from './settings-properties.js';

const STATE_FIELDS = [
  createField('priority', 'String', 'Priority', {
    defaultValue: '0',
    helpText: 'The active key with the highest priority signs.',
  }),
  createField('enabled', 'boolean', 'Enabled', {
    defaultValue: 'true',
    helpText: 'A disabled key is not used, not even to verify.',
  }),
  createField('active', 'boolean', 'Active', {
    defaultValue: 'true',
    helpText: 'A key that is not active only verifies.',
  }),
];
const listField = (name: string, label: string, options: readonly string[], defaultValue = options[0]) =>
  createField(name, 'List', label, { options, defaultValue });
const RSA_SIGNATURE_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const RSA_ENCRYPTION_ALGORITHMS = ['RSA-OAEP', 'RSA-OAEP-256', 'RSA1_5'];
const KEY_SIZE = listField('keySize', 'Key size', ['2048', '3072', '4096']);
const PEM_FIELDS = [
  createField('privateKey', 'File', 'Private RSA Key', { required: true, helpText: 'In PEM.' }),
  createField('certificate', 'File', 'X509 Certificate', { helpText: 'In PEM.' }),
];

/** The built-in types of key components, for Keycloak's admin console. */
export const BUILT_IN_KEY_PROVIDER_TYPES = [
  createType('rsa-generated', 'Generates RSA signature keys', [
    KEY_SIZE,
    listField('algorithm', 'Algorithm', RSA_SIGNATURE_ALGORITHMS),
  ]),
  createType('rsa-enc-generated', 'Generates RSA keys for key encryption', [
    KEY_SIZE,
    listField('algorithm', 'Algorithm', RSA_ENCRYPTION_ALGORITHMS),
  ]),
  createType('ecdsa-generated', 'Generates ECDSA keys', [
    listField('ecdsaEllipticCurveKey', 'Elliptic Curve', ['P-256', 'P-384', 'P-521']),
  ]),
  createType('ecdh-generated', 'Generates ECDH keys', [
    listField('ecdhEllipticCurveKey', 'Elliptic Curve', ['P-256', 'P-384', 'P-521']),
    listField('ecdhAlgorithm', 'Algorithm', ECDH_ALGORITHMS),
  ]),
  createType('eddsa-generated', 'Generates EdDSA keys', [
    listField('eddsaEllipticCurveKey', 'Elliptic Curve', ['Ed25519']),
  ]),
  createType('hmac-generated', 'Generates HMAC secret key', [
    listField('secretSize', 'Secret size', ['32', '48', '64', '128', '256', '512'], '64'),
    listField('algorithm', 'Algorithm', ['HS256', 'HS384', 'HS512'], 'HS512'),
  ]),
  createType('aes-generated', 'Generates AES secret key', [
    listField('secretSize', 'AES Key size', ['16', '24', '32'], '32'),
  ]),
  createType('rsa', 'RSA signature key provider that can optionally include a certificate', [
    ...PEM_FIELDS,
    listField('algorithm', 'Algorithm', RSA_SIGNATURE_ALGORITHMS),
  ]),
  createType('rsa-enc', 'RSA key for key encryption that can optionally include a certificate', [
    ...PEM_FIELDS,
    listField('algorithm', 'Algorithm', RSA_ENCRYPTION_ALGORITHMS),
  ]),
];

/** The types of key components: built-in ones and those of plugins. */
export function keyProviderTypes(providers: Pick<Providers, 'all'>, texts: AdminTexts) {
  const pluginTypes = providers.all(KeyProvider).map((provider) => {
    const { displayName, helpText = displayName ?? provider.plugin.name } = texts.description(provider) ?? {};
    const settings = settingsProperties(texts.schema(provider, provider.declaration.settings), {});
    return {
      id: provider.id,
      helpText,
      properties: [...STATE_FIELDS, ...settings],
      clientProperties: [],
      metadata: {},
    };
  });
  return [...BUILT_IN_KEY_PROVIDER_TYPES, ...pluginTypes];
}

function createType(id: string, helpText: string, properties: readonly ConfigProperty[]) {
  const secretMembers = keyMaterialOf(id);
  const fields = properties.map((property) =>
    secretMembers.includes(property.name) ? { ...property, secret: true } : property,
  );
  return { id, helpText, properties: [...STATE_FIELDS, ...fields], clientProperties: [], metadata: {} };
}
