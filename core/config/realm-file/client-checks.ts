import { PAIRWISE } from '../../model/pairwise-subject.js';
import type { ClientRepresentation, ImpersonationRepresentation } from '../../model/representation.js';
import { isChangedByBrowser, isScriptAddress } from '../../model/script-address.js';
import { didYouMean } from '../did-you-mean.js';
import { findTooDeep } from '../json/json-depth.js';
import type { JsonPath } from '../json/json-document.js';
import { LEVEL_NAMES, levelNamesProblem } from './level-names.js';
import type { Complain, RealmNames } from './realm-names.js';
import { ALGORITHMS } from './schema/value-schemas.js';

const SIGNATURE_ALGORITHMS = [...ALGORITHMS, 'HS256', 'HS384', 'HS512'];

interface AttributeRule {
  readonly allowed: RegExp | readonly string[];
  readonly message: string;
}

const SECONDS: AttributeRule = { allowed: /^(-1|\d{1,10})$/, message: 'must be a number of seconds in double quotes' };
const BOOLEAN: AttributeRule = { allowed: ['true', 'false'], message: 'must be "true" or "false"' };
/** An address that the host calls or shows as a link. */
const ADDRESS: AttributeRule = {
  allowed: /^(https?:\/\/[^\s\\]+|\/[^\s\\]*)$/i,
  message: 'must be an http or https URL, or a path below rootUrl',
};
const ALGORITHM: AttributeRule = {
  allowed: SIGNATURE_ALGORITHMS,
  message: `must be one of ${SIGNATURE_ALGORITHMS.join(', ')}`,
};

/** The attributes that have an effect in Keyhost, except those with other checks. An empty string counts as not set. */
const ATTRIBUTES: Readonly<Record<string, AttributeRule>> = {
  'access.token.lifespan': SECONDS,
  'client.secret.expiration.time': SECONDS,
  'client.secret.rotated.expiration.time': SECONDS,
  'client.session.idle.timeout': SECONDS,
  'client.session.max.lifespan': SECONDS,
  'token.endpoint.auth.signing.max.exp': SECONDS,
  'access.token.header.type.rfc9068': BOOLEAN,
  'allow.userinfo.with.lightweight.access.token': BOOLEAN,
  'client.use.lightweight.access.token.enabled': BOOLEAN,
  'client_credentials.use_refresh_token': BOOLEAN,
  'oauth2.device.code.lifespan': SECONDS,
  'oauth2.device.polling.interval': SECONDS,
  'oauth2.device.authorization.grant.enabled': BOOLEAN,
  'require.pushed.authorization.requests': BOOLEAN,
  'standard.token.exchange.enabled': BOOLEAN,
  'token.response.type.bearer.lower-case': BOOLEAN,
  'use.refresh.tokens': BOOLEAN,
  'keyhost.redirect.fragments': BOOLEAN,
  'backchannel.logout.url': ADDRESS,
  'frontchannel.logout.url': ADDRESS,
  'jwks.url': ADDRESS,
  logoUri: ADDRESS,
  policyUri: ADDRESS,
  tosUri: ADDRESS,
  'access.token.signed.response.alg': ALGORITHM,
  'id.token.signed.response.alg': ALGORITHM,
  'user.info.response.signature.alg': { ...ALGORITHM, allowed: [...SIGNATURE_ALGORITHMS, 'none', 'any'] },
};

/** The known protocols. Extensions of Keycloak may add others, so only a near miss is a mistake. */
const PROTOCOLS = ['openid-connect', 'saml', 'docker-v2'];

/**
 * Describes the mistake in a registered redirect URI or pattern, in Keycloak's words. It must not have a fragment (RFC
 * 6749 §3.1.2), although the URI in a request may.
 */
function registeredUriProblem(uri: string): string | undefined {
  return redirectUriProblem(uri) ?? (uri.includes('#') ? 'must not have a fragment' : undefined);
}

