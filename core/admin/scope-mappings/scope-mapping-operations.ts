import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { requireClient } from '../clients/find-client.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { invalidRoleList, ROLE_REFERENCES, requireReferredRoles } from '../roles/composite-operations.js';
import { requireCoversRoles } from '../roles/protected-roles.js';
import { byName, type RoleWithClient, rolesOf, roleViews } from '../roles/role-with-client.js';
import { SCOPE_OWNERS, type ScopeOwner, type ScopeOwnerEndpoint } from '../scope-holders.js';
import { ROLE_MEMBERS } from '../strict-representations.js';
import { mappedClientIds, mappedRoles, mapRole, scopeFilter, unmapRole } from './scope-mappings.js';

interface Parts {
  readonly edits: RealmEdits;
  readonly users: Users;
}

/** The owner of the mapped roles: the realm or one client. */
interface RoleSource {
  readonly below: string;
  readonly what: string;
  /** @throws AdminError 404 */
  clientId(call: AdminCall, realm: RealmRepresentation): string | undefined;
}

const SOURCES: readonly RoleSource[] = [
  { below: 'realm', what: 'realm roles', clientId: () => undefined },
  {
    below: 'clients/{roleClientUuid}',
    what: 'roles of a client',
    clientId: ({ params }, realm) => requireClient(realm, params.roleClientUuid).clientId,
  },
];
const TAG = 'Scope Mappings';
const ROLES = { status: 200, body: { type: 'array', items: { $ref: 'RoleRepresentation' } } } as const;

/** The roles that tokens of a client, or with a client scope, may contain (Keycloak's ScopeMappedResource). */
export function scopeMappingOperations(parts: Parts): AdminOperation[] {
  return SCOPE_OWNERS.flatMap((holder) => [
    allMappings(holder),
    ...SOURCES.flatMap((source) => [...readOperations(holder, source), ...writeOperations(parts, holder, source)]),
  ]);
}

function allMappings(holder: ScopeOwnerEndpoint): AdminOperation {
  return {
    method: 'GET',
    path: `${holder.path}/scope-mappings`,
    tag: TAG,
    summary: 'All mapped roles',
    roles: ['view-clients'],
    answers: { status: 200, body: { type: 'object' } },
    handle(call) {
      const { representation } = call.realm;
      const held = holder.find(call, representation);
      const view = roleViews(representation);
      const shown = (clientId: string | undefined) =>
        mappedRoles(representation, held, clientId).map((placed) => view(placed, true));
      const clientMappings = mappedClientIds(representation, held).map((client) => {
        const id = representation.clients?.find(({ clientId }) => clientId === client)?.id;
        return [client, { id, client, mappings: shown(client) }];
      });
      const realmMappings = shown(undefined);
      // As in Keycloak, empty lists are left out.
      return ok({
        ...(realmMappings.length > 0 ? { realmMappings } : {}),
        ...(clientMappings.length > 0 ? { clientMappings: Object.fromEntries(clientMappings) } : {}),
      });
    },
  };
}

function readOperations(holder: ScopeOwnerEndpoint, source: RoleSource): AdminOperation[] {
  const path = `${holder.path}/scope-mappings/${source.below}`;
  const shared = { method: 'GET', tag: TAG, roles: ['view-clients'], answers: ROLES } as const;
  const listed = (
    call: AdminCall,
    roles: (realm: RealmRepresentation, held: ScopeOwner, clientId: string | undefined) => RoleWithClient[],
  ) => {
    const { representation } = call.realm;
    const found = roles(representation, holder.find(call, representation), source.clientId(call, representation));
    const view = roleViews(representation);
    const brief = call.query.boolean('briefRepresentation') ?? true;
    return ok(found.sort(byName).map((placed) => view(placed, brief)));
  };
  const within =
    (shownToo: boolean) => (realm: RealmRepresentation, held: ScopeOwner, clientId: string | undefined) => {
      const has = scopeFilter(realm, held);
      const all = rolesOf(realm, clientId).map((role) => ({ clientId, role }));
      return all.filter((placed) => has(placed) === shownToo);
    };
  return [
    { ...shared, path, summary: `The mapped ${source.what}`, handle: (call) => listed(call, mappedRoles) },
    {
      ...shared,
      path: `${path}/available`,
      summary: `The ${source.what} that you can map and that tokens do not contain yet`,
      handle: (call) => listed(call, within(false)),
    },
    {
      ...shared,
      path: `${path}/composite`,
      summary: `The ${source.what} that tokens can contain, with those of composite roles`,
      query: { briefRepresentation: { type: 'boolean', description: 'Without attributes; default: true.' } },
      handle: (call) => listed(call, within(true)),
    },
  ];
}

function writeOperations(parts: Parts, holder: ScopeOwnerEndpoint, source: RoleSource): AdminOperation[] {
  const shared = {
    path: `${holder.path}/scope-mappings/${source.below}`,
    tag: TAG,
    roles: ['manage-clients'],
    body: ROLE_REFERENCES,
    strict: ROLE_MEMBERS,
    bodyError: invalidRoleList,
    answers: { status: 204 },
    event: { resourceType: source.below === 'realm' ? 'REALM_SCOPE_MAPPING' : 'CLIENT_SCOPE_MAPPING' },
  } as const;
  const changed = async (
    call: AdminCall,
    change: (draft: RealmRepresentation, held: ScopeOwner, placed: RoleWithClient) => void,
  ) => {
    await holder.requireManaged(parts.users, call);
    await parts.edits.edit(call.realm.name, (draft) => {
      const held = holder.find(call, draft);
      const clientId = source.clientId(call, draft);
      const placed =
        call.body === undefined
          ? mappedRoles(draft, held, clientId)
          : requireReferredRoles(draft, call.body, 'Role not found');
      // A mapped role can be contained in tokens, so it requires the caller's own rights, like an assigned role.
      if (change === mapRole) requireCoversRoles(call.admin, draft, placed);
      for (const role of placed) change(draft, held, role);
    });
    return undefined;
  };
  return [
    { ...shared, method: 'POST', summary: `Map ${source.what}`, handle: (call) => changed(call, mapRole) },
    {
      ...shared,
      method: 'DELETE',
      summary: `Remove mapped ${source.what}; without a body, all of them`,
      hasOptionalBody: true,
      handle: (call) => changed(call, unmapRole),
    },
  ];
}
