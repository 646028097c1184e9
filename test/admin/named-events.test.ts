import test from 'ava';
import { administered, calledRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

interface Shown {
  readonly operationType: string;
  readonly resourceType: string;
  readonly resourcePath: string;
  readonly representation?: string;
  readonly details?: Readonly<Record<string, string>>;
}

const CREW = {
  id: '$group',
  name: 'crew',
  path: '/crew',
  subGroups: [],
  attributes: { a: ['b'] },
  realmRoles: [],
  clientRoles: {},
};
const ZOE = { username: 'zoe', email: 'zoe@example.test' };
const READER = {
  id: '$role',
  name: 'reader',
  description: 'd',
  composite: false,
  clientRole: false,
  containerId: '$realm',
};

type Row = readonly [
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  type: string,
  representation?: unknown,
  details?: object,
];

/** Recorded from Keycloak 26.7.3: the event of each request. Only that of `roles-by-id` has no representation there. */
const ROWS: readonly Row[] = [
  ['PUT', '/users/$user/groups/$group', 'CREATE GROUP_MEMBERSHIP', CREW, ZOE],
  ['DELETE', '/users/$user/groups/$group', 'DELETE GROUP_MEMBERSHIP', CREW, ZOE],
  ['DELETE', '/users/$user/role-mappings/realm', 'DELETE REALM_ROLE_MAPPING', [READER]],
  ['DELETE', '/users/$user/role-mappings/clients/$client', 'DELETE CLIENT_ROLE_MAPPING', []],
  ['DELETE', '/groups/$group/role-mappings/realm', 'DELETE REALM_ROLE_MAPPING', []],
  [
    'DELETE',
    '/users/$user/credentials/$credential',
    'ACTION USER',
    undefined,
    { credential_type: 'password', credential_id: '$credential' },
  ],
  [
    'DELETE',
    '/clients/$client/roles/writer',
    'DELETE CLIENT_ROLE',
    { id: '$writer', name: 'writer', composite: false },
  ],
  ['DELETE', '/clients/$client', 'DELETE CLIENT', { id: '$client', clientId: 'app' }],
  ['DELETE', '/identity-provider/instances/idp', 'DELETE IDENTITY_PROVIDER'],
  ['DELETE', '/roles/reader', 'DELETE REALM_ROLE', { id: '$role', name: 'reader', composite: false }],
  ['DELETE', '/roles-by-id/$other', 'DELETE REALM_ROLE', { id: '$other', name: 'other', composite: false }],
  ['DELETE', '/groups/$group', 'DELETE GROUP', { id: '$group', name: 'crew', subGroups: [] }],
  ['DELETE', '/users/$user', 'DELETE USER', { id: '$user', username: 'zoe' }],
];

for (const isDetailed of [true, false]) {
  test(`admin events: removed objects and memberships are named${isDetailed ? '' : ' by details alone if the realm stores no representations'}`, async (t) => {
    const { call, realm, made, host } = await calledRealm(shared(), {
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: isDetailed,
    });
    const found = async (path: string) => String((await call('GET', realm + path)).json.id);
    const group = await made('/groups', { name: 'crew', attributes: { a: ['b'] } });
    const credentials = [{ type: 'password', value: 'Pass-word-1!' }];
    const user = await made('/users', { ...ZOE, firstName: 'B', lastName: 'B', enabled: true, credentials });
    const client = await made('/clients', { clientId: 'app' });
    await call('DELETE', `${realm}/roles/reader`);
    for (const role of [{ name: 'reader', description: 'd' }, { name: 'other' }]) await made('/roles', role);
    await made(`/clients/${client}/roles`, { name: 'writer' });
    const config = { clientId: 'a', clientSecret: 'b', authorizationUrl: 'https://a.test', tokenUrl: 'https://a.test' };
    await made('/identity-provider/instances', { alias: 'idp', providerId: 'oidc', config });
    const role = await found('/roles/reader');
    await call('DELETE', `${realm}/users/${user}/role-mappings/realm`);
    await call('POST', `${realm}/users/${user}/role-mappings/realm`, [{ id: role, name: 'reader' }]);
    const [credential] = (await call('GET', `${realm}/users/${user}/credentials`)).json as unknown as { id: string }[];
    const names: Readonly<Record<string, string>> = {
      user,
      group,
      client,
      role,
      other: await found('/roles/other'),
      writer: await found(`/clients/${client}/roles/writer`),
      credential: credential?.id ?? '',
      realm: await found(''),
    };
    const filled = <T>(value: T): T =>
      value === undefined
        ? value
        : (JSON.parse(JSON.stringify(value).replace(/\$(\w+)/g, (whole, name) => names[name] ?? whole)) as T);
    for (const [method, path, type, representation, details] of ROWS) {
      await call('DELETE', `${realm}/admin-events`);
      const answer = await call(method, realm + filled(path));
      t.is(answer.status, 204, path + answer.text);
      await host.events.flush();
      const [event] = (await call('GET', `${realm}/admin-events`)).json as unknown as Shown[];
      t.is(`${event?.operationType} ${event?.resourceType}`, type, path);
      t.is(`/${event?.resourcePath}`, filled(path));
      const shown = event?.representation === undefined ? undefined : JSON.parse(event.representation);
      t.deepEqual(shown, isDetailed ? filled(representation) : undefined, path);
      t.deepEqual(event?.details, filled(details), path);
    }
  });
}
