import { ClientAuthenticator, GrantType } from '@keyhost/spi';
import { ASYMMETRIC_ALGORITHMS, SYMMETRIC_ALGORITHMS } from '../keys/algorithms.js';
import type { Realm } from '../model/realm.js';
import { levelsOf } from '../realms/flows/flow-levels.js';
import { browserFlow } from '../realms/flows/flow-model.js';
import type { Generation } from '../registry/generations/generation.js';
import { enabledProvider } from '../registry/generations/realm-providers.js';
import { acrValues, PLAIN_LEVEL } from '../tokens/acr.js';
import { DEVICE_AUTHORIZATION_PATH } from './devices/device-authorization.js';
import { DEVICE_CODE_GRANT } from './grants/device-code.js';

const CLIENT_AUTHENTICATION = ['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'client_secret_jwt'];

/**
 * The metadata of OpenID Connect Discovery §3 and RFC 8414 §2. It lists exactly the features that work in this realm.
 */
export function discoveryDocument(realm: Realm, providers: Generation): Record<string, unknown> {
  const grants = enabledGrants(realm, providers);
  const methods = [...CLIENT_AUTHENTICATION, ...methodsOfPlugins(realm, providers)];
  return {
    issuer: realm.issuer,
    ...endpointMembers(realm, grants),
    grant_types_supported: grants,
    ...clientAuthenticationMembers('token', methods),
    ...clientAuthenticationMembers('introspection', methods),
    ...clientAuthenticationMembers('revocation', methods),
    ...authorizationMembers(realm),
    ...LOGOUT_MEMBERS,
    ...tokenMembers(realm),
  };
}

function enabledGrants(realm: Realm, providers: Generation): readonly string[] {
  return providers
    .all(GrantType)
    .map(({ id }) => id)
    .filter((id) => enabledProvider(providers, realm, GrantType, id) !== undefined)
    .sort();
}

/** The authentication methods of plugins that clients of the realm use. */
function methodsOfPlugins({ clients }: Realm, providers: Generation): readonly string[] {
  const plugins = providers.all(ClientAuthenticator).filter(({ plugin }) => !plugin.builtin);
  if (plugins.length === 0) return [];
  const usedTypes = new Set([...clients.values()].map(({ authenticatorType }) => authenticatorType));
  return plugins.flatMap(({ id, declaration }) => (usedTypes.has(id) ? declaration.authMethods : []));
}

function endpointMembers({ issuer }: Realm, grants: readonly string[]) {
  const protocol = `${issuer}/protocol/openid-connect`;
  const hasDevices = grants.includes(DEVICE_CODE_GRANT);
  return {
    authorization_endpoint: `${protocol}/auth`,
    token_endpoint: `${protocol}/token`,
    introspection_endpoint: `${protocol}/token/introspect`,
    userinfo_endpoint: `${protocol}/userinfo`,
    revocation_endpoint: `${protocol}/revoke`,
    jwks_uri: `${protocol}/certs`,
    ...(hasDevices && { device_authorization_endpoint: `${issuer}${DEVICE_AUTHORIZATION_PATH}` }),
    pushed_authorization_request_endpoint: `${protocol}/ext/par/request`,
    end_session_endpoint: `${protocol}/logout`,
    registration_endpoint: `${issuer}/clients-registrations/openid-connect`,
    check_session_iframe: `${protocol}/login-status-iframe.html`,
  };
}

function clientAuthenticationMembers(endpoint: string, methods: readonly string[]) {
  return {
    [`${endpoint}_endpoint_auth_methods_supported`]: methods,
    [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: [...ASYMMETRIC_ALGORITHMS, ...SYMMETRIC_ALGORITHMS],
  };
}

function authorizationMembers({ settings, scopes }: Realm) {
  const publishedScopes = [...scopes.values()].filter(({ includeInMetadata }) => includeInMetadata);
  return {
    response_types_supported: ['code', 'none'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    prompt_values_supported: ['none', 'login', 'consent', ...(settings.registrationAllowed ? ['create'] : [])],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    require_pushed_authorization_requests: false,
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    scopes_supported: ['openid', ...publishedScopes.map(({ pattern, name }) => pattern ?? name)],
  };
}

const LOGOUT_MEMBERS = {
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
};

function tokenMembers(realm: Realm) {
  const levels = [...new Set(levelsOf(browserFlow(realm)).map(({ level }) => level))];
  return {
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
    userinfo_signing_alg_values_supported: [...ASYMMETRIC_ALGORITHMS, 'none'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'name',
      'given_name',
      'family_name',
      'preferred_username',
      'email',
      'acr',
      'azp',
      'nonce',
    ],
    acr_values_supported: acrValues(realm, levels.length === 0 ? [0, PLAIN_LEVEL] : levels),
    claim_types_supported: ['normal'],
  };
}
