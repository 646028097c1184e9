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

const REQUIRED = ['clientId', 'authorizationUrl', 'tokenUrl'];
const URLS = ['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl', 'logoutUrl'];
const BOOLEANS = [
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
/** The keys of `config` that have an effect. A key that resembles one is reported as a misspelling. */
const KNOWN_SETTINGS = [
  ...REQUIRED,
  ...URLS,
  ...BOOLEANS,
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
 * Checks the aliases and mappers of all identity providers, the flows of those that Keyhost supports, and the
 * configuration of those that are also enabled.
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
      if (typeof flow === 'string' && flow !== '') names.checkFlow(flow, [...path, key], complain);
    }
    if (provider.enabled !== false) checkConfig(provider, [...path, 'config'], complain);
  }
  const mappers = new Set<string>();
  for (const [index, mapper] of (realm.identityProviderMappers ?? []).entries()) {
    const { name, identityProviderAlias: alias } = mapper;
    const path = ['identityProviderMappers', index];
    const knownMappers: readonly string[] = IDENTITY_PROVIDER_MAPPERS;
    const misspelt = didYouMean(mapper.identityProviderMapper, knownMappers);
    if (
      !knownMappers.includes(mapper.identityProviderMapper) &&
      misspelt !== undefined &&
      !isUnsupportedMapper(mapper)
    ) {
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

/**
 * True for a mapper of Keycloak that this host lacks: its name resembles one that the host has, but is no misspelling.
 */
function isUnsupportedMapper({ identityProviderMapper: id }: { readonly identityProviderMapper: string }): boolean {
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
  for (const key of REQUIRED) if (!config[key]) complain(path, `"${key}" is missing`);
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
  for (const key of BOOLEANS) checkOneOf(config, key, ['true', 'false'], path, complain);
  for (const [key, choices] of Object.entries(CHOICES)) checkOneOf(config, key, choices, path, complain);
  for (const key of ['guiOrder', 'allowedClockSkew']) {
    if (config[key] && !/^\d{1,6}$/.test(config[key])) complain([...path, key], 'must be a whole number');
  }
  checkSignatureKeys(config, path, complain);
}

function checkSignatureKeys(config: Readonly<Record<string, string>>, path: JsonPath, complain: Complain): void {
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

function checkOneOf(
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
