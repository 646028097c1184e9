import { isConfidential, usableSecret } from '../../model/client-secrets.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { addServiceAccountScope, removeServiceAccountScope } from '../../model/service-account-scope.js';
import { carryClientId } from '../../realms/carry-names.js';
import type { EditEffects } from '../../realms/realm-edits.js';
import { duplicateResource } from '../admin.js';
import { mapperOfInput, type ProtocolMapperInput } from '../mappers/protocol-mapper-input.js';
import { mergeTexts } from '../partial-schema.js';
import { type ClientInput, plainMembers } from './client-input.js';
import { renewSecret } from './client-secret.js';
import type { StoredClient } from './find-client.js';
import { storedOverrides } from './flow-overrides.js';

/**
 * Changes the members of a client that were sent, as Keycloak does. Attributes are merged; lists and protocol mappers
 * are replaced. Client scopes have their own paths. A new client ID is also written to everything that refers to the
 * client.
 * @param now milliseconds since the epoch
 * @throws AdminError 409
 */
export function changeClient(
  draft: RealmRepresentation,
  effects: EditEffects,
  client: StoredClient,
  sent: ClientInput,
  now: number,
): void {
  const clientId = sent.clientId ?? client.clientId;
  if (clientId !== client.clientId) {
    if (draft.clients?.some((other) => other.clientId === clientId)) throw duplicateResource();
    carryClientId(draft, effects, client, clientId);
    client.clientId = clientId;
  }
  const had = client.serviceAccountsEnabled === true;
  const confidential = isConfidential(client);
  Object.assign(client, plainMembers(sent));
  if (client.serviceAccountsEnabled === true && !had) addServiceAccountScope(client, draft);
  if (client.serviceAccountsEnabled !== true && had) {
    removeServiceAccountScope(client);
    effects.removedServiceAccounts.push(client.id);
  }
  if (sent.attributes) client.attributes = mergeTexts(client.attributes, sent.attributes);
  if (sent.authenticationFlowBindingOverrides) {
    const before = client.authenticationFlowBindingOverrides as Record<string, string> | undefined;
    client.authenticationFlowBindingOverrides = storedOverrides(draft, before, sent.authenticationFlowBindingOverrides);
  }
  if (sent.protocolMappers) client.protocolMappers = replacedMappers(client, sent.protocolMappers);
  if (sent.impersonation) client.impersonation = sent.impersonation;
  changeSecret(client, sent.secret, confidential, now);
}

/**
 * A client that becomes public loses its secret. A public client may be given one, for when it becomes confidential.
 */
function changeSecret(
  client: StoredClient,
  secret: string | null | undefined,
  wasConfidential: boolean,
  now: number,
): void {
  const stated = usableSecret(secret ?? undefined);
  if (!isConfidential(client)) {
    if (wasConfidential) delete client.secret;
    return;
  }
  if (stated !== undefined) client.secret = stated;
  else if (usableSecret(client.secret) === undefined) renewSecret(client, now);
}

/** A sent mapper gets the ID of the existing mapper with the same name and protocol. */
function replacedMappers({ protocolMappers = [] }: ClientRepresentation, sent: readonly ProtocolMapperInput[]) {
  const keyOf = ({ name, protocol }: ProtocolMapperInput) => `${protocol ?? 'openid-connect'} ${name}`;
  const named = new Map(protocolMappers.map((mapper) => [keyOf(mapper), mapper]));
  return sent.map((mapper) => mapperOfInput(mapper, named.get(keyOf(mapper))));
}
