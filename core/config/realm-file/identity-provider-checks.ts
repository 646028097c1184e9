import { readPublicKey } from '../../model/armour.js';
import {
  CLIENT_AUTH_METHODS,
  IDENTITY_PROVIDER_MAPPERS,
  OIDC_PROVIDERS,
  SYNC_MODES,
} from '../../model/identity-provider.js';
import type { IdentityProviderRepresentation, RealmRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { JsonPath } from '../json/json-document.js';
import type { Complain, RealmNames } from './realm-names.js';

const NEEDED = ['clientId', 'authorizationUrl', 'tokenUrl'];
const URLS = ['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl', 'logoutUrl'];
const SWITCHES = [
  'useJwksUrl',
  'validateSignature',
  'pkceEnabled',
  'disableUserInfo',
  'disableNonce',
  'loginHint',
  'uiLocales',
  'passMaxAge',
  'hideOnLoginPage',
  'backchannelSupported',
];
/** Keys of `config` that have an effect, for near misses. */
const KNOWN_SETTINGS = [
  ...NEEDED,
  ...URLS,
  ...SWITCHES,
  'clientSecret',
  'clientAuthMethod',
  'issuer',
  'defaultScope',
  'pkceMethod',
  'prompt',
  'syncMode',
  'guiOrder',
  'allowedClockSkew',
  'publicKeySignatureVerifier',
  'clientAssertionSigningAlg',
];
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  clientAuthMethod: CLIENT_AUTH_METHODS,
  pkceMethod: ['S256', 'plain'],
  syncMode: SYNC_MODES,
  prompt: ['none', 'login', 'consent', 'select_account'],
};
const ALIAS = /^[^\s/?#%]{1,255}$/;

/**
 * Checks the identity providers that users can sign in with, if enabled, and their mappers. All others are only stored.
 */
export function checkIdentityProviders(realm: RealmRepresentation, names: RealmNames, complain: Complain): void {
  const aliases = new Set<string>();
  for (const [index, provider] of (realm.identityProviders ?? []).entries()) {
    const path = ['identityProviders', index];
    if (aliases.has(provider.alias)) complain([...path, 'alias'], `the alias "${provider.alias}" is used twice`);
    aliases.add(provider.alias);
    if (!OIDC_PROVIDERS.includes(provider.providerId ?? '')) continue;
    if (!ALIAS.test(provider.alias)) complain([...path, 'alias'], 'must be a word that is allowed in a URL path');
    for (const key of ['firstBrokerLoginFlowAlias', 'postBrokerLoginFlowAlias']) {
      const flow = provider[key];
      if (typeof flow === 'string' && flow !== '') names.flow(flow, [...path, key], complain);
    }
    if (provider.enabled !== false) checkConfig(provider, [...path, 'config'], complain);
  }
  const mappers = new Set<string>();
  for (const [index, mapper] of (realm.identityProviderMappers ?? []).entries()) {
    const { name, identityProviderAlias: alias } = mapper;
    const path = ['identityProviderMappers', index];
    const knownMappers: readonly string[] = IDENTITY_PROVIDER_MAPPERS;
    const misspelt = didYouMean(mapper.identityProviderMapper, knownMappers);
    if (!knownMappers.includes(mapper.identityProviderMapper) && misspelt !== undefined && !isKeycloaks(mapper)) {
      complain(
        [...path, 'identityProviderMapper'],
        `mapper "${mapper.identityProviderMapper}" is not supported`,
        misspelt,
      );
    }
    if (mappers.has(`${alias} ${name}`)) complain([...path, 'name'], `the mapper "${name}" is used twice`);
    mappers.add(`${alias} ${name}`);
  }
}

/** True for Keycloak's own mappers that this host does not have: none is a misspelling of one that it has. */
function isKeycloaks({ identityProviderMapper: id }: { readonly identityProviderMapper: string }): boolean {
  return (
    /^(oidc|saml)-(user-attribute|username|role|advanced-role|advanced-group)-idp-mapper$/.test(id) ||
    /^[a-z]+(-v4)?-user-attribute-mapper$/.test(id) ||
    [
      'oidc-user-session-note-idp-mapper',
      'saml-xpath-attribute-idp-mapper',
      'keycloak-oidc-role-to-role-idp-mapper',
    ].includes(id)
  );
}

function checkConfig({ config = {} }: IdentityProviderRepresentation, path: JsonPath, complain: Complain): void {
  for (const key of NEEDED) if (!config[key]) complain(path, `"${key}" is missing`);
  for (const key of Object.keys(config)) {
    const suggestion = KNOWN_SETTINGS.includes(key) ? undefined : didYouMean(key, KNOWN_SETTINGS);
    if (suggestion !== undefined && config[suggestion] === undefined)
      complain([...path, key], `unknown key "${key}"`, suggestion);
  }
  for (const key of URLS) {
    const url = config[key];
    if (url && !(URL.canParse(url) && /^https?:\/\//i.test(url)))
      complain([...path, key], 'must be an http or https URL');
  }
  for (const key of SWITCHES) oneOf(config, key, ['true', 'false'], path, complain);
  for (const [key, choices] of Object.entries(CHOICES)) oneOf(config, key, choices, path, complain);
  for (const key of ['guiOrder', 'allowedClockSkew']) {
    if (config[key] && !/^\d{1,6}$/.test(config[key])) complain([...path, key], 'must be a whole number');
  }
  checkKeys(config, path, complain);
}

function checkKeys(config: Readonly<Record<string, string>>, path: JsonPath, complain: Complain): void {
  const { publicKeySignatureVerifier: key } = config;
  if (config.validateSignature !== 'true') return;
  if (config.useJwksUrl === 'true') {
    if (!config.jwksUrl) complain([...path, 'useJwksUrl'], 'requires "jwksUrl"');
  } else if (!key) {
    complain([...path, 'validateSignature'], 'requires "useJwksUrl" with "jwksUrl", or "publicKeySignatureVerifier"');
  } else {
    try {
      readPublicKey(key);
    } catch {
      complain([...path, 'publicKeySignatureVerifier'], 'must be a public key in PEM format');
    }
  }
}

function oneOf(
  config: Readonly<Record<string, string>>,
  key: string,
  choices: readonly string[],
  path: JsonPath,
  complain: Complain,
): void {
  const value = config[key];
  if (!value || choices.includes(value)) return;
  complain([...path, key], `must be ${choices.join(', ')}`, didYouMean(value, choices));
}
