import test from 'ava';
import { pathOf } from '../../core/admin/admin-routes.js';
import type { AdminOperation } from '../../core/admin/operation.js';
import { operations } from '../../core/build/reference/admin-api-page.js';
import { REALM_MANAGEMENT_COMPOSITES, REALM_MANAGEMENT_ROLES } from '../../core/model/built-in-names.js';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

type Call = Awaited<ReturnType<typeof adminCaller>>;

const REALM = 'roles';
const REMOVAL = 'DELETE /realms/{realm}';
const ALL = [...REALM_MANAGEMENT_ROLES, 'realm-admin'];

/** The roles of a holder of `role`, with its composites, and `view-x` with `manage-x`. */
function includedRoles(role: string): readonly string[] {
  if (role === 'realm-admin') return ALL;
  return [role, role.replace('manage-', 'view-'), ...(REALM_MANAGEMENT_COMPOSITES[role] ?? [])];
}

/** Every role that gives its holder none of `roles`. */
function rolesOutside(roles: readonly string[]): readonly string[] {
  return ALL.filter((role) => !includedRoles(role).some((one) => roles.includes(one)));
}

/** They end all sessions, so they are called last, each with a new token. */
const ENDING = ['/logout-all', '/push-revocation'];

const nameOf = (operation: AdminOperation) => `${operation.method} ${pathOf(operation)}`;
const guarded = operations()
  .filter(({ roles }) => roles.length > 0)
  .sort((a, b) => ENDING.indexOf(a.path) - ENDING.indexOf(b.path));
const complements = new Map(guarded.map(({ roles }) => [rolesOutside(roles).join(), rolesOutside(roles)]));
const complementName = (roles: readonly string[]) =>
  `complement-${[...complements.keys()].indexOf(rolesOutside(roles).join())}`;

/** No mail server is configured: it answers 500 to an admin with the right, as Keycloak does. */
const NOT_SENT = 'POST /realms/{realm}/testSMTPConnection';
/** Operations whose `handle` requires this role too. */
const FURTHER_ROLE: Readonly<Record<string, string>> = {
  [NOT_SENT]: 'realm-admin',
  'GET /realms/{realm}/clients/{clientUuid}/evaluate-scopes/generate-example-access-token': 'view-users',
  'GET /realms/{realm}/clients/{clientUuid}/evaluate-scopes/generate-example-id-token': 'view-users',
  'GET /realms/{realm}/clients/{clientUuid}/evaluate-scopes/generate-example-userinfo': 'view-users',
  'GET /realms/{realm}/clients/{clientUuid}/evaluate-scopes/claims': 'view-users',
  'GET /realms/{realm}/users/{userId}/action-tokens/{tokenId}/history': 'view-events',
  'GET /realms/{realm}/ui-ext/sessions': 'view-users',
};
const pairs = new Map(
  guarded.flatMap((operation) => {
    const further = FURTHER_ROLE[nameOf(operation)];
    if (further === undefined) return [];
    return operation.roles.map((role) => [`${role}+${further}`, administrator(`${role}+${further}`, role, further)]);
  }),
);

/** One user for each role, one for each pair of a role and a further one, and one with all roles outside a set. */
const USERS = [
  administrator('without'),
  ...ALL.map((role) => administrator(role, role)),
  ...pairs.values(),
  ...[...complements.values()].map((roles, index) => administrator(`complement-${index}`, ...roles)),
];

const host = shareHost(test, administered({ realms: [testRealm(REALM, { users: USERS })] }), /testSMTPConnection/);

function signIn(username: string): Promise<Call> {
  return adminCaller(host(), { realm: REALM, username, password: username });
}

const callers = new Map<string, Promise<Call>>();
/** Returns the caller, whose token is requested once. */
function as(username: string): Promise<Call> {
  const caller = callers.get(username) ?? signIn(username);
  callers.set(username, caller);
  return caller;
}

/** The path with IDs that do not exist. A caller with the right gets 404 at most, and nothing is changed. */
function absentPath(operation: AdminOperation): string {
  return pathOf(operation)
    .replace('{realm}', REALM)
    .replace(/\{\w+\*?\}/g, 'absent');
}

/** Sends an empty object if the operation may have a body. No operation accepts it for an absent resource. */
async function statusOf(call: Call, operation: AdminOperation): Promise<number> {
  // The body of a stream has no end; HEAD answers without it.
  const method = operation.answers.stream === undefined ? operation.method : 'HEAD';
  return (await call(method, absentPath(operation), operation.method === 'GET' ? undefined : {})).status;
}

test.serial('Admin API: each operation refuses a caller who has every role but those that it names', async (t) => {
  const found: string[] = [];
  for (const operation of guarded) {
    const status = await statusOf(await as(complementName(operation.roles)), operation);
    if (status !== 403) found.push(`${nameOf(operation)}: ${status}`);
  }
  t.deepEqual(found, []);
  t.true(guarded.length > 250, `${guarded.length} operations`);
});

