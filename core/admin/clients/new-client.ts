import { randomUUID } from 'node:crypto';
import { clientScopeNames } from '../../model/client-scope-names.js';
import { isConfidential, usableSecret } from '../../model/client-secrets.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { addServiceAccountScope } from '../../model/service-account-scope.js';
import { originsOf } from '../../realms/built-ins/new-client-defaults.js';
import { mapperOfInput } from '../mappers/protocol-mapper-input.js';
import { mergeTexts } from '../partial-schema.js';
import { type ClientInput, plainMembers } from './client-input.js';
import { renewSecret } from './client-secret.js';
import type { StoredClient } from './find-client.js';
import { storedOverrides } from './flow-overrides.js';
import { samlAttributes } from './saml-defaults.js';

/**
 * A new client with Keycloak's defaults: RepresentationToModel.createClient, and setupClientDefaults of
 * OIDCLoginProtocolFactory or SamlProtocolFactory if a protocol was sent. Default scopes that the realm gets later are
 * not added to it.
 * @param now milliseconds since the epoch
 */
export function newClient(sent: ClientInput, realm: RealmRepresentation, now: number): StoredClient {
  const id = sent.id || randomUUID();
  const protocol = sent.protocol ?? 'openid-connect';
  const overrides = sent.authenticationFlowBindingOverrides;
  const scopes = clientScopeNames(sent, {
    defaultDefaultClientScopes: ofProtocol(realm, realm.defaultDefaultClientScopes, protocol),
    defaultOptionalClientScopes: ofProtocol(realm, realm.defaultOptionalClientScopes, protocol),
  });
  const client: StoredClient = {
    enabled: true,
    clientAuthenticatorType: 'client-secret',
    standardFlowEnabled: true,
    nodeReRegistrationTimeout: -1,
    ...protocolDefaults(sent),
    ...plainMembers(sent),
    id,
    clientId: sent.clientId ?? id,
    protocol,
    fullScopeAllowed: sent.fullScopeAllowed ?? sent.consentRequired !== true,
    attributes: sent.protocol === 'saml' ? samlAttributes(sent) : mergeTexts({}, sent.attributes ?? {}),
    ...(overrides ? { authenticationFlowBindingOverrides: storedOverrides(realm, {}, overrides) } : {}),
    ...(sent.protocolMappers ? { protocolMappers: sent.protocolMappers.map((mapper) => mapperOfInput(mapper)) } : {}),
    defaultClientScopes: scopes.defaultClientScopes,
    optionalClientScopes: scopes.optionalClientScopes.filter((name) => !scopes.defaultClientScopes.includes(name)),
    ...(sent.impersonation ? { impersonation: sent.impersonation } : {}),
  };
  client.webOrigins ??= originsOf(client.redirectUris ?? []);
  if (client.serviceAccountsEnabled === true) addServiceAccountScope(client, realm);
  if (isConfidential(client)) {
    const stated = usableSecret(sent.secret ?? undefined);
    if (stated !== undefined) client.secret = stated;
    else renewSecret(client, now);
  }
  return client;
}

/** As in Keycloak, a request with a protocol and no client type creates a public client with the password grant. */
function protocolDefaults(sent: ClientInput): Partial<ClientRepresentation> {
  if (sent.protocol === 'saml') return { frontchannelLogout: true };
  if (sent.protocol !== 'openid-connect') return {};
  const unsaid = (value: unknown) => value === undefined || value === null;
  const root = sent.rootUrl ?? '';
  return {
    ...(unsaid(sent.publicClient) ? { publicClient: unsaid(sent.bearerOnly) || sent.bearerOnly === false } : {}),
    directAccessGrantsEnabled: true,
    ...(root === '' ? {} : { adminUrl: root }),
    ...(root === '' || (sent.redirectUris ?? []).length > 0 ? {} : { redirectUris: [`${root.replace(/\/$/, '')}/*`] }),
  };
}

function ofProtocol(
  { clientScopes = [] }: RealmRepresentation,
  names: readonly string[] = [],
  protocol: string,
): string[] {
  const fitting = new Set(
    clientScopes.filter((scope) => (scope.protocol ?? 'openid-connect') === protocol).map(({ name }) => name),
  );
  return names.filter((name) => fitting.has(name));
}
