import test from 'ava';
import type { ClientRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { states, writeRealm } from '../helpers/realm-files.js';

const REALM = {
  realm: 'demo',
  enabled: true,
  clients: [
    { clientId: 'app', publicClient: true, redirectUris: ['http://app.test/*', 'http://localhost:3000/cb', '/here/*'] },
    { clientId: 'closed', publicClient: true, redirectUris: ['http://app.test/*'], webOrigins: [] },
  ],
} as RealmRepresentation;

const clientOf = (realm: RealmRepresentation | undefined, name: string) =>
  realm?.clients?.find(({ clientId }) => clientId === name);

test('realm files, defaults: a client that names no origins has those of its redirect addresses, and its pages read the token endpoint', async (t) => {
  const host = await startHost(t, { realms: [REALM] });
  const allowed = async (client_id: string, origin: string) => {
    const answer = await host.token('demo', { grant_type: 'authorization_code', code: 'x', client_id }, { origin });
    return answer.headers.get('access-control-allow-origin');
  };
  t.is(await allowed('app', 'http://app.test'), 'http://app.test');
  t.is(await allowed('app', 'http://localhost:3000'), 'http://localhost:3000');
  t.is(await allowed('app', 'http://evil.test'), null);
  t.is(await allowed('closed', 'http://app.test'), null);
});

test('realm files, defaults: the client of Keycloak’s admin console is there, and logs in at the host’s own address', async (t) => {
  const host = await startHost(t, { realms: [REALM] });
  const record = await host.store.realms.get('demo');
  t.like(clientOf(record?.representation, 'security-admin-console'), {
    rootUrl: '${authAdminUrl}',
    baseUrl: '/admin/demo/console/',
    redirectUris: ['/admin/demo/console/*'],
    webOrigins: ['+'],
    publicClient: true,
  });
  const ask = async (redirect_uri: string) => {
    const query = new URLSearchParams({
      client_id: 'security-admin-console',
      redirect_uri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    return (await fetchAnswer(`${host.oidc('demo')}/auth?${query}`)).status;
  };
  t.not(await ask(`${host.url}/admin/demo/console/#/demo`), 400);
  t.is(await ask('https://evil.test/admin/demo/console/'), 400);
});

test('realm files, defaults: a realm that came into being without them goes on without, and is not taken for edited', async (t) => {
  const host = await startHost(t, { realms: [REALM] });
  const { declared, ...record } = (await host.store.realms.withDeclaration('demo')) ?? t.fail();
  const clients = record.representation.clients?.filter(({ clientId }) => clientId !== 'security-admin-console');
  const former =
    clients?.map(
      ({ webOrigins, name: _, ...client }) =>
        (client.clientId === 'closed' ? { ...client, webOrigins } : client) as ClientRepresentation,
    ) ?? [];
  const representation = { ...record.representation, clients: former, scopeMappings: [] };
  const change = { expectedVersion: record.version, ...(declared === undefined ? {} : { declared }) };
  await host.store.realms.put({ ...record, representation, source: record.source }, change);
  host.realms.invalidate('demo');
  await writeRealm(host, { ...REALM, displayName: 'Demo' });
  const state = await eventually(async () => {
    const found = (await states(host))['demo.json'];
    return (await host.store.realms.get('demo'))?.representation.displayName === 'Demo' && found;
  });
  t.deepEqual([state.state, state.edits], ['applied', []]);
  const after = (await host.store.realms.get('demo'))?.representation;
  t.is(clientOf(after, 'security-admin-console'), undefined);
  t.is(clientOf(after, 'app')?.webOrigins, undefined);
  t.deepEqual(after?.scopeMappings, []);
});

test('realm files, defaults: a client with consent has no full scope unless it says so, as a new one in Keycloak', async (t) => {
  const clients = [
    { clientId: 'asks', consentRequired: true },
    { clientId: 'full', consentRequired: true, fullScopeAllowed: true },
    { clientId: 'own' },
  ];
  const host = await startHost(t, { realms: [{ realm: 'demo', enabled: true, clients }] });
  const realm = await host.realms.get('demo');
  t.deepEqual(
    clients.map(({ clientId }) => realm?.clients.get(clientId)?.fullScopeAllowed),
    [false, true, true],
  );
});
