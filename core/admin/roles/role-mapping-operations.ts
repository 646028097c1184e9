import type { Role } from '../../model/roles.js';
import { forbidden, notFound } from '../admin.js';
import { requireClient } from '../clients/find-client.js';
import { type AdminAnswer, type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { ROLE_MEMBERS } from '../strict-representations.js';
import { invalidRoleList } from './composite-operations.js';
import { byName, type RoleWithClient, roleMatches, rolesOf, roleViews } from './role-with-client.js';

/** The members of a user or a group that hold its own roles. */
export interface RoleHolder {
  realmRoles?: string[];
  clientRoles?: Record<string, string[]>;
}

/** The path of a user, a group or another holder of roles. */
export interface RoleHolderEndpoint {
  /** Such as `/users/{userId}`. */
  readonly path: string;
  /** @throws AdminError 404 */
  find(call: AdminCall): Promise<{ own: RoleHolder; effective: ReadonlySet<Role> }>;
  /**
   * @param change gets a copy, and may be called again
   * @throws AdminError 404
   */
  change(call: AdminCall, change: (holder: RoleHolder) => void): Promise<unknown>;
}

const REFERENCES = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } },
} as const;
/** Keyhost only: Keycloak always returns all roles. */
const LISTING = {
  search: { type: 'string', description: 'A part of the name or the description.' },
  ...PAGING,
} as const;
const ROLES = { status: 200, body: { type: 'array', items: { $ref: 'RoleRepresentation' } } } as const;

/** The realm or a client whose roles are mapped. */
interface Container {
  readonly path: string;
  readonly tag: string;
  readonly what: string;
  readonly resourceType: 'REALM_ROLE_MAPPING' | 'CLIENT_ROLE_MAPPING';
  /** @throws AdminError 404 */
  clientId(call: AdminCall): string | undefined;
}

const CONTAINERS: readonly Container[] = [
  {
    path: '/realm',
    tag: 'Role Mapper',
    what: 'realm roles',
    resourceType: 'REALM_ROLE_MAPPING',
    clientId: () => undefined,
  },
  {
    path: '/clients/{clientUuid}',
    tag: 'Client Role Mappings',
    what: 'roles of a client',
    resourceType: 'CLIENT_ROLE_MAPPING',
    clientId: ({ realm, params }) =>
      requireClient(realm.representation, params.clientUuid, 'Client not found').clientId,
  },
];

/** `…/role-mappings` (Keycloak's RoleMapperResource and ClientRoleMappingsResource). */
export function roleMappingOperations(door: RoleHolderEndpoint): AdminOperation[] {
  const base = `${door.path}/role-mappings`;
  return [
    {
      method: 'GET',
      path: base,
      tag: 'Role Mapper',
      summary: 'The roles that are assigned directly',
      roles: ['view-users'],
      answers: { status: 200, body: { type: 'object' } },
      handle: async (call) => ok(allMappings(call, (await door.find(call)).own)),
    },
    ...CONTAINERS.flatMap((container) => ofContainer(door, base, container)),
  ];
}

function ofContainer(door: RoleHolderEndpoint, base: string, container: Container): AdminOperation[] {
  const { what, tag, resourceType } = container;
  const path = base + container.path;
  const reading = { method: 'GET', tag, roles: ['view-users'], answers: ROLES } as const;
  const writing = {
    path,
    tag,
    roles: ['manage-users'],
    body: REFERENCES,
    strict: ROLE_MEMBERS,
    bodyError: invalidRoleList,
    answers: { status: 204 },
    event: { resourceType },
  } as const;
  return [
    {
      ...reading,
      path,
      summary: `The ${what} that are assigned directly`,
      async handle(call) {
        const clientId = container.clientId(call);
        const own = new Set(namesIn((await door.find(call)).own, clientId));
        return listed(call, clientId, ({ name }) => own.has(name));
      },
    },
    {
      ...reading,
      path: `${path}/available`,
      summary: `The ${what} that the caller can assign`,
      query: LISTING,
      async handle(call) {
        const clientId = container.clientId(call);
        const own = new Set(namesIn((await door.find(call)).own, clientId));
        return listed(call, clientId, (role) => !own.has(role.name) && call.admin.covers(call.realm, [role]));
      },
    },
    {
      ...reading,
      path: `${path}/composite`,
      summary: `The effective ${what}`,
      query: {
        briefRepresentation: { type: 'boolean', description: 'Without attributes; default: true.' },
        ...LISTING,
      },
      async handle(call) {
        const { effective } = await door.find(call);
        const brief = call.query.boolean('briefRepresentation') ?? true;
        return listed(call, container.clientId(call), (role) => effective.has(role), brief);
      },
    },
    {
      ...writing,
      method: 'POST',
      summary: `Assign ${what}; none that the caller does not have`,
      handle(call) {
        call.setEventDetails({ unchanged: (call.body as readonly unknown[]).length === 0 });
        return changed(door, container, call, (names, given) => [...new Set([...names, ...given])]);
      },
    },
    {
      ...writing,
      method: 'DELETE',
      summary: `Unassign ${what}; without a body, all of them; none that the caller does not have`,
      hasOptionalBody: true,
      handle: (call) => changed(door, container, call, (names, given) => names.filter((name) => !given.includes(name))),
    },
  ];
}

