import { randomUUID } from 'node:crypto';
import { rotatedSecret, withoutRotatedSecret } from '../../model/client-secrets.js';
import { defined } from '../../model/defined.js';
import { MASK } from '../../model/mask.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import { AdminError, notFoundError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import {
  issueRegistrationToken,
  REGISTRATION_ACCESS,
  type RegistrationTokenParts,
} from '../registration/registration-token.js';
import { fullUser, withoutAccess } from '../users/user-representation.js';
import type { ClientParts } from './client-operations.js';
import { applySecretRotation, editWithPolicies, updaterOf } from './client-policies.js';
import { clientResponse } from './client-response.js';
import { requireManagedClient } from './client-rights.js';
import { renewSecret } from './client-secret.js';
import { requireClient } from './find-client.js';

const TAG = 'Clients';
const PATH = '/clients/{clientUuid}';
const CREDENTIAL = { status: 200, body: 'CredentialRepresentation' } as const;

/** Operations on a client's secret, its registration access token and its service account. */
export function clientCredentialOperations(
  parts: ClientParts & RegistrationTokenParts & { readonly types: CredentialTypes },
): AdminOperation[] {
  const { edits, users, clock, types, policyPlugins } = parts;
  return [
    {
      method: 'GET',
      path: `${PATH}/client-secret`,
      tag: TAG,
      summary: 'The secret of a client',
      roles: ['manage-clients'],
      answers: CREDENTIAL,
      async handle(call) {
        const { secret } = await requireManagedClient(users, call);
        return ok(defined({ type: 'secret', value: secret }));
      },
    },
    {
      method: 'POST',
      path: `${PATH}/client-secret`,
      tag: TAG,
      summary: 'Regenerate the secret of a client',
      roles: ['manage-clients'],
      answers: CREDENTIAL,
      event: { resourceType: 'CLIENT', operation: 'ACTION' },
      async handle(call) {
        await requireManagedClient(users, call);
        call.setEventDetails({ eventRepresentation: { type: 'secret', value: MASK } });
        const plugins = policyPlugins.createFor(call.realm);
        const value = await editWithPolicies(edits, plugins, async (draft) => {
          const client = requireClient(draft, call.params.clientUuid);
          const before = structuredClone(client);
          const secret = renewSecret(client, clock.now());
          await applySecretRotation(draft, plugins, { client, before, updater: updaterOf(call), now: clock.now() });
          return secret;
        });
        return ok({ type: 'secret', value });
      },
    },
    {
      method: 'GET',
      path: `${PATH}/client-secret/rotated`,
      tag: TAG,
      summary: 'The rotated secret, until it expires',
      roles: ['manage-clients'],
      answers: CREDENTIAL,
      async handle(call) {
        const secret = rotatedSecret((await requireManagedClient(users, call)).attributes);
        if (secret === undefined) throw notFoundError('Client does not have a rotated secret');
        return ok({ type: 'secret', value: secret });
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/client-secret/rotated`,
      tag: TAG,
      summary: 'Revoke the rotated secret',
      roles: ['manage-clients'],
      answers: { status: 204 },
      event: { resourceType: 'CLIENT' },
      async handle(call) {
        await requireManagedClient(users, call);
        call.setEventDetails({ eventRepresentation: { type: 'secret', value: MASK } });
        await edits.edit(call.realm.name, (draft) => {
          const client = requireClient(draft, call.params.clientUuid);
          client.attributes = withoutRotatedSecret(client.attributes);
        });
        return undefined;
      },
    },
    {
      method: 'POST',
      path: `${PATH}/registration-access-token`,
      tag: TAG,
      summary: 'Regenerate the registration access token of a client',
      roles: ['manage-clients'],
      answers: { status: 200, body: 'ClientRepresentation' },
      event: { resourceType: 'CLIENT', operation: 'ACTION' },
      async handle(call) {
        const { realm, params } = call;
        await requireManagedClient(users, call);
        const id = randomUUID();
        const client = await edits.edit(realm.name, (draft) => {
          const storedClient = requireClient(draft, params.clientUuid);
          storedClient.registrationTokenId = id;
          const response = clientResponse(draft, storedClient, true);
          call.setEventDetails({ eventRepresentation: response });
          return response;
        });
        const token = await issueRegistrationToken(parts, realm, {
          type: REGISTRATION_ACCESS,
          auth: 'authenticated',
          id,
        });
        return ok({ ...client, registrationAccessToken: token });
      },
    },
    {
      method: 'GET',
      path: `${PATH}/service-account-user`,
      tag: TAG,
      summary: 'The user that is the service account of a client',
      roles: ['view-clients'],
      answers: { status: 200, body: 'UserRepresentation' },
      async handle({ realm, admin, params }) {
        const { id, clientId } = requireClient(realm.representation, params.clientUuid);
        const client = realm.clientsById.get(id);
        const isEnabled = client?.serviceAccountsEnabled === true;
        const user = isEnabled ? await users.serviceAccount(realm, client) : undefined;
        if (user === undefined) {
          throw new AdminError(400, { error: `Service account not enabled for the client '${clientId}'` });
        }
        return ok(withoutAccess(fullUser(types)(admin, realm, user)));
      },
    },
  ];
}
