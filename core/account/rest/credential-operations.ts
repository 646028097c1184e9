import { HostError } from '@keyhost/spi';
import { readJson } from '../../http/json-body.js';
import { notFound } from '../../http/not-found.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import { shownCredentials } from '../../users/passwords/credential-list.js';
import { isRemovable } from '../../users/passwords/removable-credential.js';
import type { Account, AccountParts } from '../account.js';
import { removeCredential, renameCredential } from '../signing-in/own-credentials.js';
import { credentialNotes } from '../signing-in/recovery-codes-left.js';
import { SETUP_ACTIONS } from '../startable-actions.js';
import { type RestOperation, requireRecent } from './rest-call.js';

/** Keycloak's categories of credential types; a type that nobody knows is a second factor. */
const CATEGORIES: Readonly<Record<string, string>> = {
  password: 'basic-authentication',
  'webauthn-passwordless': 'passwordless',
};

export function credentialOperations(parts: AccountParts): RestOperation[] {
  return [
    {
      method: 'GET',
      path: '/credentials',
      roles: ['view-profile', 'manage-account'],
      handle: (account) => ({ body: containers(account) }),
    },
    {
      method: 'DELETE',
      path: '/credentials/{id}',
      roles: ['manage-account'],
      async handle(account, { params }) {
        if (!isOwn(account, params.id)) throw notFound();
        requireRecent(parts, account);
        if ((await removeCredential(parts, account, params.id ?? '')) === undefined) throw notFound();
        return undefined;
      },
    },
    {
      method: 'PUT',
      path: '/credentials/{id}/label',
      roles: ['manage-account'],
      async handle(account, { params }) {
        const label = await readJson(account.exchange.ctx);
        if (typeof label !== 'string') {
          throw new HostError('invalid_request', 'The body is no JSON text', { status: 400, expose: true });
        }
        if (!(await renameCredential(parts, account, params.id ?? '', label.trim()))) throw notFound();
        return undefined;
      },
    },
  ];
}

function isOwn({ user }: Account, id: string | undefined): boolean {
  return shownCredentials(user.id, user.credentials).some((credential) => credential.id === id);
}

/** Keycloak's CredentialContainer for each type that the user has. Nothing that could be used to log in is shown. */
function containers({ exchange: { realm }, user }: Account): object[] {
  const credentials = shownCredentials(user.id, user.credentials);
  return [...new Set(credentials.map(({ type }) => type))].map((type) => {
    const own = credentials.filter((credential) => credential.type === type);
    const action = Object.hasOwn(SETUP_ACTIONS, type) ? SETUP_ACTIONS[type] : undefined;
    return {
      type,
      category: Object.hasOwn(CATEGORIES, type) ? CATEGORIES[type] : 'two-factor',
      displayName: `${type}-display-name`,
      helptext: `${type}-help-text`,
      [type === 'password' ? 'updateAction' : 'createAction']: action,
      removeable: own.every((credential) => isRemovable(realm, user.representation, credential)),
      userCredentialMetadatas: own.map((credential) => ({
        ...credentialNotes(realm, credential),
        credential: shown(credential),
      })),
    };
  });
}

function shown({ id, type, userLabel, createdDate }: CredentialRepresentation): object {
  return { id, type, userLabel: userLabel || undefined, createdDate };
}
