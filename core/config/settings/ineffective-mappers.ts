import { appliesToTokens } from '../../model/client-scope.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/**
 * Keycloak's mappers that only serve organizations. In a realm without organizations they do nothing in Keycloak
 * either.
 */
const ORGANIZATION_MAPPERS = ['oidc-organization-membership-mapper', 'saml-organization-membership-mapper'];

type MapperHolder = Pick<ClientRepresentation, 'protocol' | 'protocolMappers'> & {
  readonly clientId?: string;
  readonly name?: string;
};

/**
 * Finds mappers that add nothing to tokens: those of another protocol than their client or client scope, and those that
 * do not exist.
 * @param knownMappers the IDs of the mappers of this host
 */
export function ineffectiveMappers(realm: RealmRepresentation, knownMappers: ReadonlySet<string>): SchemaProblem[] {
  const isMissing = (id: string) =>
    !knownMappers.has(id) && (realm.organizationsEnabled === true || !ORGANIZATION_MAPPERS.includes(id));
  const problemsOf = (holders: readonly MapperHolder[], key: string, nameOf: (holder: MapperHolder) => string) =>
    holders.flatMap((holder, index) =>
      (holder.protocolMappers ?? []).flatMap((mapper, mapperIndex) => {
        const { name, protocol, protocolMapper: id } = mapper;
        const problem = (member: string, reason: string) => {
          const message = `${reason}: mapper ${name} of ${nameOf(holder)} adds no claims to tokens`;
          return [{ path: [key, index, 'protocolMappers', mapperIndex, member], message }];
        };
        const { protocol: expected = 'openid-connect' } = holder;
        if (protocol !== undefined && protocol !== expected) {
          return problem('protocol', `protocol "${protocol}" instead of "${expected}"`);
        }
        return appliesToTokens(mapper) && isMissing(id)
          ? problem('protocolMapper', `protocol mapper "${id}" not found`)
          : [];
      }),
    );
  return [
    ...problemsOf(realm.clients ?? [], 'clients', ({ clientId }) => `client ${clientId}`),
    ...problemsOf(realm.clientScopes ?? [], 'clientScopes', ({ name }) => `client scope ${name}`),
  ];
}
