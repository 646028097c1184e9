import test from 'ava';
import { adminCaller, clientUuid, realmAdminGrant, startAdministered } from '../helpers/admin.js';
import { claimsOf, fetchAnswer } from '../helpers/host.js';
import { bearer, generate, logIn } from '../helpers/login.js';
import { ALICE, testRealm } from '../helpers/realms.js';

const KEPT = { adminEventsEnabled: true, adminEventsDetailsEnabled: true };
/** A member that no schema describes. */
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test('T301 · deep JSON: JSON that is nested without end is 400 at every door, and changes nothing', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo', KEPT)] });
  const { call, role, path } = await realmAdminGrant(host, ALICE);
  const account = await logIn(host);
  const initial = (await call('POST', '/realms/demo/clients-initial-access', { count: 10 })).json.token ?? '';
  await call('DELETE', '/realms/demo/admin-events');
  for (const depth of [201, 3_000, 40_000]) {
    const deep = nested(depth);
    const wide = { 'content-type': 'application/json' };
    const answers = [
      await call('POST', path, `[{"id":"${role.id}","name":"realm-admin","x":${deep}}]`),
      await call('PUT', '/realms/demo', `{"displayName":"deep","x":${deep}}`),
      await call('PUT', `/realms/demo/users/${ALICE}`, `{"firstName":"Deep","attributes":{},"x":${deep}}`),
      await call('POST', '/realms/demo/clients', `{"clientId":"deep","x":${deep}}`),
      await call('POST', '/realms', `{"realm":"deep","x":${deep}}`),
      await call('POST', '/realms/demo/partialImport', `{"ifResourceExists":"SKIP","x":${deep}}`),
      await fetchAnswer(`${host.realm('demo')}/clients-registrations/openid-connect`, {
        method: 'POST',
        headers: { ...wide, ...bearer(initial) },
        body: `{"redirect_uris":["https://a.test"],"x":${deep}}`,
      }),
      await fetchAnswer(`${host.realm('demo')}/account`, {
        method: 'POST',
        headers: { ...wide, accept: 'application/json', ...bearer(account.access_token) },
        body: `{"firstName":"Deep","x":${deep}}`,
      }),
      await generate(host, `{"userId":"${ALICE}","applicationId":"42","x":${deep}}`),
    ];
    for (const [index, { status, text }] of answers.entries()) {
      t.is(status, 400, `${index} ${depth} ${text}`);
      t.regex(text, /within each other/, `${index} ${depth}`);
    }
  }
  t.deepEqual((await call('GET', path)).json as unknown, []);
  t.is((await call('GET', '/realms/demo')).json.displayName, undefined);
  t.is((await call('GET', `/realms/demo/users/${ALICE}`)).json.firstName, 'Alice');
  t.deepEqual((await call('GET', '/realms/demo/clients?clientId=deep')).json as unknown, []);
  t.is((await call('GET', '/realms/deep')).status, 404);
  t.deepEqual((await call('GET', '/realms/demo/admin-events')).json as unknown, []);
});

test('T301 · deep JSON: nothing grows deep piece by piece either, and no text that holds JSON brings it in', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  let path = '/realms/demo/groups';
  let levels = 0;
  for (;;) {
    const { status, headers, json } = await call('POST', path, { name: `level-${levels}` });
    if (status !== 201) {
      t.is(status, 400);
      t.regex(String(json.errorMessage), /must be nested at most 50 levels deep/);
      break;
    }
    const location = headers.get('location') ?? '';
    path = `/realms/demo/groups/${location.slice(location.lastIndexOf('/') + 1)}/children`;
    levels += 1;
  }
  t.is(levels, 50);
  const web = `/realms/demo/clients/${await clientUuid(host, 'web')}`;
  const keys = `{"keys":[{"kty":"RSA","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`;
  const brought = await call('PUT', web, { attributes: { 'use.jwks.string': 'true', 'jwks.string': keys } });
  t.is(brought.status, 400);
  const token = (await call('POST', `${web}/registration-access-token`)).json.registrationAccessToken ?? '';
  const read = await fetchAnswer(`${host.realm('demo')}/clients-registrations/openid-connect/web`, {
    headers: bearer(token),
  });
  t.is(read.status, 200);
});

test('T301 · deep JSON: a claim that is nested too deeply for a token is left out of it', async (t) => {
  const config = { 'jsonType.label': 'JSON', 'access.token.claim': 'true' };
  const mapper = (name: string, claim: string, value: string) => ({
    name,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-hardcoded-claim-mapper',
    config: { ...config, 'claim.name': claim, 'claim.value': value },
  });
  const deep = 20_000;
  const protocolMappers = [
    mapper('value', 'deep', `${'['.repeat(deep)}${']'.repeat(deep)}`),
    mapper('name', `a${'.a'.repeat(deep)}`, '1'),
    mapper('plain', 'plain', '{"a":[1]}'),
  ];
  const client = { clientId: 'deep', secret: 'deep-secret', serviceAccountsEnabled: true, protocolMappers };
  const host = await startAdministered(t, { realms: [{ realm: 'deep', enabled: true, clients: [client] }] });
  const form = { grant_type: 'client_credentials', client_id: 'deep', client_secret: 'deep-secret' };
  const { status, json } = await host.token('deep', form);
  t.is(status, 200);
  const claims = claimsOf(String(json.access_token)) as Readonly<Record<string, unknown>>;
  t.deepEqual([claims.plain, claims.deep, claims.a], [{ a: [1] }, undefined, undefined]);
});
