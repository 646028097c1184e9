import { HostError } from '@keyhost/spi';
import { readJson } from '../../http/json-body.js';
import { notFound } from '../../http/not-found.js';
import { acceptedLanguages } from '../../model/accepted-languages.js';
import { declaredText } from '../../registry/loading/plugin-messages.js';
import type { CredentialType, CredentialView } from '../../users/credentials/credential-types.js';
import { isRemovable } from '../../users/credentials/removable-credential.js';
import type { AccountContext, AccountParts } from '../account.js';
import { credentialMetadata } from '../signing-in/credential-metadata.js';
import { removeCredential, renameCredential } from '../signing-in/own-credentials.js';
import { type RestOperation, requireRecentLogin } from './rest-endpoint.js';

export function credentialOperations(parts: AccountParts): RestOperation[] {
  return [
    {
      method: 'GET',
      path: '/credentials',
      roles: ['view-profile', 'manage-account'],
      handle: async (account) => ({ body: await credentialContainers(parts, account) }),
    },
    {
      method: 'DELETE',
      path: '/credentials/{id}',
      roles: ['manage-account'],
      async handle(account, { params }) {
        if (!ownsCredential(parts, account, params.id)) throw notFound();
        requireRecentLogin(parts, account);
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

function ownsCredential(
  { credentialTypes: types }: AccountParts,
  { user, exchange: { realm } }: AccountContext,
  id: string | undefined,
): boolean {
  return types.listOf(realm, user).some((credential) => credential.id === id);
}

/** Keycloak's CredentialContainer for each type that the user has. It contains no secrets. */
async function credentialContainers(
  { credentialTypes: types }: AccountParts,
  { exchange, user }: AccountContext,
): Promise<object[]> {
  const { realm, ctx } = exchange;
  const credentials = await types.viewsOf(realm, user);
  const languages = acceptedLanguages(ctx.get('accept-language'));
  const localize = (type: CredentialType, text: string | undefined) =>
    text === undefined || type.builtin ? text : declaredText(type, text, languages);
  const usedTypes = [...new Map(credentials.map(({ type }) => [type.type, type])).values()];
  return usedTypes.map((type) => {
    const credentialsOfType = credentials.filter((view) => view.type.type === type.type);
    return {
      type: type.type,
      category: type.category,
      displayName: localize(type, type.displayName),
      helptext: localize(type, type.helpText),
      iconCssClass: type.iconCssClass,
      [type.type === 'password' ? 'updateAction' : 'createAction']: type.createAction,
      removeable: credentialsOfType.every(({ credential }) =>
        isRemovable(types, realm, user.representation, credential),
      ),
      userCredentialMetadatas: credentialsOfType.map((view) => ({
        ...credentialMetadata(realm, view.credential),
        credential: credentialRepresentation(view),
      })),
    };
  });
}

/** A credential as the API returns it. Credentials of plugins' types include the data that their providers show. */
function credentialRepresentation({
  credential: { id, createdDate },
  type,
  label,
  credentialData,
}: CredentialView): object {
  return { id, type: type.type, userLabel: label, createdDate, ...(type.builtin ? {} : { credentialData }) };
}
