import type { Role } from '../../model/roles.js';
import { forbiddenError, notFoundError } from '../admin.js';
import { requireClient } from '../clients/find-client.js';
import { type AdminAnswer, type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { ROLE_MEMBERS } from '../strict-representations.js';
import { invalidRoleList } from './composite-operations.js';
import { byName, createRoleConverter, type RoleWithClient, roleMatches, rolesOf } from './role-with-client.js';

/** The members of a user or a group that contain its directly assigned roles. */
export interface RoleHolder {
  realmRoles?: string[];
  clientRoles?: Record<string, string[]>;
}

/** How the operations find and change the roles of a holder: a user or a group. */
export interface RoleHolderEndpoint {
  /** The path, such as `/users/{userId}`. */
  readonly path: string;
  /** Returns the assigned and the effective roles. @throws AdminError 404 */
  find(call: AdminCall): Promise<{ assigned: RoleHolder; effective: ReadonlySet<Role> }>;
  /**
   * Changes the assigned roles.
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
/** Keyhost's extension: Keycloak always returns all roles. */
const LISTING = {
  search: { type: 'string', description: 'A part of the name or the description.' },
  ...PAGING,
} as const;
const ROLES = { status: 200, body: { type: 'array', items: { $ref: 'RoleRepresentation' } } } as const;

/** The realm or a client whose roles are mapped. */
interface Container {
  readonly path: string;
  readonly tag: string;
  readonly description: string;
  readonly resourceType: 'REALM_ROLE_MAPPING' | 'CLIENT_ROLE_MAPPING';
  /** The client ID, or undefined for the realm. @throws AdminError 404 */
  clientId(call: AdminCall): string | undefined;
}

const CONTAINERS: readonly Container[] = [
  {
    path: '/realm',
    tag: 'Role Mapper',
    description: 'realm roles',
    resourceType: 'REALM_ROLE_MAPPING',
    clientId: () => undefined,
  },
  {
    path: '/clients/{clientUuid}',
    tag: 'Client Role Mappings',
    description: 'roles of a client',
    resourceType: 'CLIENT_ROLE_MAPPING',
    clientId: ({ realm, params }) =>
      requireClient(realm.representation, params.clientUuid, 'Client not found').clientId,
  },
];

/** The operations `…/role-mappings` (Keycloak's RoleMapperResource and ClientRoleMappingsResource). */
export function roleMappingOperations(endpoint: RoleHolderEndpoint): AdminOperation[] {
  const base = `${endpoint.path}/role-mappings`;
  return [
    {
      method: 'GET',
      path: base,
      tag: 'Role Mapper',
      summary: 'The roles that are assigned directly',
      roles: ['view-users'],
      answers: { status: 200, body: { type: 'object' } },
      handle: async (call) => ok(allMappings(call, (await endpoint.find(call)).assigned)),
    },
    ...CONTAINERS.flatMap((container) => containerOperations(endpoint, base, container)),
  ];
}

function containerOperations(endpoint: RoleHolderEndpoint, base: string, container: Container): AdminOperation[] {
  const { description, tag, resourceType } = container;
  const path = base + container.path;
  const readOperation = { method: 'GET', tag, roles: ['view-users'], answers: ROLES } as const;
  const writeOperation = {
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
      ...readOperation,
      path,
      summary: `The ${description} that are assigned directly`,
      async handle(call) {
        const clientId = container.clientId(call);
        const assignedNames = new Set(namesIn((await endpoint.find(call)).assigned, clientId));
        return listRoles(call, clientId, ({ name }) => assignedNames.has(name));
      },
    },
    {
      ...readOperation,
      path: `${path}/available`,
      summary: `The ${description} that the caller can assign`,
      query: LISTING,
      async handle(call) {
        const clientId = container.clientId(call);
        const assignedNames = new Set(namesIn((await endpoint.find(call)).assigned, clientId));
        return listRoles(
          call,
          clientId,
          (role) => !assignedNames.has(role.name) && call.admin.covers(call.realm, [role]),
        );
      },
    },
    {
      ...readOperation,
      path: `${path}/composite`,
      summary: `The effective ${description}`,
      query: {
        briefRepresentation: { type: 'boolean', description: 'Without attributes; default: true.' },
        ...LISTING,
      },
      async handle(call) {
        const { effective } = await endpoint.find(call);
        const isBrief = call.query.boolean('briefRepresentation') ?? true;
        return listRoles(call, container.clientId(call), (role) => effective.has(role), isBrief);
      },
    },
    {
      ...writeOperation,
      method: 'POST',
      summary: `Assign ${description}; none that the caller does not have`,
      handle(call) {
        call.setEventDetails({ unchanged: (call.body as readonly unknown[]).length === 0 });
        return changeMappings(endpoint, container, call, (names, sentNames) => [...new Set([...names, ...sentNames])]);
      },
    },
    {
      ...writeOperation,
      method: 'DELETE',
      summary: `Unassign ${description}; without a body, all of them; none that the caller does not have`,
      hasOptionalBody: true,
      handle: (call) =>
        changeMappings(endpoint, container, call, (names, sentNames) =>
          names.filter((name) => !sentNames.includes(name)),
        ),
    },
  ];
}

/** Returns the assigned roles as Keycloak's MappingsRepresentation. */
export function allMappings({ realm }: AdminCall, assigned: RoleHolder): object {
  const toView = createRoleConverter(realm.representation);
  const mappingsOf = (clientId: string | undefined) => {
    const names = new Set(namesIn(assigned, clientId));
    const roles = rolesOf(realm.representation, clientId).filter(({ name }) => names.has(name));
    return roles
      .map((role) => ({ clientId, role }))
      .sort(byName)
      .map((role) => toView(role, true));
  };
  const clients = Object.keys(assigned.clientRoles ?? {}).flatMap((clientId) => {
    const client = realm.clients.get(clientId);
    const mappings = mappingsOf(clientId);
    return client === undefined || mappings.length === 0 ? [] : [{ id: client.id, client: clientId, mappings }];
  });
  const realmMappings = mappingsOf(undefined);
  return {
    ...(realmMappings.length === 0 ? {} : { realmMappings }),
    ...(clients.length === 0
      ? {}
      : {
          clientMappings: Object.fromEntries(clients.map((clientMappings) => [clientMappings.client, clientMappings])),
        }),
  };
}

function listRoles(
  { realm, query }: AdminCall,
  clientId: string | undefined,
  matches: (role: Role) => boolean,
  isBrief = true,
): AdminAnswer {
  const search = query.string('search');
  const compiledRoles = clientId === undefined ? realm.roles.realm : realm.roles.clients.get(clientId);
  const matchingRoles = rolesOf(realm.representation, clientId).flatMap((role): RoleWithClient[] => {
    const compiledRole = compiledRoles?.get(role.name);
    return compiledRole !== undefined && roleMatches(role, search) && matches(compiledRole) ? [{ clientId, role }] : [];
  });
  const toView = createRoleConverter(realm.representation);
  return ok(pageOf(matchingRoles.sort(byName), query.page('all')).map((role) => toView(role, isBrief)));
}

async function changeMappings(
  endpoint: RoleHolderEndpoint,
  container: Container,
  call: AdminCall,
  change: (names: readonly string[], sentNames: readonly string[]) => string[],
): Promise<undefined> {
  const clientId = container.clientId(call);
  const sentNames =
    call.body === undefined
      ? namesIn((await endpoint.find(call)).assigned, clientId)
      : requireReferredNames(call, clientId);
  const { realm, admin } = call;
  const roles = clientId === undefined ? realm.roles.find(sentNames) : realm.roles.find([], { [clientId]: sentNames });
  if (!admin.covers(realm, roles)) throw forbiddenError();
  if (call.body === undefined)
    call.setEventDetails({ eventRepresentation: roleRepresentations(call, clientId, sentNames) });
  await endpoint.change(call, (holder) => {
    const names = change(namesIn(holder, clientId), sentNames);
    if (clientId === undefined) holder.realmRoles = names;
    else {
      const { [clientId]: _, ...remaining } = holder.clientRoles ?? {};
      holder.clientRoles = names.length === 0 ? remaining : { ...remaining, [clientId]: names };
    }
  });
  return undefined;
}

function roleRepresentations({ realm }: AdminCall, clientId: string | undefined, names: readonly string[]): object[] {
  const toView = createRoleConverter(realm.representation);
  const roles = rolesOf(realm.representation, clientId).filter(({ name }) => names.includes(name));
  return roles.map((role) => toView({ clientId, role }, true));
}

function namesIn({ realmRoles = [], clientRoles = {} }: RoleHolder, clientId: string | undefined): readonly string[] {
  if (clientId === undefined) return realmRoles;
  return Object.hasOwn(clientRoles, clientId) ? (clientRoles[clientId] ?? []) : [];
}

/**
 * Returns the names of the roles in a request, which refers to them by ID, or else by name.
 * @throws AdminError 404 if the container does not have one of the roles
 */
function requireReferredNames({ realm, body }: AdminCall, clientId: string | undefined): string[] {
  const roles = rolesOf(realm.representation, clientId);
  return (body as readonly { id?: string; name?: string }[]).map(({ id, name }) => {
    const match = roles.find((role) => (id ? role.id === id : role.name === name));
    if (match === undefined) throw notFoundError('Role not found');
    return match.name;
  });
}
