import { randomUUID } from 'node:crypto';
import type { IdentityProviderRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../realms/users.js';
import { badRequest, conflict, notFound } from '../admin.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { powersOf, refuseGain } from '../refuse-gain.js';
import { maskTexts } from '../text-config.js';
import { type ImportConfigParts, importConfigOperation } from './import-config-operation.js';
import { keptProvider, PROVIDER_MEMBERS, type SentProvider } from './kept-provider.js';
import { requireCoversLinked } from './provider-rights.js';

export interface IdentityProviderOperationParts extends ImportConfigParts {
  readonly edits: RealmEdits;
  readonly users: Users;
}

const TAG = 'Identity Providers';
const PATH = '/identity-provider/instances';
const TEXT = { type: ['string', 'null'], maxLength: 255 };
const SCHEMA = {
  type: 'object',
  properties: {
    ...{ alias: TEXT, internalId: TEXT, providerId: TEXT, ...PROVIDER_MEMBERS },
    config: { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
  },
};
type Sent = SentProvider & {
  readonly alias?: string | null;
  readonly internalId?: string | null;
  readonly providerId?: string | null;
};

/** `/identity-provider/instances`. Users log in by those whose `providerId` is `oidc` or `keycloak-oidc`; others are kept. */
export function identityProviderOperations(parts: IdentityProviderOperationParts): AdminOperation[] {
  const { edits, users } = parts;
  const view = { tag: TAG, roles: ['view-identity-providers'] } as const;
  const change = {
    ...{ tag: TAG, roles: ['manage-identity-providers'] },
    event: { resourceType: 'IDENTITY_PROVIDER' },
  } as const;
  return [
    importConfigOperation(parts),
    {
      method: 'GET',
      path: PATH,
      ...view,
      summary: 'The identity providers of the realm',
      query: {
        search: { type: 'string', description: 'Part of the alias; "x" is exactly x.' },
        briefRepresentation: { type: 'boolean' },
        ...PAGING,
      },
      answers: { status: 200, body: { type: 'array', items: SCHEMA } },
      handle({ realm, query }) {
        const found = (realm.representation.identityProviders ?? []).filter(matches(query.string('search')));
        const sorted = [...found].sort((a, b) => a.alias.localeCompare(b.alias));
        const brief = query.boolean('briefRepresentation') === true;
        return ok(pageOf(sorted, query.page(undefined)).map((one) => (brief ? briefly(one) : shown(one))));
      },
    },
    {
      method: 'POST',
      path: PATH,
      ...change,
      summary: 'Add an identity provider',
      body: SCHEMA,
      answers: { status: 201 },
      async handle(call) {
        const { realm, admin, body } = call;
        const { alias, providerId, internalId, ...sent } = body as Sent;
        await requireCoversLinked(users, admin, realm, alias ?? '');
        return edits.edit(realm.name, (draft) => {
          const all = draft.identityProviders ?? [];
          if (all.some((one) => one.alias === alias)) throw conflict(`Identity Provider ${alias} already exists`);
          const isFree = internalId != null && !all.some((one) => one.internalId === internalId);
          const identity = { alias: alias ?? '', internalId: isFree ? internalId : randomUUID() };
          const before = powersOf(draft);
          draft.identityProviders = [...all, keptProvider({ ...identity, providerId: providerId ?? '' }, sent)];
          refuseGain(admin, before, draft);
          return created(call, identity.alias);
        });
      },
    },
    {
      method: 'GET',
      path: `${PATH}/{alias}`,
      ...view,
      summary: 'One identity provider',
      answers: { status: 200, body: SCHEMA },
      handle: ({ realm, params: { alias } }) => ok(shown(findProvider(realm.representation, alias))),
    },
    {
      method: 'PUT',
      path: `${PATH}/{alias}`,
      ...change,
      summary: 'Change an identity provider; its configuration is replaced, and masked secrets stay',
      body: SCHEMA,
      answers: { status: 204 },
      async handle({ realm, admin, params: { alias = '' }, body }) {
        const sent = body as Sent;
        await requireCoversLinked(users, admin, realm, alias);
        await edits.edit(realm.name, (draft) => {
          const provider = findProvider(draft, alias);
          for (const member of ['alias', 'providerId', 'internalId'] as const) {
            if (sent[member] != null && sent[member] !== provider[member])
              throw badRequest(`${member}: cannot be changed`);
          }
          const { internalId = randomUUID(), providerId = '', config = {} } = provider;
          const identity = { alias: provider.alias, internalId, providerId };
          // What is absent stays; the configuration is replaced as a whole.
          const after = keptProvider(
            identity,
            { ...provider, ...withoutNulls(sent), config: sent.config ?? config },
            config,
          );
          const before = powersOf(draft);
          draft.identityProviders = draft.identityProviders?.map((one) => (one === provider ? after : one)) ?? [];
          refuseGain(admin, before, draft);
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/{alias}`,
      ...change,
      summary: 'Remove an identity provider with its mappers and the links of users to it',
      answers: { status: 204 },
      async handle({ realm, params: { alias } }) {
        await edits.edit(realm.name, (draft, { names }) => {
          const provider = findProvider(draft, alias);
          // Another provider that gets the alias later speaks of other accounts.
          names.push({ what: 'identityProvider', from: provider.alias });
          draft.identityProviders = draft.identityProviders?.filter((one) => one !== provider) ?? [];
          draft.identityProviderMappers =
            draft.identityProviderMappers?.filter((one) => one.identityProviderAlias !== alias) ?? [];
        });
        return undefined;
      },
    },
  ];
}

/** @throws AdminError 404 */
export function findProvider(
  { identityProviders = [] }: RealmRepresentation,
  alias: string | undefined,
): IdentityProviderRepresentation {
  const provider = identityProviders.find((one) => one.alias === alias);
  if (provider === undefined) throw notFound('Could not find identity provider');
  return provider;
}

function withoutNulls(sent: Sent): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

function matches(search: string | undefined): (provider: IdentityProviderRepresentation) => boolean {
  const exact = /^"(.*)"$/.exec(search ?? '')?.[1];
  const part = (search ?? '').replaceAll('*', '').toLowerCase();
  return ({ alias }) => (exact === undefined ? alias.toLowerCase().includes(part) : alias === exact);
}

function briefly({ alias, internalId, providerId, displayName, enabled }: IdentityProviderRepresentation) {
  return { alias, internalId, providerId, displayName, enabled: enabled ?? true };
}

function shown(provider: IdentityProviderRepresentation) {
  return { enabled: true, ...provider, config: maskTexts<string>(provider.config) };
}
