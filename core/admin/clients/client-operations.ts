import { randomUUID } from 'node:crypto';
import type { KeyMaker } from '../../keys/key-material.js';
import { serviceAccountUsername } from '../../model/built-in-names.js';
import type { Clock } from '../../model/clock.js';
import type { PrivateNetworks } from '../../model/private-networks.js';
import type { Realm } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { PolicyPlugins } from '../../realms/client-policies/policy-evaluation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { replaceClientId } from '../../realms/replace-names.js';
import type { Users } from '../../users/users.js';
import { AdminError, conflictError, duplicateResourceError, forbiddenError } from '../admin.js';
import { requireSector } from '../mappers/sector-identifier.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { CLIENT_MEMBERS } from '../strict-representations.js';
import { changeClient } from './change-client.js';
import { requireValidClient, withClientErrors } from './client-errors.js';
import {
  CLIENT_BODY_LIMIT,
  CLIENT_SCHEMA,
  type ClientInput,
  IGNORED_IN_CREATE,
  IGNORED_IN_UPDATE,
} from './client-input.js';
import { applyClientPolicies, editWithPolicies, updaterOf } from './client-policies.js';
import { clientResponse } from './client-response.js';
import { isBuiltInClient, mayManageClient, requireAllowedSettings, requireManagedClient } from './client-rights.js';
import { requireClient, type StoredClient } from './find-client.js';
import { createClient } from './new-client.js';
import { withOidcDefaults } from './oidc-defaults.js';
import { withSigningKey } from './saml-defaults.js';

export interface ClientParts {
  readonly edits: RealmEdits;
  readonly users: Users;
  readonly clock: Clock;
  /** Generates the signing keys of SAML clients. */
  readonly makeKey: KeyMaker;
  /** The private networks that sector identifier URIs of clients may be in. */
  readonly privateNetworks: PrivateNetworks;
  /** The plugins of client policies, which may have to approve the client. */
  readonly policyPlugins: PolicyPlugins;
}

const TAG = 'Clients';

