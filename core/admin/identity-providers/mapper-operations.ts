import { randomUUID } from 'node:crypto';
import { derivedId } from '../../model/derived-id.js';
import { IDENTITY_PROVIDER_MAPPERS, OIDC_PROVIDERS } from '../../model/identity-provider.js';
import type {
  IdentityProviderMapperRepresentation,
  IdentityProviderRepresentation,
  RealmRepresentation,
} from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { badRequest, conflictError, notFoundError } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { IDENTITY_PROVIDER_MAPPER_MEMBERS } from '../strict-representations.js';
import { maskSecrets, replaceConfig } from '../text-config.js';
import { requireIdentityProvider } from './find-provider.js';
import { identityProviderMapperTypes } from './mapper-types.js';
import { requireRightsOfLinkedUsers, requireRightsOfMapper } from './provider-rights.js';

export interface IdentityProviderMapperOperationParts {
  readonly edits: RealmEdits;
  readonly users: Users;
}

const TAG = 'Identity Providers';
const PATH = '/identity-provider/instances/{alias}/mappers';
const TEXT = { type: ['string', 'null'], maxLength: 255 };
const SCHEMA = {
  type: 'object',
  properties: {
    id: TEXT,
    name: TEXT,
    identityProviderAlias: TEXT,
    identityProviderMapper: TEXT,
    config: { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
  },
};

interface MapperInput {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly identityProviderMapper?: string | null;
  readonly config?: Readonly<Record<string, string | null>> | null;
}

/**
 * Operations on the mappers of an identity provider. A mapper can change the email addresses of all users who sign in
 * with the provider. So a change requires the rights of all linked users.
 */
export function identityProviderMapperOperations({
  edits,
  users,
}: IdentityProviderMapperOperationParts): AdminOperation[] {
  const readOperation = { tag: TAG, roles: ['view-identity-providers'] } as const;
  const writeOperation = {
    tag: TAG,
    roles: ['manage-identity-providers'],
    event: { resourceType: 'IDENTITY_PROVIDER_MAPPER' },
  } as const;
  return [
    {
      method: 'GET',
      path: PATH,
      ...readOperation,
      summary: 'The mappers of an identity provider',
      answers: { status: 200, body: { type: 'array', items: SCHEMA } },
      handle: ({ realm, params: { alias } }) =>
        ok(mappersOf(realm.id, realm.representation, alias).map(toRepresentation)),
    },
    {
      method: 'POST',
      path: PATH,
      ...writeOperation,
      summary: 'Add a mapper',
      body: SCHEMA,
      strict: IDENTITY_PROVIDER_MAPPER_MEMBERS,
      ignoredMembers: ['identityProviderAlias'],
      answers: { status: 201 },
      async handle(call) {
        const { realm, admin, body, setEventDetails } = call;
        const { alias } = requireIdentityProvider(realm.representation, call.params.alias);
        const { id, name, identityProviderMapper, config } = body as MapperInput;
        if (!name) throw badRequest('name: is missing');
        if (!identityProviderMapper) throw badRequest('identityProviderMapper: is missing');
        await requireRightsOfLinkedUsers(users, admin, realm, alias);
        return edits.edit(realm.name, (draft) => {
          const mappers = mappersOf(realm.id, draft, alias);
          if (hasNoEffect(requireIdentityProvider(draft, alias), identityProviderMapper))
            setEventDetails({ ignored: [['identityProviderMapper']] });
          if (mappers.some((other) => other.name === name))
            throw conflictError(`Identity provider mapper ${name} already exists`);
          const isTaken = (draft.identityProviderMappers ?? []).some((other) => other.id === id);
          const mapper = { id: id && !isTaken ? id : randomUUID(), name, identityProviderAlias: alias };
          const added = { ...mapper, identityProviderMapper, config: replaceConfig<string>({}, config ?? {}) };
          requireRightsOfMapper(admin, realm, added);
          draft.identityProviderMappers = [...(draft.identityProviderMappers ?? []), added];
          return created(call, mapper.id);
        });
      },
    },
    {
      method: 'GET',
      path: `${PATH}/{id}`,
      ...readOperation,
      summary: 'One mapper',
      etag: true,
      answers: { status: 200, body: SCHEMA },
      handle: ({ realm, params: { alias, id } }) =>
        ok(toRepresentation(requireMapper(mappersOf(realm.id, realm.representation, alias), id))),
    },
    {
      method: 'PUT',
      path: `${PATH}/{id}`,
      ...writeOperation,
      summary: 'Change a mapper',
      body: SCHEMA,
      strict: IDENTITY_PROVIDER_MAPPER_MEMBERS,
      ignoredMembers: ['id', 'identityProviderAlias'],
      answers: { status: 204 },
      async handle({ realm, admin, params, body, setEventDetails }) {
        const { id } = params;
        const { alias } = requireIdentityProvider(realm.representation, params.alias);
        const { name, identityProviderMapper, config } = body as MapperInput;
        await requireRightsOfLinkedUsers(users, admin, realm, alias);
        await edits.edit(realm.name, (draft) => {
          const mappers = mappersOf(realm.id, draft, alias);
          const before = requireMapper(mappers, id);
          if (name && mappers.some((other) => other !== before && other.name === name)) {
            throw conflictError(`Identity provider mapper ${name} already exists`);
          }
          const after = {
            ...before,
            ...(name ? { name } : {}),
            ...(identityProviderMapper ? { identityProviderMapper } : {}),
            ...(config == null ? {} : { config: replaceConfig<string>(before.config, config) }),
          };
          if (identityProviderMapper && identityProviderMapper !== before.identityProviderMapper) {
            if (hasNoEffect(requireIdentityProvider(draft, alias), identityProviderMapper)) {
              setEventDetails({ ignored: [['identityProviderMapper']] });
            }
          }
          requireRightsOfMapper(admin, realm, after);
          draft.identityProviderMappers =
            draft.identityProviderMappers?.map((mapper) => (isSameMapper(mapper, before) ? after : mapper)) ?? [];
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/{id}`,
      ...writeOperation,
      summary: 'Remove a mapper',
      answers: { status: 204 },
      async handle({ realm, admin, params }) {
        const { id } = params;
        const { alias } = requireIdentityProvider(realm.representation, params.alias);
        await requireRightsOfLinkedUsers(users, admin, realm, alias);
        await edits.edit(realm.name, (draft) => {
          const mapper = requireMapper(mappersOf(realm.id, draft, alias), id);
          draft.identityProviderMappers =
            draft.identityProviderMappers?.filter((other) => !isSameMapper(other, mapper)) ?? [];
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: '/identity-provider/instances/{alias}/mapper-types',
      ...readOperation,
      summary: 'The types of mappers',
      answers: { status: 200, body: { type: 'object' } },
      handle({ realm, params: { alias }, exchange }) {
        const { providerId = '' } = requireIdentityProvider(realm.representation, alias);
        return ok(OIDC_PROVIDERS.includes(providerId) ? identityProviderMapperTypes(new AdminTexts({ exchange })) : {});
      },
    },
  ];
}

/** The provider's mappers, each with an ID. @throws AdminError 404 if the provider does not exist */
function mappersOf(realmId: string, realm: RealmRepresentation, key: string | undefined) {
  const { alias } = requireIdentityProvider(realm, key);
  return (realm.identityProviderMappers ?? [])
    .filter(({ identityProviderAlias }) => identityProviderAlias === alias)
    .map((mapper) => ({
      ...mapper,
      id: mapper.id ?? derivedId(realmId, 'identity-provider-mapper', mapper.identityProviderAlias, mapper.name),
    }));
}

/** True if the provider is supported but this mapper type is not. As in Keycloak, the mapper is stored anyway. */
function hasNoEffect({ providerId = '' }: IdentityProviderRepresentation, mapperType: string): boolean {
  const supported: readonly string[] = IDENTITY_PROVIDER_MAPPERS;
  return OIDC_PROVIDERS.includes(providerId) && !supported.includes(mapperType);
}

/** True for the same mapper, since names are unique within a provider. */
function isSameMapper(a: IdentityProviderMapperRepresentation, b: IdentityProviderMapperRepresentation): boolean {
  return a.identityProviderAlias === b.identityProviderAlias && a.name === b.name;
}

function requireMapper<T extends { readonly id: string }>(mappers: readonly T[], id: string | undefined): T {
  const mapper = mappers.find((candidate) => candidate.id === id);
  if (mapper === undefined) throw notFoundError('Model not found');
  return mapper;
}

function toRepresentation(mapper: IdentityProviderMapperRepresentation) {
  return { ...mapper, config: maskSecrets<string>(mapper.config) };
}
