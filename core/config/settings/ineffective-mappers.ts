import { appliesToTokens } from '../../model/client-scope.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** Keycloak's mappers that only serve organizations: if those are off, they do nothing in Keycloak either. */
const OF_ORGANIZATIONS = ['oidc-organization-membership-mapper', 'saml-organization-membership-mapper'];

type MapperHolder = Pick<ClientRepresentation, 'protocol' | 'protocolMappers'> & {
  readonly clientId?: string;
  readonly name?: string;
};

/**
 * Finds mappers that add nothing to tokens: those of another protocol than their client or client scope, and those that
 * do not exist.
 * @param known the IDs of the mappers of this host
 */
export function ineffectiveMappers(realm: RealmRepresentation, known: ReadonlySet<string>): SchemaProblem[] {
  const isMissing = (id: string) =>
    !known.has(id) && (realm.organizationsEnabled === true || !OF_ORGANIZATIONS.includes(id));
  const of = (holders: readonly MapperHolder[], key: string, nameOf: (holder: MapperHolder) => string) =>
    holders.flatMap((holder, index) =>
      (holder.protocolMappers ?? []).flatMap((mapper, at) => {
        const { name, protocol, protocolMapper: id } = mapper;
        const tell = (member: string, reason: string) => {
          const message = `${reason}: mapper ${name} of ${nameOf(holder)} adds no claims to tokens`;
          return [{ path: [key, index, 'protocolMappers', at, member], message }];
        };
        const { protocol: expected = 'openid-connect' } = holder;
        if (protocol !== undefined && protocol !== expected) {
          return tell('protocol', `protocol "${protocol}" instead of "${expected}"`);
        }
        return appliesToTokens(mapper) && isMissing(id)
          ? tell('protocolMapper', `protocol mapper "${id}" not found`)
          : [];
      }),
    );
  return [
    ...of(realm.clients ?? [], 'clients', ({ clientId }) => `client ${clientId}`),
    ...of(realm.clientScopes ?? [], 'clientScopes', ({ name }) => `client scope ${name}`),
  ];
}