/** Keycloak's MappingsRepresentation. */
export function allMappings({ realm }: AdminCall, own: RoleHolder): object {
  const view = roleViews(realm.representation);
  const shown = (clientId: string | undefined) => {
    const names = new Set(namesIn(own, clientId));
    const roles = rolesOf(realm.representation, clientId).filter(({ name }) => names.has(name));
    return roles
      .map((role) => ({ clientId, role }))
      .sort(byName)
      .map((role) => view(role, true));
  };
  const clients = Object.keys(own.clientRoles ?? {}).flatMap((clientId) => {
    const client = realm.clients.get(clientId);
    const mappings = shown(clientId);
    return client === undefined || mappings.length === 0 ? [] : [{ id: client.id, client: clientId, mappings }];
  });
  const ofRealm = shown(undefined);
  return {
    ...(ofRealm.length === 0 ? {} : { realmMappings: ofRealm }),
    ...(clients.length === 0 ? {} : { clientMappings: Object.fromEntries(clients.map((all) => [all.client, all])) }),
  };
}

function listed(
  { realm, query }: AdminCall,
  clientId: string | undefined,
  fits: (role: Role) => boolean,
  brief = true,
): AdminAnswer {
  const search = query.string('search');
  const compiled = clientId === undefined ? realm.roles.realm : realm.roles.clients.get(clientId);
  const placed = rolesOf(realm.representation, clientId).flatMap((role): RoleWithClient[] => {
    const known = compiled?.get(role.name);
    return known !== undefined && roleMatches(role, search) && fits(known) ? [{ clientId, role }] : [];
  });
  const view = roleViews(realm.representation);
  return ok(pageOf(placed.sort(byName), query.page(undefined)).map((role) => view(role, brief)));
}

async function changed(
  door: RoleHolderEndpoint,
  container: Container,
  call: AdminCall,
  change: (names: readonly string[], given: readonly string[]) => string[],
): Promise<undefined> {
  const clientId = container.clientId(call);
  const given = call.body === undefined ? namesIn((await door.find(call)).own, clientId) : referred(call, clientId);
  const { realm, admin } = call;
  const roles = clientId === undefined ? realm.roles.find(given) : realm.roles.find([], { [clientId]: given });
  if (!admin.covers(realm, roles)) throw forbidden();
  if (call.body === undefined) call.setEventDetails({ eventRepresentation: shownRoles(call, clientId, given) });
  await door.change(call, (holder) => {
    const names = change(namesIn(holder, clientId), given);
    if (clientId === undefined) holder.realmRoles = names;
    else {
      const { [clientId]: _, ...others } = holder.clientRoles ?? {};
      holder.clientRoles = names.length === 0 ? others : { ...others, [clientId]: names };
    }
  });
  return undefined;
}

function shownRoles({ realm }: AdminCall, clientId: string | undefined, names: readonly string[]): object[] {
  const view = roleViews(realm.representation);
  const roles = rolesOf(realm.representation, clientId).filter(({ name }) => names.includes(name));
  return roles.map((role) => view({ clientId, role }, true));
}

function namesIn({ realmRoles = [], clientRoles = {} }: RoleHolder, clientId: string | undefined): readonly string[] {
  if (clientId === undefined) return realmRoles;
  return Object.hasOwn(clientRoles, clientId) ? (clientRoles[clientId] ?? []) : [];
}

/**
 * The names of the roles in a request, which refers to them by ID, or by name without an ID.
 * @throws AdminError 404 if the container lacks one
 */
function referred({ realm, body }: AdminCall, clientId: string | undefined): string[] {
  const roles = rolesOf(realm.representation, clientId);
  return (body as readonly { id?: string; name?: string }[]).map(({ id, name }) => {
    const found = roles.find((role) => (id ? role.id === id : role.name === name));
    if (found === undefined) throw notFound('Role not found');
    return found.name;
  });
}
