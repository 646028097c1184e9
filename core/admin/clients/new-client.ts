import { randomUUID } from 'node:crypto';
import { clientScopeNames } from '../../model/client-scope-names.js';
import { isConfidential, usableSecret } from '../../model/client-secrets.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { addServiceAccountScope } from '../../model/service-account-scope.js';
import { originsOf } from '../../realms/built-ins/new-client-defaults.js';
import { toMapper } from '../mappers/protocol-mapper-input.js';
import { mergeTexts } from '../partial-schema.js';
import { type ClientInput, plainMembers } from './client-input.js';
import { renewSecret } from './client-secret.js';
import type { StoredClient } from './find-client.js';
import { overridesToStore } from './flow-overrides.js';
import { samlAttributes } from './saml-defaults.js';

/**
 * Creates a client with Keycloak's defaults from RepresentationToModel.createClient and, if a protocol was sent, from
 * setupClientDefaults (OIDCLoginProtocolFactory or SamlProtocolFactory). The realm's default scopes are copied, so
 * later changes of them do not affect the client.
 * @param now milliseconds since the epoch
 */
export function createClient(input: ClientInput, realm: RealmRepresentation, now: number): StoredClient {
  const id = input.id || randomUUID();
  const protocol = input.protocol ?? 'openid-connect';
  const overrides = input.authenticationFlowBindingOverrides;
  const scopes = clientScopeNames(input, {
    defaultDefaultClientScopes: scopesOfProtocol(realm, realm.defaultDefaultClientScopes, protocol),
    defaultOptionalClientScopes: scopesOfProtocol(realm, realm.defaultOptionalClientScopes, protocol),
  });
  const client: StoredClient = {
    enabled: true,
    clientAuthenticatorType: 'client-secret',
    standardFlowEnabled: true,
    nodeReRegistrationTimeout: -1,
    ...protocolDefaults(input),
    ...plainMembers(input),
    id,
    clientId: input.clientId ?? id,
    protocol,
    fullScopeAllowed: input.fullScopeAllowed ?? input.consentRequired !== true,
    attributes: input.protocol === 'saml' ? samlAttributes(input) : mergeTexts({}, input.attributes ?? {}),
    ...(overrides ? { authenticationFlowBindingOverrides: overridesToStore(realm, {}, overrides) } : {}),
    ...(input.protocolMappers ? { protocolMappers: input.protocolMappers.map((mapper) => toMapper(mapper)) } : {}),
    defaultClientScopes: scopes.defaultClientScopes,
    optionalClientScopes: scopes.optionalClientScopes.filter((name) => !scopes.defaultClientScopes.includes(name)),
    ...(input.impersonation ? { impersonation: input.impersonation } : {}),
  };
  client.webOrigins ??= originsOf(client.redirectUris ?? []);
  if (client.serviceAccountsEnabled === true) addServiceAccountScope(client, realm);
  if (isConfidential(client)) {
    const sentSecret = usableSecret(input.secret ?? undefined);
    if (sentSecret !== undefined) client.secret = sentSecret;
    else renewSecret(client, now);
  }
  return client;
}

/** As in Keycloak, a request with a protocol but no client type creates a public client with the password grant. */
function protocolDefaults(input: ClientInput): Partial<ClientRepresentation> {
  if (input.protocol === 'saml') return { frontchannelLogout: true };
  if (input.protocol !== 'openid-connect') return {};
  const isMissing = (value: unknown) => value === undefined || value === null;
  const root = input.rootUrl ?? '';
  return {
    ...(isMissing(input.publicClient)
      ? { publicClient: isMissing(input.bearerOnly) || input.bearerOnly === false }
      : {}),
    directAccessGrantsEnabled: true,
    ...(root === '' ? {} : { adminUrl: root }),
    ...(root === '' || (input.redirectUris ?? []).length > 0 ? {} : { redirectUris: [`${root.replace(/\/$/, '')}/*`] }),
  };
}

function scopesOfProtocol(
  { clientScopes = [] }: RealmRepresentation,
  names: readonly string[] = [],
  protocol: string,
): string[] {
  const matchingNames = new Set(
    clientScopes.filter((scope) => (scope.protocol ?? 'openid-connect') === protocol).map(({ name }) => name),
  );
  return names.filter((name) => matchingNames.has(name));
}