/** Creates, reads, changes and removes clients (Keycloak's ClientsResource and ClientResource). */
export function clientOperations(parts: ClientParts): AdminOperation[] {
  const { edits, users, clock, makeKey, privateNetworks, policyPlugins } = parts;
  return [
    {
      method: 'POST',
      path: '/clients',
      tag: TAG,
      summary: 'Create a client; absent members have Keycloak’s defaults',
      roles: ['create-client', 'manage-clients'],
      body: CLIENT_SCHEMA,
      strict: CLIENT_MEMBERS,
      ignoredMembers: IGNORED_IN_CREATE,
      bodyLimit: CLIENT_BODY_LIMIT,
      answers: { status: 201 },
      event: { resourceType: 'CLIENT' },
      async handle(call) {
        const input = call.body as ClientInput;
        requireAllowedSettings(call, input);
        requireValidClient(input);
        // Generating a key is expensive, so first check for an existing client ID.
        requireNewClientId(call.realm.representation, input.clientId);
        const inputWithKey = await withSigningKey(makeKey, call.realm.name, input, clock.now());
        const id = inputWithKey.id || randomUUID();
        const plugins = policyPlugins.createFor(call.realm);
        return withClientErrors(() =>
          editWithPolicies(
            edits,
            plugins,
            withEscalationCheck(call.admin, async (draft) => {
              const client = createClient({ ...withOidcDefaults(inputWithKey), id }, draft, clock.now());
              requireNewClientId(draft, client.clientId);
              if (draft.clients?.some((other) => other.id === client.id)) throw duplicateResourceError();
              await applyClientPolicies(draft, plugins, {
                client,
                sent: input,
                updater: updaterOf(call),
                now: clock.now(),
              });
              await requireSector(client, privateNetworks);
              draft.clients = [...(draft.clients ?? []), client];
              await requireAccountName(users, call.realm, client);
              return created(call, client.id);
            }),
          ),
        );
      },
    },
    {
      method: 'GET',
      path: '/clients/{clientUuid}',
      tag: TAG,
      summary: 'A client',
      roles: ['view-clients'],
      etag: true,
      answers: { status: 200, body: 'ClientRepresentation' },
      async handle(call) {
        const { representation } = call.realm;
        const client = requireClient(representation, call.params.clientUuid);
        return ok(clientResponse(representation, client, await mayManageClient(users, call, client)));
      },
    },
    {
      method: 'PUT',
      path: '/clients/{clientUuid}',
      tag: TAG,
      summary: 'Update a client; absent members stay. Client scopes have their own paths',
      roles: ['manage-clients'],
      body: CLIENT_SCHEMA,
      strict: CLIENT_MEMBERS,
      ignoredMembers: IGNORED_IN_UPDATE,
      bodyLimit: CLIENT_BODY_LIMIT,
      answers: { status: 204 },
      event: { resourceType: 'CLIENT' },
      async handle(call) {
        const input = call.body as ClientInput;
        requireAllowedSettings(call, input, await requireManagedClient(users, call));
        requireValidClient(input);
        const plugins = policyPlugins.createFor(call.realm);
        await withClientErrors(() =>
          editWithPolicies(
            edits,
            plugins,
            withEscalationCheck(call.admin, async (draft, effects) => {
              const client = requireClient(draft, call.params.clientUuid);
              const before = structuredClone(client);
              changeClient(draft, effects, client, input, clock.now());
              await applyClientPolicies(draft, plugins, {
                client,
                before,
                sent: input,
                updater: updaterOf(call),
                now: clock.now(),
              });
              if (input.redirectUris || input.protocolMappers) await requireSector(client, privateNetworks);
              await requireAccountName(users, call.realm, client);
            }),
          ),
        );
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: '/clients/{clientUuid}',
      tag: TAG,
      summary: 'Delete a client with its roles, sessions and service account',
      roles: ['manage-clients'],
      answers: { status: 204 },
      event: { resourceType: 'CLIENT' },
      async handle(call) {
        const removedClient = await requireManagedClient(users, call);
        // `realm-management` contains the roles of the realm's admins, so it cannot be removed.
        if (removedClient.clientId === 'realm-management') throw forbiddenError();
        if (isBuiltInClient(call.realm, removedClient)) {
          throw new AdminError(400, { error: 'invalid_request', error_description: 'Could not delete client' });
        }
        await removeClient(edits, call.realm, (draft) => {
          const client = requireClient(draft, call.params.clientUuid);
          call.setEventDetails({ eventRepresentation: { id: client.id, clientId: client.clientId } });
          return client;
        });
        return undefined;
      },
    },
  ];
}

/** Checks that no client has the client ID. @throws AdminError 409 */
function requireNewClientId({ clients }: RealmRepresentation, clientId: string | null | undefined): void {
  if (clients?.some((client) => client.clientId === clientId)) throw conflictError(`Client ${clientId} already exists`);
}

/** Removes a client from the realm, with all references to it. */
export function removeClient(
  edits: RealmEdits,
  realm: Realm,
  find: (draft: Realm['representation']) => StoredClient,
): Promise<StoredClient> {
  return edits.edit(realm.name, (draft, effects) => {
    const client = find(draft);
    draft.clients = draft.clients?.filter((other) => other !== client);
    replaceClientId(draft, effects, client);
    effects.removedClients.push(client.id);
    return client;
  });
}

/**
 * Checks that no user has the username of the client's service account.
 * @throws AdminError 409
 */
export async function requireAccountName(users: Users, realm: Realm, client: StoredClient): Promise<void> {
  if (client.serviceAccountsEnabled !== true) return;
  const user = await users.byUsername(realm, serviceAccountUsername(client.clientId));
  if (user === undefined || user.view.serviceAccountClientId === client.id) return;
  throw conflictError('User exists with same username');
}
