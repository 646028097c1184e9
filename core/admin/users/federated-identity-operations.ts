import type { FederatedIdentityRepresentation, UserRepresentation } from '../../model/representation.js';
import type { Users } from '../../users/users.js';
import { badRequest, conflictError, notFoundError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { changeUser, requireUser } from './change-user.js';
import { USERS_TAG } from './users-tag.js';

const TEXT = { type: ['string', 'null'], maxLength: 255 } as const;
const LINK = '/users/{userId}/federated-identity/{provider}';

/** Operations on the accounts at identity providers to which a user is linked. */
export function federatedIdentityOperations({ users }: { readonly users: Users }): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/users/{userId}/federated-identity',
      tag: USERS_TAG,
      summary: 'The links of a user to identity providers',
      roles: ['view-users'],
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      async handle(call) {
        // A provider may have been removed from the realm file. Links to it no longer have an effect.
        const existingProviders = new Set(
          (call.realm.representation.identityProviders ?? []).map(({ alias }) => alias),
        );
        const links = linkRepresentations((await requireUser(users, call)).representation);
        return ok(links.filter(({ identityProvider }) => existingProviders.has(identityProvider)));
      },
    },
    {
      method: 'POST',
      path: LINK,
      tag: USERS_TAG,
      summary: 'Link a user to an identity provider',
      roles: ['manage-users'],
      body: { type: 'object', properties: { userId: TEXT, userName: TEXT } },
      answers: { status: 204 },
      event: { resourceType: 'USER' },
      async handle(call) {
        const { provider = '' } = call.params;
        const { userId, userName } = call.body as { userId?: string | null; userName?: string | null };
        if (!userId) throw badRequest('userId is missing');
        await changeUser(users, call, (draft) => {
          const links = identitiesOf(draft);
          if (links.some(({ identityProvider }) => identityProvider === provider)) {
            throw conflictError('User is already linked with provider');
          }
          draft.federatedIdentities = [...links, { identityProvider: provider, userId, userName: userName ?? userId }];
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: LINK,
      tag: USERS_TAG,
      summary: 'Unlink a user from an identity provider',
      roles: ['manage-users'],
      answers: { status: 204 },
      event: { resourceType: 'USER' },
      async handle(call) {
        await changeUser(users, call, (draft) => {
          const links = identitiesOf(draft);
          const otherLinks = links.filter(({ identityProvider }) => identityProvider !== call.params.provider);
          if (otherLinks.length === links.length) throw notFoundError('Link not found');
          draft.federatedIdentities = otherLinks;
        });
        return undefined;
      },
    },
  ];
}

/** Links of a user, without the stored tokens. */
export function linkRepresentations(user: UserRepresentation): FederatedIdentityRepresentation[] {
  return identitiesOf(user).map(({ token: _, ...link }) => link as FederatedIdentityRepresentation);
}

function identitiesOf({ federatedIdentities = [] }: UserRepresentation): readonly FederatedIdentityRepresentation[] {
  return federatedIdentities;
}
