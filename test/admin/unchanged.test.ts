import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

/**
 * A request, its status and its event, recorded from Keycloak 26.7.3 with two differences. Keycloak refuses a scope
 * that is already a default or optional scope of the realm (409), and emits no event for removed credentials.
 */
type Row = readonly [method: string, path: string, body: unknown, status: number, event: string];

test('Admin API, as Keycloak: a change without effect gets the same response and an event', async (t) => {
  const { host } = await ownRealm(shared(), { adminEventsEnabled: true });
  const call = await adminCaller(host);
  const at = `/realms/${host.defaultRealm}`;
  const created = async (path: string, body: object) => {
    const answer = await call('POST', at + path, body);
    t.is(answer.status, 201, answer.text);
    return answer.headers.get('location')?.split('/').pop() ?? '';
  };
  const user = await created('/users', { username: 'somebody' });
  const group = await created('/groups', { name: 'g' });
  const other = await created('/groups', { name: 'g2' });
  const scope = await created('/client-scopes', { name: 's', protocol: 'openid-connect' });
  const client = await created('/clients', { clientId: 'c' });
  const client2 = await created('/clients', { clientId: 'c2' });
  await created('/roles', { name: 'a' });
  await created('/roles', { name: 'b' });
  await created(`/clients/${client}/roles`, { name: 'x' });
  const a = (await call('GET', `${at}/roles/a`)).json;
  const b = (await call('GET', `${at}/roles/b`)).json;
  const x = (await call('GET', `${at}/clients/${client}/roles/x`)).json;
  const NONE = '';
  const twice = (...[method, path, body, status, event]: Row): Row[] => [
    [method, path, body, status, event],
    [method, path, body, status, event],
  ];
  const member = `/users/${user}/groups/${group}`;
  const table: readonly Row[] = [
    ['PUT', member, undefined, 204, 'CREATE GROUP_MEMBERSHIP'],
    ['PUT', member, undefined, 204, NONE],
    ['DELETE', member, undefined, 204, 'DELETE GROUP_MEMBERSHIP'],
    ['DELETE', member, undefined, 204, NONE],
    ['PUT', `/users/${user}/groups/nope`, undefined, 404, NONE],
    ['DELETE', `/users/${user}/groups/nope`, undefined, 404, NONE],
    ...twice('POST', `/users/${user}/role-mappings/realm`, [a], 204, 'CREATE REALM_ROLE_MAPPING'),
    ...twice('DELETE', `/users/${user}/role-mappings/realm`, [a], 204, 'DELETE REALM_ROLE_MAPPING'),
    ['POST', `/users/${user}/role-mappings/realm`, [], 204, NONE],
    ['DELETE', `/users/${user}/role-mappings/realm`, [], 204, 'DELETE REALM_ROLE_MAPPING'],
    ...twice('POST', `/users/${user}/role-mappings/clients/${client}`, [x], 204, 'CREATE CLIENT_ROLE_MAPPING'),
    ...twice('DELETE', `/users/${user}/role-mappings/clients/${client}`, [x], 204, 'DELETE CLIENT_ROLE_MAPPING'),
    ...twice('POST', `/groups/${group}/role-mappings/realm`, [a], 204, 'CREATE REALM_ROLE_MAPPING'),
    ...twice('DELETE', `/groups/${group}/role-mappings/realm`, [a], 204, 'DELETE REALM_ROLE_MAPPING'),
    ...twice('POST', '/roles/a/composites', [b], 204, 'CREATE REALM_ROLE'),
    ...twice('DELETE', '/roles/a/composites', [b], 204, 'DELETE REALM_ROLE'),
    ...twice('PUT', `/default-groups/${group}`, undefined, 204, 'CREATE GROUP'),
    ...twice('DELETE', `/default-groups/${group}`, undefined, 204, 'DELETE GROUP'),
    ['PUT', `/default-default-client-scopes/${scope}`, undefined, 204, 'CREATE CLIENT_SCOPE'],
    ['PUT', `/default-default-client-scopes/${scope}`, undefined, 204, NONE],
    ...twice('DELETE', `/default-default-client-scopes/${scope}`, undefined, 204, 'DELETE CLIENT_SCOPE'),
    ['PUT', `/default-optional-client-scopes/${scope}`, undefined, 204, 'CREATE CLIENT_SCOPE'],
    ['PUT', `/default-optional-client-scopes/${scope}`, undefined, 204, NONE],
    ['PUT', `/default-default-client-scopes/${scope}`, undefined, 204, 'CREATE CLIENT_SCOPE'],
    ...twice(
      'PUT',
      `/clients/${client}/default-client-scopes/${scope}`,
      undefined,
      204,
      'CREATE CLIENT_SCOPE_CLIENT_MAPPING',
    ),
    ['PUT', `/clients/${client}/optional-client-scopes/${scope}`, undefined, 204, 'CREATE CLIENT_SCOPE_CLIENT_MAPPING'],
    ...twice(
      'DELETE',
      `/clients/${client}/default-client-scopes/${scope}`,
      undefined,
      204,
      'DELETE CLIENT_SCOPE_CLIENT_MAPPING',
    ),
    ...twice('POST', `/clients/${client2}/scope-mappings/realm`, [a], 204, 'CREATE REALM_SCOPE_MAPPING'),
    ...twice('DELETE', `/clients/${client2}/scope-mappings/realm`, [a], 204, 'DELETE REALM_SCOPE_MAPPING'),
    ...twice('POST', `/clients/${client2}/scope-mappings/clients/${client}`, [x], 204, 'CREATE CLIENT_SCOPE_MAPPING'),
    ...twice('POST', `/client-scopes/${scope}/scope-mappings/realm`, [a], 204, 'CREATE REALM_SCOPE_MAPPING'),
    ['PUT', '/roles/a', a, 204, 'UPDATE REALM_ROLE'],
    ['PUT', `/groups/${group}`, { name: 'g' }, 204, 'UPDATE GROUP'],
    ['POST', `/users/${user}/logout`, undefined, 204, 'ACTION USER'],
    ['DELETE', `/attack-detection/brute-force/users/${user}`, undefined, 204, NONE],
    ['DELETE', `/users/${user}/consents/c`, undefined, 404, NONE],
    ['DELETE', `/users/${user}/federated-identity/x`, undefined, 404, NONE],
    ['POST', '/groups', { id: group, name: 'g' }, 204, 'UPDATE GROUP'],
    ...twice('POST', `/groups/${other}/children`, { id: group, name: 'g' }, 204, 'UPDATE GROUP'),
    ['PUT', `/users/${user}/disable-credential-types`, [], 204, NONE],
  ];
  const got: unknown[] = [];
  for (const [method, path, body] of table) {
    await call('DELETE', `${at}/admin-events`);
    const { status } = await call(method, at + path, body);
    const events = (await call('GET', `${at}/admin-events`)).json as unknown as Record<string, string>[];
    const told = events.map(({ operationType, resourceType }) => `${operationType} ${resourceType}`);
    got.push([`${method} ${path}`, status, told.join(', ')]);
  }
  t.deepEqual(
    got,
    table.map(([method, path, , status, event]) => [`${method} ${path}`, status, event]),
  );
});
