import type { RealmRepresentation, RoleRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { AdminError, notFound } from '../admin.js';
import { requireClient } from '../clients/find-client.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { ROLE_MEMBERS } from '../strict-representations.js';
import { requireCoversRoles } from './protected-roles.js';
import { ROLE_ENDPOINTS, type RoleEndpoint, resourceTypeOf } from './role-endpoints.js';
import { byName, compositesOf, type RoleWithClient, roleMatches, rolesById, roleViews } from './role-with-client.js';

/** Roles in a request, by ID. Keycloak's clients send more members, which are ignored. */
export const ROLE_REFERENCES = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
} as const;
/** Keycloak's error for an invalid list of roles, with the position of the mistake. */
export function invalidRoleList(problems: string): AdminError {
  return new AdminError(400, { error: 'unknown_error', error_description: `Cannot parse the JSON: ${problems}` });
}

const ROLES = { status: 200, body: { type: 'array', items: { $ref: 'RoleRepresentation' } } } as const;

/**
 * The roles that a request refers to.
 * @throws AdminError 404 with `missing` if one does not exist
 */
export function referredRoles(draft: RealmRepresentation, body: unknown, missing: string): RoleWithClient[] {
  const byId = rolesById(draft);
  return (body as readonly { id: string }[]).map(({ id }) => {
    const placed = byId.get(id);
    if (placed === undefined) throw notFound(missing);
    return placed;
  });
}

/** The roles that a role contains (Keycloak's `composites`). */
export function compositeOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return ROLE_ENDPOINTS.flatMap((door): AdminOperation[] => [
    {
      ...reading(door, ''),
      summary: 'The roles that a role contains',
      query: { search: { type: 'string' }, ...PAGING },
      handle: (call) =>
        listed(call, door, ({ role }) => roleMatches(role, call.query.string('search')), call.query.page(undefined)),
    },
    {
      ...reading(door, '/realm'),
      summary: 'The realm roles that a role contains',
      handle: (call) => listed(call, door, ({ clientId }) => clientId === undefined),
    },
    {
      ...reading(door, '/clients/{containedClientUuid}'),
      summary: 'The roles of a client that a role contains',
      handle(call) {
        const wanted = requireClient(call.realm.representation, call.params.containedClientUuid).clientId;
        return listed(call, door, ({ clientId }) => clientId === wanted);
      },
    },
    {
      ...changing(door, 'POST'),
      summary: 'Add roles to a composite role',
      event: { resourceType: 'REALM_ROLE', operation: 'CREATE' },
      handle: (call) => changed(edits, call, door, addComposite),
    },
    {
      ...changing(door, 'DELETE'),
      summary: 'Remove roles from a composite role',
      event: { resourceType: 'REALM_ROLE' },
      handle: (call) => changed(edits, call, door, removeComposite),
    },
  ]);
}

function reading(door: RoleEndpoint, below: string) {
  const path = `${door.path}/composites${below}`;
  return { method: 'GET', path, tag: door.tag, roles: door.view, answers: ROLES } as const;
}

function changing(door: RoleEndpoint, method: 'POST' | 'DELETE') {
  const path = `${door.path}/composites`;
  return {
    method,
    path,
    tag: door.tag,
    roles: door.manage,
    body: ROLE_REFERENCES,
    strict: ROLE_MEMBERS,
    bodyError: invalidRoleList,
    answers: { status: 204 },
  } as const;
}

function listed(
  call: AdminCall,
  door: RoleEndpoint,
  fits: (placed: RoleWithClient) => boolean,
  page = { first: 0, max: Number.MAX_SAFE_INTEGER },
) {
  const { representation } = call.realm;
  const contained = compositesOf(representation, door.find(call, representation, 'view'))
    .filter(fits)
    .sort(byName);
  const view = roleViews(representation);
  return ok(pageOf(contained, page).map((placed) => view(placed, true)));
}

async function changed(
  edits: RealmEdits,
  call: AdminCall,
  door: RoleEndpoint,
  change: (role: RoleRepresentation, contained: RoleWithClient) => void,
) {
  await edits.edit(call.realm.name, (draft) => {
    const placed = door.find(call, draft, 'manage');
    const contained = referredRoles(draft, call.body, 'Could not find composite role');
    requireCoversRoles(call.admin, draft, [placed, ...contained]);
    for (const role of contained) change(placed.role, role);
    call.setEventDetails({ resourceType: resourceTypeOf(placed) });
  });
  return undefined;
}

function addComposite(role: RoleRepresentation, { clientId, role: { name } }: RoleWithClient): void {
  const { realm = [], client = {} } = role.composites ?? {};
  role.composite = true;
  role.composites =
    clientId === undefined
      ? { client, realm: [...new Set([...realm, name])] }
      : { realm, client: { ...client, [clientId]: [...new Set([...(own(client, clientId) ?? []), name])] } };
}

export function removeComposite(role: RoleRepresentation, { clientId, role: { name } }: RoleWithClient): void {
  const { realm = [], client = {} } = role.composites ?? {};
  const without = (names: readonly string[]) => names.filter((other) => other !== name);
  const left =
    clientId === undefined
      ? { client, realm: without(realm) }
      : { realm, client: { ...client, [clientId]: without(own(client, clientId) ?? []) } };
  left.client = Object.fromEntries(Object.entries(left.client).filter(([, names]) => names.length > 0));
  role.composites = left;
  role.composite = left.realm.length > 0 || Object.keys(left.client).length > 0;
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
