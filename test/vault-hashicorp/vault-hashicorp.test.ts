import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { fetchAnswer, startHost, TestClock } from '../helpers/host.js';
import { shownRealm } from '../helpers/shown-realm.js';

/** The part of Vault's HTTP API that the plugin needs: a key-value engine of version 2, tokens and AppRole. */
async function startVault(t: ExecutionContext) {
  const calls: string[] = [];
  const tokens = new Set(['static']);
  let isAway = false;
  let count = 0;
  const secrets: Record<string, object | null> = {
    'vault-hashicorp/app': { value: 'sesame' },
    'other/app': { value: 'of another realm' },
    'vault-hashicorp/gone': null,
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const token = String(request.headers['x-vault-token'] ?? '');
    const path = (request.url ?? '').replace('/v1/', '');
    calls.push(`${request.method} ${path}`);
    const answer = (status: number, json: object = { errors: [] }) =>
      response.writeHead(status).end(JSON.stringify(json));
    if (isAway) return answer(503);
    if (path === 'auth/approle/login') {
      const { role_id: role, secret_id: secret } = JSON.parse(body);
      if (role !== 'keyhost' || secret !== 'role-secret') return answer(400);
      count += 1;
      tokens.add(`role-${count}`);
      return answer(200, { auth: { client_token: `role-${count}`, lease_duration: 600, renewable: true } });
    }
    if (!tokens.has(token)) return answer(403);
    if (path === 'auth/token/renew-self')
      return answer(200, { auth: { client_token: token, lease_duration: 600, renewable: true } });
    if (path === 'auth/token/lookup-self') return answer(200, { data: { ttl: 600, renewable: true } });
    const data = secrets[path.replace('secret/data/', '')];
    // A deleted version answers 404 with its metadata.
    if (data === undefined || data === null) return answer(404, { data: { data: null } });
    return answer(200, { data: { data, metadata: { version: 1 } } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const away = (is: boolean) => {
    isAway = is;
  };
  return { url, calls, tokens, secrets, away, reads: () => calls.filter((call) => call.includes('secret/data')) };
}

async function start(t: ExecutionContext, config: object, isolation: string) {
  const clock = new TestClock();
  const realm = await shownRealm('vault-hashicorp');
  const client = (clientId: string, secret: string) => ({ clientId, secret, serviceAccountsEnabled: true });
  const clients = [
    ...(realm.clients ?? []),
    client('gone', '${vault.gone}'),
    client('sly', '${vault.../other/app}'),
    client('dots', '${vault...}'),
  ];
  const host = await startHost(t, {
    realms: [{ ...realm, clients: clients as NonNullable<typeof realm.clients> }],
    plugins: [{ module: '@keyhost/vault-hashicorp', isolation, config: { 'vault/hashicorp': config } }],
    argv: ['--outbound-private-networks', '127.0.0.0/8'],
    clock,
  });
  const ask = async (secret: string, client_id = 'app') => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret: secret });
    return (await fetchAnswer(`${host.oidc('vault-hashicorp')}/token`, { method: 'POST', body })).status;
  };
  return { host, ask, clock };
}

for (const isolation of ['none', 'worker']) {
  test(`HashiCorp Vault: a role signs in, renews, and signs in again when its token was revoked (${isolation})`, async (t) => {
    const vault = await startVault(t);
    const appRole = { roleId: 'keyhost', secretId: 'role-secret' };
    const { ask, clock } = await start(t, { url: vault.url, appRole }, isolation);
    t.is(await ask('sesame'), 200);
    t.is(await ask('barley'), 401);
    t.deepEqual(vault.reads(), ['GET secret/data/vault-hashicorp/app']);
    // A secret that is missing, deleted, or in another realm's folder cannot be read.
    t.is(await ask('sesame', 'gone'), 401);
    t.is(await ask('of another realm', 'sly'), 401);
    t.is(await ask('of another realm', 'dots'), 401);
    t.true(vault.reads().every((call) => call.startsWith('GET secret/data/vault-hashicorp/')));
    clock.forward(301);
    t.is(await ask('sesame'), 200);
    t.true(vault.calls.includes('POST auth/token/renew-self'));
    vault.tokens.clear();
    vault.secrets['vault-hashicorp/app'] = { value: 'barley' };
    clock.forward(61);
    t.is(await ask('barley'), 200);
    t.is(vault.calls.filter((call) => call === 'POST auth/approle/login').length, 2);
    vault.away(true);
    clock.forward(61);
    t.is(await ask('barley'), 200);
    clock.forward(600);
    t.is(await ask('barley'), 503);
    vault.away(false);
    clock.forward(6);
    t.is(await ask('barley'), 200);
  });
}

test('HashiCorp Vault: its token is renewed before it expires', async (t) => {
  const vault = await startVault(t);
  const { ask, host } = await start(t, { url: vault.url, token: 'static' }, 'none');
  t.is(await ask('sesame'), 200);
  t.true(vault.calls.includes('GET auth/token/lookup-self'));
  t.true(host.log.every((line) => !JSON.stringify(line).includes('sesame')));
});

test('HashiCorp Vault: a configuration without authentication, or with one path for all realms, fails the start', async (t) => {
  for (const [config, message] of [
    [{ url: 'https://vault.example.test' }, /token|appRole/],
    [{ url: 'https://vault.example.test', token: 'x', path: 'keyhost/{key}' }, /path/],
    [{ url: 'https://vault.example.test', token: 'x', path: '{realm}-{key}' }, /another segment/],
    [{ url: 'https://vault.example.test', token: 'x', path: 'kv/{key}_{realm}' }, /another segment/],
  ] as const) {
    const plugins = [{ module: '@keyhost/vault-hashicorp', config: { 'vault/hashicorp': config } }];
    const error = await t.throwsAsync(startHost(t, { plugins }));
    const { problems = [] } = error as unknown as { problems?: object[] };
    t.regex(`${error?.message} ${JSON.stringify(problems)}`, message);
  }
});
