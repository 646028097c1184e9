import { isConfidential, usableSecret } from '../../model/client-secrets.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { addServiceAccountScope, removeServiceAccountScope } from '../../model/service-account-scope.js';
import type { EditEffects } from '../../realms/edit-effects.js';
import { replaceClientId } from '../../realms/replace-names.js';
import { duplicateResourceError } from '../admin.js';
import { type ProtocolMapperInput, toMapper } from '../mappers/protocol-mapper-input.js';
import { mergeTexts } from '../partial-schema.js';
import { type ClientInput, plainMembers } from './client-input.js';
import { renewSecret } from './client-secret.js';
import type { StoredClient } from './find-client.js';
import { overridesToStore } from './flow-overrides.js';

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
  input: ClientInput,
  now: number,
): void {
  const clientId = input.clientId ?? client.clientId;
  if (clientId !== client.clientId) {
    if (draft.clients?.some((other) => other.clientId === clientId)) throw duplicateResourceError();
    replaceClientId(draft, effects, client, clientId);
    client.clientId = clientId;
  }
  const hadServiceAccount = client.serviceAccountsEnabled === true;
  const wasConfidential = isConfidential(client);
  Object.assign(client, plainMembers(input));
  if (client.serviceAccountsEnabled === true && !hadServiceAccount) addServiceAccountScope(client, draft);
  if (client.serviceAccountsEnabled !== true && hadServiceAccount) {
    removeServiceAccountScope(client);
    effects.removedServiceAccounts.push(client.id);
  }
  if (input.attributes) client.attributes = mergeTexts(client.attributes, input.attributes);
  if (input.authenticationFlowBindingOverrides) {
    const previousOverrides = client.authenticationFlowBindingOverrides as Record<string, string> | undefined;
    client.authenticationFlowBindingOverrides = overridesToStore(
      draft,
      previousOverrides,
      input.authenticationFlowBindingOverrides,
    );
  }
  if (input.protocolMappers) client.protocolMappers = replaceMappers(client, input.protocolMappers);
  if (input.impersonation) client.impersonation = input.impersonation;
  changeSecret(client, input.secret, wasConfidential, now);
}

/** Changes or generates the secret. A client that becomes public loses its secret. */
function changeSecret(
  client: StoredClient,
  secret: string | null | undefined,
  wasConfidential: boolean,
  now: number,
): void {
  const newSecret = usableSecret(secret ?? undefined);
  if (!isConfidential(client)) {
    if (wasConfidential) delete client.secret;
    return;
  }
  if (newSecret !== undefined) client.secret = newSecret;
  else if (usableSecret(client.secret) === undefined) renewSecret(client, now);
}

/** Replaces the mappers. A mapper retains its ID if one with the same name and protocol exists. */
function replaceMappers({ protocolMappers = [] }: ClientRepresentation, inputs: readonly ProtocolMapperInput[]) {
  const keyOf = ({ name, protocol }: ProtocolMapperInput) => `${protocol ?? 'openid-connect'} ${name}`;
  const existingMappers = new Map(protocolMappers.map((mapper) => [keyOf(mapper), mapper]));
  return inputs.map((mapper) => toMapper(mapper, existingMappers.get(keyOf(mapper))));
}
