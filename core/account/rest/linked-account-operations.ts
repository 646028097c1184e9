import { notFound } from '../../http/not-found.js';
import type { AccountParts } from '../account.js';
import { identityName, linkedAccounts, unlink } from '../linked-accounts/linked-identities.js';
import { type RestOperation, requireRecentLogin } from './rest-endpoint.js';

/** Provider types that Keycloak calls social. */
const SOCIAL = new Set([
  'bitbucket',
  'facebook',
  'github',
  'gitlab',
  'google',
  'instagram',
  'linkedin-openid-connect',
  'microsoft',
  'openshift-v4',
  'paypal',
  'stackoverflow',
  'twitter',
]);

export function linkedAccountOperations(parts: AccountParts): RestOperation[] {
  return [
    {
      method: 'GET',
      path: '/linked-accounts',
      roles: ['view-profile', 'manage-account'],
      handle: (account) => ({
        body: linkedAccounts(account).map(({ alias, name, providerId, identity }) => ({
          connected: identity !== undefined,
          social: SOCIAL.has(providerId),
          providerAlias: alias,
          providerName: alias,
          displayName: name,
          linkedUsername: identity && identityName(identity),
        })),
      }),
    },
    {
      method: 'DELETE',
      path: '/linked-accounts/{alias}',
      roles: ['manage-account', 'manage-account-links'],
      async handle(account, { params }) {
        const linked = linkedAccounts(account).find(({ alias }) => alias === params.alias);
        if (linked === undefined) throw notFound();
        if (linked.identity === undefined) {
          return { status: 400, body: { errorMessage: 'federatedIdentityLinkNotActive' } };
        }
        requireRecentLogin(parts, account);
        await unlink(parts, account, linked.alias);
        return undefined;
      },
    },
  ];
}