/** Checks what the schema of a client does not. */
export function checkClient(client: ClientRepresentation, path: JsonPath, names: RealmNames, complain: Complain): void {
  for (const key of ['defaultClientScopes', 'optionalClientScopes'] as const) {
    for (const [index, name] of (client[key] ?? []).entries()) names.checkScope(name, [...path, key, index], complain);
  }
  for (const [binding, flow] of Object.entries(client.authenticationFlowBindingOverrides ?? {})) {
    // Keycloak writes an empty text for an override that was removed.
    if (flow !== '') names.checkFlow(flow, [...path, 'authenticationFlowBindingOverrides', binding], complain);
  }
  for (const [index, uri] of (client.redirectUris ?? []).entries()) {
    const problem = registeredUriProblem(uri);
    if (problem !== undefined) complain([...path, 'redirectUris', index], problem);
  }
  for (const uri of (client.attributes?.['post.logout.redirect.uris'] ?? '').split('##')) {
    const problem = registeredUriProblem(uri);
    if (problem !== undefined) complain([...path, 'attributes', 'post.logout.redirect.uris'], problem);
  }
  for (const key of ['rootUrl', 'baseUrl', 'adminUrl'] as const) {
    const address = client[key] ?? '';
    if (isScriptAddress(address)) complain([...path, key], 'must not have this scheme');
    else if (isChangedByBrowser(address))
      complain([...path, key], 'must not contain control characters, or begin or end with spaces');
  }
  for (const [name, value] of Object.entries(client.attributes ?? {})) {
    const rule = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
    if (rule === undefined || value === '') continue;
    const { allowed, message } = rule;
    if (allowed instanceof RegExp ? allowed.test(value) : allowed.includes(value)) continue;
    complain(
      [...path, 'attributes', name],
      message,
      allowed instanceof RegExp ? undefined : didYouMean(value, allowed, 2),
    );
  }
  for (const [index, { protocolMapper, config = {} }] of (client.protocolMappers ?? []).entries()) {
    if (protocolMapper !== PAIRWISE.mapper || config[PAIRWISE.salt]) continue;
    complain([...path, 'protocolMappers', index, 'config'], `requires ${PAIRWISE.salt}: a secret string`);
  }
  const { 'use.jwks.string': usesKeySet, 'jwks.string': keySet } = client.attributes ?? {};
  if (usesKeySet === 'true' && keySet && !isKeySet(keySet)) {
    complain([...path, 'attributes', 'jwks.string'], 'must be a JSON Web Key Set such as {"keys": […]}');
  }
  const levels = levelNamesProblem(client.attributes?.[LEVEL_NAMES] ?? '');
  if (levels !== undefined) complain([...path, 'attributes', LEVEL_NAMES], levels);
  const { protocol = 'openid-connect' } = client;
  const nearProtocol = PROTOCOLS.includes(protocol) ? undefined : didYouMean(protocol, PROTOCOLS, 2);
  if (nearProtocol !== undefined) complain([...path, 'protocol'], `protocol "${protocol}" not found`, nearProtocol);
  if (client.impersonation !== undefined) checkImpersonation(client, client.impersonation, path, names, complain);
}

function isKeySet(text: string): boolean {
  if (findTooDeep(text) !== undefined) return false;
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys);
  } catch {
    // The caller reports the required format.
    return false;
  }
}

function checkImpersonation(
  client: ClientRepresentation,
  impersonation: ImpersonationRepresentation,
  path: JsonPath,
  names: RealmNames,
  complain: Complain,
): void {
  const impersonationPath = [...path, 'impersonation'];
  if (impersonation.enabled === true && (client.publicClient === true || client.bearerOnly === true)) {
    complain(impersonationPath, 'requires a confidential client');
  }
  for (const [index, scope] of (impersonation.scopes ?? []).entries()) {
    names.checkRequestedScope(scope, [...impersonationPath, 'scopes', index], complain);
  }
  for (const [index, audience] of (impersonation.audiences ?? []).entries()) {
    names.checkClient(audience, [...impersonationPath, 'audiences', index], complain);
  }
}

/** Describes the mistake in a redirect URI, apart from a fragment; undefined if there is none. */
function redirectUriProblem(uri: string): string | undefined {
  if (uri === '*' || uri === '+' || uri === '-') return undefined;
  if (isScriptAddress(uri)) return 'must not have this scheme';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (/[\u0000-\u0020\u007f\\]/.test(uri)) return 'must not contain spaces, backslashes or control characters';
  return undefined;
}
