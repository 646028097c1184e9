import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import type { Mapper, MapperRequest } from './mappers.ts';
import { request, requestTagged } from './request.ts';
import type { MapperKind } from './server-info.ts';

type Config = Readonly<Record<string, string>>;

/** Keycloak's IdentityProviderRepresentation. Secrets in `config` are masked. */
export interface IdentityProvider {
  readonly internalId: string;
  readonly alias: string;
  readonly providerId: string;
  readonly displayName?: string;
  readonly enabled: boolean;
  readonly trustEmail?: boolean;
  readonly storeToken?: boolean;
  readonly addReadTokenRoleOnCreate?: boolean;
  readonly linkOnly?: boolean;
  readonly hideOnLogin?: boolean;
  readonly firstBrokerLoginFlowAlias?: string;
  readonly postBrokerLoginFlowAlias?: string;
  readonly config: Config;
}

export type NewIdentityProvider = Pick<IdentityProvider, 'alias' | 'providerId' | 'config'> &
  Pick<Partial<IdentityProvider>, 'displayName'>;

interface Listing {
  readonly search: string;
  readonly first: number;
  readonly max: number;
}

const READERS = ['view-identity-providers', 'manage-identity-providers'];
const WRITERS = ['manage-identity-providers'];

const rootPath = (realm: string) => `/realms/${encodeSegment(realm)}/identity-provider`;
const onePath = (realm: string, alias: string) => `${rootPath(realm)}/instances/${encodeSegment(alias)}`;
const mappersPath = (realm: string, alias: string) => `${onePath(realm, alias)}/mappers`;
export const identityProvidersKey = (realm: string) => ['realm', realm, 'identity providers'] as const;
export const identityProviderKey = (realm: string, alias: string) =>
  [...identityProvidersKey(realm), 'one', alias] as const;
export const providerMappersKey = (realm: string, alias: string) =>
  [...identityProviderKey(realm, alias), 'mappers'] as const;

/** Identity providers by alias, a page at a time. @param search a part of the alias */
export function identityProvidersOf(realm: string, { search, first, max }: Listing) {
  return queryOptions({
    queryKey: [...identityProvidersKey(realm), 'list', search, first, max],
    queryFn: async ({ signal }) => {
      const query = { search, first, max };
      const path = `${rootPath(realm)}/instances`;
      const all = await request<readonly IdentityProvider[]>(path, { query, roles: READERS, signal });
      return all.map((one) => ({ ...one, id: one.internalId }));
    },
    placeholderData: keepPreviousData,
  });
}

export function oneIdentityProvider(realm: string, alias: string) {
  return queryOptions({
    queryKey: [...identityProviderKey(realm, alias), 'provider'],
    queryFn: ({ signal }) => requestTagged<IdentityProvider>(onePath(realm, alias), { roles: READERS, signal }),
  });
}

/** The endpoints and keys in a provider's discovery document; nothing is stored. */
export function readDiscovery(realm: string, providerId: string, fromUrl: string): Promise<Config> {
  const body = { providerId, fromUrl };
  return request<Config>(`${rootPath(realm)}/import-config`, { method: 'POST', body, roles: WRITERS });
}

export function createIdentityProvider(realm: string, provider: NewIdentityProvider): Promise<void> {
  return request(`${rootPath(realm)}/instances`, { method: 'POST', body: provider, roles: WRITERS });
}

/** Replaces the whole provider; masked secrets stay. */
export function changeIdentityProvider(
  realm: string,
  provider: IdentityProvider,
  ifMatch: string | undefined,
): Promise<void> {
  const path = onePath(realm, provider.alias);
  return request(path, { method: 'PUT', body: provider, ifMatch, roles: WRITERS });
}

export function removeIdentityProvider(realm: string, alias: string, ifMatch: string | undefined): Promise<void> {
  return request(onePath(realm, alias), { method: 'DELETE', ifMatch, roles: WRITERS });
}

/** Keycloak's IdentityProviderMapperRepresentation. */
interface ProviderMapper {
  readonly id: string;
  readonly name: string;
  readonly identityProviderMapper: string;
  readonly config?: Config;
}

const mapperOf = ({ id, name, identityProviderMapper: kind, config = {} }: ProviderMapper): Mapper => ({
  id,
  name,
  kind,
  config,
});
const bodyOf = (alias: string, { name, kind, config }: MapperRequest) => ({
  name,
  config,
  identityProviderAlias: alias,
  identityProviderMapper: kind,
});

/** The mappers that copy claims of the provider to users. */
export function mappersOfProvider(realm: string, alias: string) {
  return queryOptions({
    queryKey: [...providerMappersKey(realm, alias), 'list'],
    queryFn: async ({ signal }) =>
      (await request<readonly ProviderMapper[]>(mappersPath(realm, alias), { roles: READERS, signal })).map(mapperOf),
  });
}

/** The types of mappers that a provider can have. */
export function mapperKindsOfProvider(realm: string, alias: string) {
  return queryOptions({
    queryKey: [...identityProviderKey(realm, alias), 'mapper kinds'],
    queryFn: async ({ signal }) => {
      const path = `${onePath(realm, alias)}/mapper-types`;
      return Object.values(await request<Readonly<Record<string, MapperKind>>>(path, { roles: READERS, signal }));
    },
  });
}

export async function oneProviderMapper(realm: string, alias: string, id: string) {
  const path = `${mappersPath(realm, alias)}/${encodeSegment(id)}`;
  const { body, tag } = await requestTagged<ProviderMapper>(path, { roles: READERS });
  return { body: mapperOf(body), tag };
}

export function createProviderMapper(realm: string, alias: string, mapper: MapperRequest): Promise<void> {
  const body = bodyOf(alias, mapper);
  return request(mappersPath(realm, alias), { method: 'POST', body, roles: WRITERS });
}

export function changeProviderMapper(
  realm: string,
  alias: string,
  { mapper, ifMatch }: { mapper: Mapper; ifMatch: string | undefined },
): Promise<void> {
  const path = `${mappersPath(realm, alias)}/${encodeSegment(mapper.id)}`;
  return request(path, { method: 'PUT', body: bodyOf(alias, mapper), ifMatch, roles: WRITERS });
}

export function removeProviderMapper(realm: string, alias: string, id: string): Promise<void> {
  return request(`${mappersPath(realm, alias)}/${encodeSegment(id)}`, { method: 'DELETE', roles: WRITERS });
}
