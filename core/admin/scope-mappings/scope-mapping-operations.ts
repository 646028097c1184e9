import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { requireClient } from '../clients/find-client.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { invalidRoleList, ROLE_REFERENCES, requireReferredRoles } from '../roles/composite-operations.js';
import { requireRightsOfRoles } from '../roles/protected-roles.js';
import { byName, createRoleConverter, type RoleWithClient, roleMatches, rolesOf } from '../roles/role-with-client.js';
import { SCOPE_OWNERS, type ScopeOwner, type ScopeOwnerEndpoint } from '../scope-owners.js';
import { ROLE_MEMBERS } from '../strict-representations.js';
import { createScopeFilter, mappedClientIds, mappedRoles, mapRole, unmapRole } from './scope-mappings.js';

interface Parts {
  readonly edits: RealmEdits;
  readonly users: Users;
}

/** The container of the mapped roles: the realm or a client. */
interface RoleSource {
  readonly pathSuffix: string;
  readonly description: string;
  /** The client ID, or undefined for the realm. @throws AdminError 404 */
  clientId(call: AdminCall, realm: RealmRepresentation): string | undefined;
}

const SOURCES: readonly RoleSource[] = [
  { pathSuffix: 'realm', description: 'realm roles', clientId: () => undefined },
  {
    pathSuffix: 'clients/{roleClientUuid}',
    description: 'roles of a client',
    clientId: ({ params }, realm) => requireClient(realm, params.roleClientUuid).clientId,
  },
];
const TAG = 'Scope Mappings';
/** Keyhost's extension: Keycloak always returns all roles. */
const LISTING = {
  search: { type: 'string', description: 'A part of the name or the description.' },
  ...PAGING,
} as const;
const ROLES = { status: 200, body: { type: 'array', items: { $ref: 'RoleRepresentation' } } } as const;

/**
 * Operations on scope mappings: the roles that tokens of a client, or with a client scope, may contain (Keycloak's
 * ScopeMappedResource).
 */
export function scopeMappingOperations(parts: Parts): AdminOperation[] {
  return SCOPE_OWNERS.flatMap((endpoint) => [
    allMappings(endpoint),
    ...SOURCES.flatMap((source) => [...readOperations(endpoint, source), ...writeOperations(parts, endpoint, source)]),
  ]);
}

function allMappings(endpoint: ScopeOwnerEndpoint): AdminOperation {
  return {
    method: 'GET',
    path: `${endpoint.path}/scope-mappings`,
    tag: TAG,
    summary: 'All mapped roles',
    roles: ['view-clients'],
    answers: { status: 200, body: { type: 'object' } },
    handle(call) {
      const { representation } = call.realm;
      const owner = endpoint.find(call, representation);
      const toView = createRoleConverter(representation);
      const mappingsOf = (clientId: string | undefined) =>
        mappedRoles(representation, owner, clientId).map((role) => toView(role, true));
      const clientMappings = mappedClientIds(representation, owner).map((client) => {
        const id = representation.clients?.find(({ clientId }) => clientId === client)?.id;
        return [client, { id, client, mappings: mappingsOf(client) }];
      });
      const realmMappings = mappingsOf(undefined);
      // As in Keycloak, empty lists are left out.
      return ok({
        ...(realmMappings.length > 0 ? { realmMappings } : {}),
        ...(clientMappings.length > 0 ? { clientMappings: Object.fromEntries(clientMappings) } : {}),
      });
    },
  };
}

function readOperations(endpoint: ScopeOwnerEndpoint, source: RoleSource): AdminOperation[] {
  const path = `${endpoint.path}/scope-mappings/${source.pathSuffix}`;
  const readOperation = { method: 'GET', tag: TAG, roles: ['view-clients'], answers: ROLES } as const;
  const listRoles = (
    call: AdminCall,
    selectRoles: (realm: RealmRepresentation, owner: ScopeOwner, clientId: string | undefined) => RoleWithClient[],
  ) => {
    const { representation } = call.realm;
    const selected = selectRoles(
      representation,
      endpoint.find(call, representation),
      source.clientId(call, representation),
    );
    const toView = createRoleConverter(representation);
    const isBrief = call.query.boolean('briefRepresentation') ?? true;
    const found = selected.filter(({ role }) => roleMatches(role, call.query.string('search'))).sort(byName);
    return ok(pageOf(found, call.query.page('all')).map((role) => toView(role, isBrief)));
  };
  const rolesByScope =
    (isInScope: boolean) => (realm: RealmRepresentation, owner: ScopeOwner, clientId: string | undefined) => {
      const scopeContains = createScopeFilter(realm, owner);
      const containerRoles = rolesOf(realm, clientId).map((role) => ({ clientId, role }));
      return containerRoles.filter((candidate) => scopeContains(candidate) === isInScope);
    };
  return [
    {
      ...readOperation,
      path,
      summary: `The mapped ${source.description}`,
      handle: (call) => listRoles(call, mappedRoles),
    },
    {
      ...readOperation,
      path: `${path}/available`,
      summary: `The ${source.description} that you can map and that tokens do not contain yet`,
      query: LISTING,
      handle: (call) => listRoles(call, rolesByScope(false)),
    },
    {
      ...readOperation,
      path: `${path}/composite`,
      summary: `The ${source.description} that tokens can contain, with those of composite roles`,
      query: { briefRepresentation: { type: 'boolean', description: 'Without attributes; default: true.' } },
      handle: (call) => listRoles(call, rolesByScope(true)),
    },
  ];
}

function writeOperations(parts: Parts, endpoint: ScopeOwnerEndpoint, source: RoleSource): AdminOperation[] {
  const writeOperation = {
    path: `${endpoint.path}/scope-mappings/${source.pathSuffix}`,
    tag: TAG,
    roles: ['manage-clients'],
    body: ROLE_REFERENCES,
    strict: ROLE_MEMBERS,
    bodyError: invalidRoleList,
    answers: { status: 204 },
    event: { resourceType: source.pathSuffix === 'realm' ? 'REALM_SCOPE_MAPPING' : 'CLIENT_SCOPE_MAPPING' },
  } as const;
  const changeMappings = async (
    call: AdminCall,
    change: (draft: RealmRepresentation, owner: ScopeOwner, role: RoleWithClient) => void,
  ) => {
    await endpoint.requireManaged(parts.users, call);
    await parts.edits.edit(call.realm.name, (draft) => {
      const owner = endpoint.find(call, draft);
      const clientId = source.clientId(call, draft);
      const roles =
        call.body === undefined
          ? mappedRoles(draft, owner, clientId)
          : requireReferredRoles(draft, call.body, 'Role not found');
      // Tokens may contain a mapped role, so mapping it requires its rights, like assigning it.
      if (change === mapRole) requireRightsOfRoles(call.admin, draft, roles);
      for (const role of roles) change(draft, owner, role);
    });
    return undefined;
  };
  return [
    {
      ...writeOperation,
      method: 'POST',
      summary: `Map ${source.description}`,
      handle: (call) => changeMappings(call, mapRole),
    },
    {
      ...writeOperation,
      method: 'DELETE',
      summary: `Remove mapped ${source.description}; without a body, all of them`,
      hasOptionalBody: true,
      handle: (call) => changeMappings(call, unmapRole),
    },
  ];
}