test.serial(
  'Admin API: an operation that requires a further role refuses a caller who has its first one alone',
  async (t) => {
    const found: string[] = [];
    for (const operation of guarded.filter((one) => nameOf(one) in FURTHER_ROLE)) {
      for (const role of operation.roles) found.push(`${await statusOf(await as(role), operation)}`);
    }
    t.deepEqual(found, Array(Object.keys(FURTHER_ROLE).length).fill('403'));
  },
);

/**
 * Operations that declare no role. The statuses for five callers: a user without roles, one with `view-events`, one
 * with `manage-realm`, one with `realm-admin`, and the admin of `master`.
 */
const BY_HAND: Readonly<Record<string, readonly number[]>> = {
  'GET /realms': [200, 200, 200, 200, 200],
  'POST /realms': [403, 403, 403, 403, 400],
  'GET /plugins': [403, 403, 403, 403, 200],
  'GET /plugins/calls': [403, 403, 403, 403, 200],
  'GET /plugins/catalogue': [403, 403, 403, 403, 200],
  'GET /plugins/log': [403, 403, 403, 403, 400],
  'GET /boot': [403, 403, 403, 403, 200],
  'POST /plugins/reload': [403, 403, 403, 403],
  'POST /plugins/rollback': [403, 403, 403, 403],
  'POST /plugins/restart': [403, 403, 403, 403],
  'GET /realms/{realm}/pages': [403, 200, 200, 200, 200],
  'GET /realms/{realm}/pages/{provider}/{operation}': [403, 404, 404, 404, 404],
  'POST /realms/{realm}/pages/{provider}/{operation}': [403, 404, 404, 404, 404],
  'PUT /realms/{realm}/pages/{provider}/{operation}': [403, 404, 404, 404, 404],
  'DELETE /realms/{realm}/pages/{provider}/{operation}': [403, 404, 404, 404, 404],
  'GET /realm-files': [403, 403, 403, 403, 200],
  'GET /realm-files/{name}': [403, 403, 403, 403, 404],
  'POST /realm-files/check': [403, 403, 403, 403, 200],
  'POST /realm-files/plan': [403, 403, 403, 403],
  'POST /realm-files/{name}/apply': [403, 403, 403, 403],
  'GET /realm-files/{name}/export': [403, 403, 403, 403, 404],
  'GET /statistics': [403, 403, 403, 403, 200],
  'GET /serverinfo': [403, 200, 200, 200, 200],
  'GET /{realm}/console/whoami': [403, 200, 200, 200, 200],
  'GET /realms/{realm}/ui-ext/realms/names': [200, 200, 200, 200, 200],
};

test.serial('Admin API: operations that declare no role answer each caller as the table says', async (t) => {
  const callers = [...(await Promise.all(['without', 'view-events', 'manage-realm', 'realm-admin'].map(as)))];
  const root = await adminCaller(host());
  const found: Record<string, number[]> = {};
  for (const operation of operations().filter(({ roles }) => roles.length === 0)) {
    // The realm is needed until the last test, which removes it.
    if (nameOf(operation) === REMOVAL) continue;
    // Only the host's admin may call these, and the calls would reload plugins and apply files.
    const isChange = operation.forHostAdmins === true && operation.method !== 'GET';
    found[nameOf(operation)] = await Promise.all(
      [...callers, ...(isChange ? [] : [root])].map((call) => statusOf(call, operation)),
    );
  }
  t.deepEqual(found, BY_HAND);
});

test.serial(
  'Admin API: each operation admits a caller who has one of the roles that it names, whichever',
  async (t) => {
    const found: string[] = [];
    for (const operation of guarded) {
      for (const role of operation.roles) {
        const name = nameOf(operation);
        const username = name in FURTHER_ROLE ? `${role}+${FURTHER_ROLE[name]}` : role;
        const call = await (ENDING.includes(operation.path) ? signIn(username) : as(username));
        const status = await statusOf(call, operation);
        const isAdmitted = status !== 401 && status !== 403 && (status < 500 || name === NOT_SENT);
        if (!isAdmitted) found.push(`${name} as ${role}: ${status}`);
      }
    }
    t.deepEqual(found, []);
  },
);

test.serial('Admin API: a realm is removed by a caller with manage-realm over it, and by no other', async (t) => {
  // Tokens from before the operations that end sessions are invalid: these users sign in here.
  const remove = async (username: string) => (await (await signIn(username))('DELETE', `/realms/${REALM}`)).status;
  t.deepEqual([await remove('without'), await remove(complementName(['manage-realm']))], [403, 403]);
  t.is(await remove('manage-realm'), 204);
});
