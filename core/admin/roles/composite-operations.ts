import type { RealmRepresentation, RoleRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { AdminError, notFoundError } from '../admin.js';
import { requireClient } from '../clients/find-client.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { ROLE_MEMBERS } from '../strict-representations.js';
import { requireRightsOfRoles } from './protected-roles.js';
import { ROLE_ENDPOINTS, type RoleEndpoint, resourceTypeOf } from './role-endpoints.js';
import {
  byName,
  compositesOf,
  createRoleConverter,
  type RoleWithClient,
  roleMatches,
  rolesById,
} from './role-with-client.js';

/** Roles in a request, by ID. Clients of Keycloak's API send more members, which are ignored. */
export const ROLE_REFERENCES = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
} as const;
/** Creates Keycloak's error for an invalid list of roles, with the position of the problem. */
export function invalidRoleList(problems: string): AdminError {
  return new AdminError(400, { error: 'unknown_error', error_description: `Cannot parse the JSON: ${problems}` });
}

const ROLES = { status: 200, body: { type: 'array', items: { $ref: 'RoleRepresentation' } } } as const;

/**
 * Finds the roles that a request refers to.
 * @throws AdminError 404 with `notFoundMessage` if one does not exist
 */
export function requireReferredRoles(
  draft: RealmRepresentation,
  body: unknown,
  notFoundMessage: string,
): RoleWithClient[] {
  const byId = rolesById(draft);
  return (body as readonly { id: string }[]).map(({ id }) => {
    const role = byId.get(id);
    if (role === undefined) throw notFoundError(notFoundMessage);
    return role;
  });
}

/** Operations on the roles that a role contains (Keycloak's `composites`). */
export function compositeOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return ROLE_ENDPOINTS.flatMap((endpoint): AdminOperation[] => [
    {
      ...readOperation(endpoint, ''),
      summary: 'The roles that a role contains',
      query: { search: { type: 'string' }, ...PAGING },
      handle: (call) =>
        listComposites(
          call,
          endpoint,
          ({ role }) => roleMatches(role, call.query.string('search')),
          call.query.page('all'),
        ),
    },
    {
      ...readOperation(endpoint, '/realm'),
      summary: 'The realm roles that a role contains',
      handle: (call) => listComposites(call, endpoint, ({ clientId }) => clientId === undefined),
    },
    {
      ...readOperation(endpoint, '/clients/{containedClientUuid}'),
      summary: 'The roles of a client that a role contains',
      handle(call) {
        const containedClientId = requireClient(call.realm.representation, call.params.containedClientUuid).clientId;
        return listComposites(call, endpoint, ({ clientId }) => clientId === containedClientId);
      },
    },
    {
      ...writeOperation(endpoint, 'POST'),
      summary: 'Add roles to a composite role',
      event: { resourceType: 'REALM_ROLE', operation: 'CREATE' },
      handle: (call) => changeComposites(edits, call, endpoint, addComposite),
    },
    {
      ...writeOperation(endpoint, 'DELETE'),
      summary: 'Remove roles from a composite role',
      event: { resourceType: 'REALM_ROLE' },
      handle: (call) => changeComposites(edits, call, endpoint, removeComposite),
    },
  ]);
}

function readOperation(endpoint: RoleEndpoint, pathSuffix: string) {
  const path = `${endpoint.path}/composites${pathSuffix}`;
  return { method: 'GET', path, tag: endpoint.tag, roles: endpoint.view, answers: ROLES } as const;
}

function writeOperation(endpoint: RoleEndpoint, method: 'POST' | 'DELETE') {
  const path = `${endpoint.path}/composites`;
  return {
    method,
    path,
    tag: endpoint.tag,
    roles: endpoint.manage,
    body: ROLE_REFERENCES,
    strict: ROLE_MEMBERS,
    bodyError: invalidRoleList,
    answers: { status: 204 },
  } as const;
}

function listComposites(
  call: AdminCall,
  endpoint: RoleEndpoint,
  matches: (role: RoleWithClient) => boolean,
  page = { first: 0, max: Number.MAX_SAFE_INTEGER },
) {
  const { representation } = call.realm;
  const containedRoles = compositesOf(representation, endpoint.find(call, representation, 'view'))
    .filter(matches)
    .sort(byName);
  const toView = createRoleConverter(representation);
  return ok(pageOf(containedRoles, page).map((role) => toView(role, true)));
}

async function changeComposites(
  edits: RealmEdits,
  call: AdminCall,
  endpoint: RoleEndpoint,
  change: (role: RoleRepresentation, containedRole: RoleWithClient) => void,
) {
  await edits.edit(call.realm.name, (draft) => {
    const composite = endpoint.find(call, draft, 'manage');
    const containedRoles = requireReferredRoles(draft, call.body, 'Could not find composite role');
    requireRightsOfRoles(call.admin, draft, [composite, ...containedRoles]);
    for (const role of containedRoles) change(composite.role, role);
    call.setEventDetails({ resourceType: resourceTypeOf(composite) });
  });
  return undefined;
}

function addComposite(role: RoleRepresentation, { clientId, role: { name } }: RoleWithClient): void {
  const { realm = [], client = {} } = role.composites ?? {};
  role.composite = true;
  role.composites =
    clientId === undefined
      ? { client, realm: [...new Set([...realm, name])] }
      : { realm, client: { ...client, [clientId]: [...new Set([...(ownValue(client, clientId) ?? []), name])] } };
}

export function removeComposite(role: RoleRepresentation, { clientId, role: { name } }: RoleWithClient): void {
  const { realm = [], client = {} } = role.composites ?? {};
  const without = (names: readonly string[]) => names.filter((other) => other !== name);
  const composites =
    clientId === undefined
      ? { client, realm: without(realm) }
      : { realm, client: { ...client, [clientId]: without(ownValue(client, clientId) ?? []) } };
  composites.client = Object.fromEntries(Object.entries(composites.client).filter(([, names]) => names.length > 0));
  role.composites = composites;
  role.composite = composites.realm.length > 0 || Object.keys(composites.client).length > 0;
}

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
