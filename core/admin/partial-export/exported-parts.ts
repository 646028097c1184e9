import type {
  ClientRepresentation,
  GroupRepresentation,
  RealmRepresentation,
  RoleRepresentation,
} from '../../model/representation.js';
import { clientResponse } from '../clients/client-response.js';
import type { StoredClient } from '../clients/find-client.js';
import { fullGroup } from '../groups/group-representation.js';
import { type GroupWithPath, withPath } from '../groups/group-with-path.js';
import { roleViews } from '../roles/role-with-client.js';

type Roles = NonNullable<RealmRepresentation['roles']>;
type Mappings = NonNullable<RealmRepresentation['scopeMappings']>;

/** Roles as in Keycloak's export: the members of the API, and the names of the contained roles. */
export function exportedRoles(realm: RealmRepresentation): Roles {
  const view = roleViews(realm);
  const each = (clientId: string | undefined, roles: readonly RoleRepresentation[] = []) =>
    roles.map((role) => {
      const shown = view({ clientId, role }) as RoleRepresentation;
      return shown.composite === true ? { ...shown, composites: exportedComposites(role) } : shown;
    });
  const { realm: own, client = {} } = realm.roles ?? {};
  const ofClients = Object.entries(client).map(([clientId, roles]) => [clientId, each(clientId, roles)] as const);
  return { realm: each(undefined, own), client: Object.fromEntries(ofClients) };
}

function exportedComposites({ composites: { realm = [], client = {} } = {} }: RoleRepresentation) {
  const ofClients = Object.entries(client).filter(([, names]) => names.length > 0);
  return {
    ...(realm.length > 0 ? { realm } : {}),
    ...(ofClients.length > 0 ? { client: Object.fromEntries(ofClients) } : {}),
  };
}

/** Clients as Keycloak's API shows them, without the caller's own rights. */
export function exportedClients(realm: RealmRepresentation): ClientRepresentation[] {
  return (realm.clients ?? []).map((client) => {
    const { access: _, ...shown } = clientResponse(realm, client as StoredClient, true);
    return shown as ClientRepresentation;
  });
}

/** Groups with their paths and subgroups. */
export function exportedGroups({ groups = [] }: RealmRepresentation): GroupRepresentation[] {
  const each = (list: readonly GroupRepresentation[], parent: GroupWithPath | undefined): GroupRepresentation[] =>
    list.map((group) => {
      const one = withPath(group, parent);
      return { ...group, ...fullGroup(one), subGroups: each(group.subGroups ?? [], one) };
    });
  return each(groups, undefined);
}

/** Non-empty scope mappings, those of clients first; undefined if there are none. Keycloak leaves out the rest too. */
export function exportedMappings({
  scopeMappings,
  clientScopeMappings = {},
}: Pick<RealmRepresentation, 'scopeMappings' | 'clientScopeMappings'>) {
  const some = (mappings: Mappings = []) => {
    const kept = mappings.filter(({ roles = [] }) => roles.length > 0);
    const isOfScope = ({ client }: Mappings[number]) => client === undefined;
    return kept.length === 0 ? undefined : [...kept.filter((one) => !isOfScope(one)), ...kept.filter(isOfScope)];
  };
  const ofClients = Object.entries(clientScopeMappings).flatMap(([clientId, mappings]) => {
    const kept = some(mappings);
    return kept === undefined ? [] : [[clientId, kept] as const];
  });
  return {
    scopeMappings: some(scopeMappings),
    clientScopeMappings: ofClients.length === 0 ? undefined : Object.fromEntries(ofClients),
  };
}

/** Client scopes, without empty lists of mappers. */
export function exportedScopes({ clientScopes }: RealmRepresentation): RealmRepresentation['clientScopes'] {
  return clientScopes?.map(({ protocolMappers, ...scope }) => ({
    ...scope,
    ...(protocolMappers !== undefined && protocolMappers.length > 0 ? { protocolMappers } : {}),
  }));
}
