import { randomUUID } from 'node:crypto';
import { identityProvidersOf } from '../../model/identity-provider.js';
import type { IdentityProviderRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { AdminError, badRequest, conflictError } from '../admin.js';
import { managementPermissions } from '../management-permissions.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import type { CacheOperationParts } from '../realms/cache-operations.js';
import { refuseEscalation, snapshotPrivileges } from '../refuse-escalation.js';
import { IDENTITY_PROVIDER_MEMBERS } from '../strict-representations.js';
import { maskSecrets } from '../text-config.js';
import { requireIdentityProvider, withInternalId } from './find-provider.js';
import { type ImportConfigParts, importConfigOperation } from './import-config-operation.js';
import { requireRightsOfLinkedUsers } from './provider-rights.js';
import { providerType, requireProviderType } from './provider-types.js';
import { PROVIDER_MEMBERS, type ProviderInput, toStoredProvider } from './stored-provider.js';

export interface IdentityProviderOperationParts extends ImportConfigParts, CacheOperationParts {
  readonly edits: RealmEdits;
  readonly users: Users;
}

const TAG = 'Identity Providers';
const PATH = '/identity-provider/instances';
const TEXT = { type: ['string', 'null'], maxLength: 255 };
const SCHEMA = {
  type: 'object',
  properties: {
    alias: TEXT,
    internalId: TEXT,
    providerId: TEXT,
    ...PROVIDER_MEMBERS,
    config: { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
  },
};
type IdentityProviderInput = ProviderInput & {
  readonly alias?: string | null;
  readonly internalId?: string | null;
  readonly providerId?: string | null;
};

/**
 * Operations on identity providers. Users can sign in with `oidc` and `keycloak-oidc` providers; others are only
 * stored.
 */
export function identityProviderOperations(parts: IdentityProviderOperationParts): AdminOperation[] {
  const { edits, users, fetchedKeys, store } = parts;
  const readOperation = { tag: TAG, roles: ['view-identity-providers'] } as const;
  const writeOperation = {
    tag: TAG,
    roles: ['manage-identity-providers'],
    event: { resourceType: 'IDENTITY_PROVIDER' },
  } as const;
  return [
    importConfigOperation(parts),
    // Keycloak supports only GET.
    ...(['GET', 'POST'] as const).map(
      (method): AdminOperation => ({
        method,
        path: `${PATH}/{alias}/reload-keys`,
        tag: TAG,
        roles: ['manage-identity-providers'],
        summary: 'Fetch the keys of an identity provider again, at all nodes; false if it fetches none',
        answers: { status: 200, body: { type: 'boolean' } },
        async handle({ realm, params }) {
          const { alias } = requireIdentityProvider(realm.representation, params.alias);
          const provider = identityProvidersOf(realm).get(alias);
          if (provider?.jwksUrl === undefined) return ok(false);
          await fetchedKeys.forget(realm.name, store.changes);
          return ok(true);
        },
      }),
    ),
    {
      method: 'GET',
      path: PATH,
      ...readOperation,
      summary: 'The identity providers of the realm',
      query: {
        search: { type: 'string', description: 'Part of the alias; "x" matches exactly x.' },
        briefRepresentation: { type: 'boolean' },
        ...PAGING,
      },
      answers: { status: 200, body: { type: 'array', items: SCHEMA } },
      handle({ realm, query }) {
        const matching = (realm.representation.identityProviders ?? []).filter(matchesSearch(query.string('search')));
        const sorted = [...matching].sort((a, b) => a.alias.localeCompare(b.alias));
        const isBrief = query.boolean('briefRepresentation') === true;
        return ok(
          pageOf(sorted, query.page('all'))
            .map((provider) => withInternalId(realm.representation, provider))
            .map((provider) => (isBrief ? toBriefRepresentation(provider) : toRepresentation(provider))),
        );
      },
    },
    {
      method: 'POST',
      path: PATH,
      ...writeOperation,
      summary: 'Add an identity provider',
      body: SCHEMA,
      strict: IDENTITY_PROVIDER_MEMBERS,
      answers: { status: 201 },
      async handle(call) {
        const { realm, admin, body } = call;
        const { alias, providerId: type, internalId, ...members } = body as IdentityProviderInput;
        const providerId = requireProviderType(type);
        await requireRightsOfLinkedUsers(users, admin, realm, alias ?? '');
        const answer = await edits.edit(realm.name, (draft) => {
          const providers = draft.identityProviders ?? [];
          if (providers.some((provider) => provider.alias === alias))
            throw conflictError(`Identity Provider ${alias} already exists`);
          const isFree = internalId != null && !providers.some((provider) => provider.internalId === internalId);
          const identity = { alias: alias ?? '', internalId: isFree ? internalId : randomUUID() };
          const before = snapshotPrivileges(admin, draft);
          draft.identityProviders = [...providers, toStoredProvider({ ...identity, providerId }, members)];
          refuseEscalation(admin, before, draft);
          return created(call, identity.alias);
        });
        await fetchedKeys.forget(realm.name, store.changes);
        return answer;
      },
    },
    {
      method: 'GET',
      path: '/identity-provider/providers/{providerId}',
      ...readOperation,
      summary: 'One type of identity provider',
      answers: { status: 200, body: { type: 'object' } },
      handle({ params }) {
        const type = providerType(params.providerId);
        if (type === undefined) throw new AdminError(400, { error: 'HTTP 400 Bad Request' });
        return ok({ id: type.id, name: type.name, configProperties: [], helpText: '', configMetadata: [] });
      },
    },
    {
      method: 'GET',
      path: `${PATH}/{alias}`,
      ...readOperation,
      summary: 'One identity provider',
      etag: true,
      answers: { status: 200, body: SCHEMA },
      handle: ({ realm, params: { alias } }) =>
        ok(toRepresentation(requireIdentityProvider(realm.representation, alias))),
    },
    {
      method: 'PUT',
      path: `${PATH}/{alias}`,
      ...writeOperation,
      summary: 'Update an identity provider, except its alias and kind; masked secrets stay',
      body: SCHEMA,
      strict: IDENTITY_PROVIDER_MEMBERS,
      ignoredMembers: ['internalId', 'providerId'],
      answers: { status: 204 },
      async handle({ realm, admin, params, body }) {
        const input = body as IdentityProviderInput;
        const { alias } = requireIdentityProvider(realm.representation, params.alias);
        await requireRightsOfLinkedUsers(users, admin, realm, alias);
        await edits.edit(realm.name, (draft) => {
          const { internalId, providerId = '', config } = requireIdentityProvider(draft, alias);
          if (input.alias && input.alias !== alias) throw badRequest('Identity Provider alias cannot be changed');
          // As in Keycloak, the type must be valid, but has no effect: the type of a provider cannot change.
          requireProviderType(input.providerId);
          const after = toStoredProvider({ alias, internalId, providerId }, input, config);
          const before = snapshotPrivileges(admin, draft);
          draft.identityProviders =
            draft.identityProviders?.map((provider) => (provider.alias === alias ? after : provider)) ?? [];
          refuseEscalation(admin, before, draft);
        });
        // As in Keycloak, the host fetches the provider's keys again after a change.
        await fetchedKeys.forget(realm.name, store.changes);
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/{alias}`,
      ...writeOperation,
      summary: 'Delete an identity provider with its mappers and the links of users',
      answers: { status: 204 },
      async handle({ realm, params }) {
        await edits.edit(realm.name, (draft, { names }) => {
          const { alias } = requireIdentityProvider(draft, params.alias);
          // A provider that gets this alias later has other users, so links of users are removed.
          names.push({ what: 'identityProvider', from: alias });
          draft.identityProviders = draft.identityProviders?.filter((provider) => provider.alias !== alias) ?? [];
          draft.identityProviderMappers =
            draft.identityProviderMappers?.filter((mapper) => mapper.identityProviderAlias !== alias) ?? [];
        });
        return undefined;
      },
    },
    ...managementPermissions(
      {
        path: `${PATH}/{alias}/management/permissions`,
        tag: TAG,
        view: readOperation.roles,
        manage: writeOperation.roles,
      },
      ({ realm, params }) => void requireIdentityProvider(realm.representation, params.alias),
    ),
  ];
}

function matchesSearch(search: string | undefined): (provider: IdentityProviderRepresentation) => boolean {
  const exact = /^"(.*)"$/.exec(search ?? '')?.[1];
  const part = (search ?? '').replaceAll('*', '').toLowerCase();
  return ({ alias }) => (exact === undefined ? alias.toLowerCase().includes(part) : alias === exact);
}

function toBriefRepresentation({
  alias,
  internalId,
  providerId,
  displayName,
  enabled,
}: IdentityProviderRepresentation) {
  return { alias, internalId, providerId, displayName, enabled: enabled ?? true };
}

function toRepresentation(provider: IdentityProviderRepresentation) {
  return { enabled: true, ...provider, config: maskSecrets<string>(provider.config) };
}
