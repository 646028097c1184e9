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
import { badRequest, conflict, notFound } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { IDENTITY_PROVIDER_MAPPER_MEMBERS } from '../strict-representations.js';
import { maskTexts, replaceConfig } from '../text-config.js';
import { findProvider } from './find-provider.js';
import { identityProviderMapperTypes } from './mapper-types.js';
import { requireCoversLinked, requireCoversMapper } from './provider-rights.js';

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

interface Sent {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly identityProviderMapper?: string | null;
  readonly config?: Readonly<Record<string, string | null>> | null;
}

/**
 * The mappers of an identity provider. A mapper can change the emails of all users who sign in with the provider. So a
 * change requires the rights of all linked users.
 */
export function identityProviderMapperOperations({
  edits,
  users,
}: IdentityProviderMapperOperationParts): AdminOperation[] {
  const view = { tag: TAG, roles: ['view-identity-providers'] } as const;
  const change = {
    tag: TAG,
    roles: ['manage-identity-providers'],
    event: { resourceType: 'IDENTITY_PROVIDER_MAPPER' },
  } as const;
  return [
    {
      method: 'GET',
      path: PATH,
      ...view,
      summary: 'The mappers of an identity provider',
      answers: { status: 200, body: { type: 'array', items: SCHEMA } },
      handle: ({ realm, params: { alias } }) => ok(mappersOf(realm.id, realm.representation, alias).map(shown)),
    },
    {
      method: 'POST',
      path: PATH,
      ...change,
      summary: 'Add a mapper',
      body: SCHEMA,
      strict: IDENTITY_PROVIDER_MAPPER_MEMBERS,
      ignoredMembers: ['identityProviderAlias'],
      answers: { status: 201 },
      async handle(call) {
        const { realm, admin, body, setEventDetails } = call;
        const { alias } = findProvider(realm.representation, call.params.alias);
        const { id, name, identityProviderMapper, config } = body as Sent;
        if (!name) throw badRequest('name: is missing');
        if (!identityProviderMapper) throw badRequest('identityProviderMapper: is missing');
        await requireCoversLinked(users, admin, realm, alias);
        return edits.edit(realm.name, (draft) => {
          const mappers = mappersOf(realm.id, draft, alias);
          if (hasNoEffect(findProvider(draft, alias), identityProviderMapper))
            setEventDetails({ ignored: [['identityProviderMapper']] });
          if (mappers.some((one) => one.name === name))
            throw conflict(`Identity provider mapper ${name} already exists`);
          const taken = (draft.identityProviderMappers ?? []).some((one) => one.id === id);
          const mapper = { id: id && !taken ? id : randomUUID(), name, identityProviderAlias: alias };
          const added = { ...mapper, identityProviderMapper, config: replaceConfig<string>({}, config ?? {}) };
          requireCoversMapper(admin, realm, added);
          draft.identityProviderMappers = [...(draft.identityProviderMappers ?? []), added];
          return created(call, mapper.id);
        });
      },
    },
    {
      method: 'GET',
      path: `${PATH}/{id}`,
      ...view,
      summary: 'One mapper',
      etag: true,
      answers: { status: 200, body: SCHEMA },
      handle: ({ realm, params: { alias, id } }) =>
        ok(shown(find(mappersOf(realm.id, realm.representation, alias), id))),
    },
    {
      method: 'PUT',
      path: `${PATH}/{id}`,
      ...change,
      summary: 'Change a mapper',
      body: SCHEMA,
      strict: IDENTITY_PROVIDER_MAPPER_MEMBERS,
      ignoredMembers: ['id', 'identityProviderAlias'],
      answers: { status: 204 },
      async handle({ realm, admin, params, body, setEventDetails }) {
        const { id } = params;
        const { alias } = findProvider(realm.representation, params.alias);
        const { name, identityProviderMapper, config } = body as Sent;
        await requireCoversLinked(users, admin, realm, alias);
        await edits.edit(realm.name, (draft) => {
          const mappers = mappersOf(realm.id, draft, alias);
          const before = find(mappers, id);
          if (name && mappers.some((one) => one !== before && one.name === name)) {
            throw conflict(`Identity provider mapper ${name} already exists`);
          }
          const after = {
            ...before,
            ...(name ? { name } : {}),
            ...(identityProviderMapper ? { identityProviderMapper } : {}),
            ...(config == null ? {} : { config: replaceConfig<string>(before.config, config) }),
          };
          if (identityProviderMapper && identityProviderMapper !== before.identityProviderMapper) {
            if (hasNoEffect(findProvider(draft, alias), identityProviderMapper)) {
              setEventDetails({ ignored: [['identityProviderMapper']] });
            }
          }
          requireCoversMapper(admin, realm, after);
          draft.identityProviderMappers =
            draft.identityProviderMappers?.map((one) => (same(one, before) ? after : one)) ?? [];
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/{id}`,
      ...change,
      summary: 'Remove a mapper',
      answers: { status: 204 },
      async handle({ realm, admin, params }) {
        const { id } = params;
        const { alias } = findProvider(realm.representation, params.alias);
        await requireCoversLinked(users, admin, realm, alias);
        await edits.edit(realm.name, (draft) => {
          const mapper = find(mappersOf(realm.id, draft, alias), id);
          draft.identityProviderMappers = draft.identityProviderMappers?.filter((one) => !same(one, mapper)) ?? [];
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: '/identity-provider/instances/{alias}/mapper-types',
      ...view,
      summary: 'The types of mappers',
      answers: { status: 200, body: { type: 'object' } },
      handle({ realm, params: { alias }, exchange }) {
        const { providerId = '' } = findProvider(realm.representation, alias);
        return ok(OIDC_PROVIDERS.includes(providerId) ? identityProviderMapperTypes(new AdminTexts({ exchange })) : {});
      },
    },
  ];
}

/** @throws AdminError 404 if the provider does not exist */
function mappersOf(realmId: string, realm: RealmRepresentation, key: string | undefined) {
  const { alias } = findProvider(realm, key);
  return (realm.identityProviderMappers ?? [])
    .filter(({ identityProviderAlias }) => identityProviderAlias === alias)
    .map((mapper) => ({
      ...mapper,
      id: mapper.id ?? derivedId(realmId, 'identity-provider-mapper', mapper.identityProviderAlias, mapper.name),
    }));
}

/**
 * True for a mapper type that has no effect here, of a provider that users sign in with. It is stored, as in Keycloak.
 */
function hasNoEffect({ providerId = '' }: IdentityProviderRepresentation, kind: string): boolean {
  const known: readonly string[] = IDENTITY_PROVIDER_MAPPERS;
  return OIDC_PROVIDERS.includes(providerId) && !known.includes(kind);
}

/** Names are unique within a provider. */
function same(a: IdentityProviderMapperRepresentation, b: IdentityProviderMapperRepresentation): boolean {
  return a.identityProviderAlias === b.identityProviderAlias && a.name === b.name;
}

function find<T extends { readonly id: string }>(mappers: readonly T[], id: string | undefined): T {
  const mapper = mappers.find((one) => one.id === id);
  if (mapper === undefined) throw notFound('Model not found');
  return mapper;
}

function shown(mapper: IdentityProviderMapperRepresentation) {
  return { ...mapper, config: maskTexts<string>(mapper.config) };
}
