import { defined } from '../../model/defined.js';
import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { Users } from '../../users/users.js';
import { ADMIN_ROLE, REALM_ADMIN } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { requireFewConditions } from '../users/user-query.js';
import { USERS_TAG } from '../users/users-tag.js';
import { mapYielding } from '../yielding-loops.js';
import { administratorConverter } from './administrator-representation.js';
import { membershipsOf, rightSources } from './right-sources.js';

/** Maximum number of administrators in one answer. */
const MAX_PAGE_SIZE = 100;

const NAMES = { type: 'array', items: { type: 'string' } } as const;
const ADMINISTRATOR = {
  type: 'object',
  description: 'A brief UserRepresentation with these members more.',
  required: ['id', 'rights', 'grants'],
  properties: {
    id: { type: 'string' },
    serviceAccountClientId: { type: 'string' },
    rights: {
      type: 'array',
      description: 'The effective administration roles, by the realm that they administer.',
      items: { type: 'object', properties: { realm: { type: 'string' }, roles: NAMES } },
    },
    moreRealms: { type: 'integer', description: 'How many realms are left out of `rights`.' },
    grants: {
      type: 'array',
      description: 'The roles and groups of the user that give the rights.',
      items: {
        type: 'object',
        properties: {
          type: { enum: ['role', 'group'] },
          id: { type: 'string' },
          name: { type: 'string' },
          client: { type: 'string', description: 'The client ID of a client role.' },
          path: { type: 'string', description: 'The path of a group.' },
        },
      },
    },
    moreGrants: { type: 'integer', description: 'How many are left out of `grants`.' },
    lastAdministrator: { type: 'boolean' },
  },
} as const;

/**
 * Keyhost's own API: the users who hold administration rights. Keycloak lists the users of one role, and only those who
 * have it directly.
 */
export function administratorOperations({ users }: { readonly users: Users }): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/administrators',
      tag: USERS_TAG,
      summary:
        'The users of the realm who hold administration rights, also by groups and composite roles, ordered by ' +
        'username; with service accounts. `lastAdministrator` marks the only enabled user with all rights',
      roles: ['view-users'],
      query: {
        search: { type: 'string', description: 'Words that begin the username, the email address or a name.' },
        role: { type: 'string', description: 'Only holders of this role, such as `manage-users`.' },
        over: { type: 'string', description: 'In `master`: only those who may administer the realm of this name.' },
        first: { type: 'integer', description: 'Number of entries to skip.' },
        max: { type: 'integer', description: `Maximum number of entries. Default and limit: ${MAX_PAGE_SIZE}` },
      },
      answers: { status: 200, body: { type: 'array', items: ADMINISTRATOR } },
      async handle({ realm, admin, query }) {
        const { first, max } = query.page();
        const search = query.string('search')?.trim();
        requireFewConditions('search', search?.split(/\s+/) ?? []);
        const filter = { over: query.string('over'), role: query.string('role') };
        const administrators = await users.find(realm, {
          ...defined({ search }),
          holdsAny: membershipsOf(rightSources(realm, filter)),
          serviceAccounts: true,
          first,
          max: Math.min(max, MAX_PAGE_SIZE),
        });
        const lastId = await lastAdministrator(users, realm);
        const toRepresentation = administratorConverter(admin, realm);
        return ok(
          await mapYielding(realm.name, administrators, (user) => ({
            ...toRepresentation(user),
            ...(user.id === lastId ? { lastAdministrator: true } : {}),
          })),
        );
      },
    },
  ];
}

/** The ID of the only enabled user who holds all rights; undefined if there are several, or none. */
async function lastAdministrator(users: Users, realm: Realm): Promise<string | undefined> {
  const role = realm.name === MASTER_REALM ? ADMIN_ROLE : REALM_ADMIN;
  const holdsAny = membershipsOf(rightSources(realm, { role }));
  const [first, second] = await users.find(realm, { holdsAny, enabled: true, max: 2 });
  return second === undefined ? first?.id : undefined;
}
