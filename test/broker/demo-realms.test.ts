import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { Browser } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { codeOf, headingOf, TwoRealmBrowser } from '../helpers/partner.js';

const realmFile = async (name: string) =>
  JSON.parse(await readFile(`realms/${name}.json`, 'utf8')) as RealmRepresentation;

/** The files name the address of their host, which so has to be known before it starts. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

test('a user of the demo realm links an account of the partner realm', async (t) => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const host = await startHost(t, {
    realms: await Promise.all([realmFile('demo'), realmFile('partner')]),
    plugins: ['newsletter', 'external-app-notification', 'books'].map((name) => ({ module: `@keyhost/${name}` })),
    argv: ['--http-port', String(port)],
    parts: { env: { DEMO_URL: base }, providerTimeoutMs: 120_000 },
  });
  t.deepEqual(
    host.log.filter(({ message }) => message.includes('identity provider')),
    [],
  );
  const request = `${host.oidc('demo')}/auth?${new URLSearchParams({
    ...{ client_id: 'web-app', response_type: 'code', scope: 'openid', redirect_uri: 'http://localhost:3000/' },
    kc_idp_hint: 'partner',
  })}`;
  const paula = new TwoRealmBrowser();
  const done = await paula.submit(await paula.follow(request), { username: 'paula', password: 'paula' });
  t.truthy(codeOf(done), `${done.url} ${done.text}`);

  const alice = new TwoRealmBrowser();
  const exists = await alice.submit(await alice.follow(request), { username: 'alice', password: 'alice-there' });
  t.is(headingOf(exists), 'Account already exists');
  const mailed = await alice.submit(exists, {});
  const [, execution = ''] = /name="authenticationExecution" value="([^"]*)"/.exec(mailed.text) ?? [];
  const byPassword = await alice.submit(mailed, { authenticationExecution: execution });
  t.truthy(codeOf(await alice.submit(byPassword, { password: 'alice' })));
  const realm = await host.realms.get('demo');
  const user = realm && (await host.users.byUsername(realm, 'alice'));
  t.is(user?.representation.federatedIdentities?.[0]?.userId, '9a01a000-0000-4000-8000-000000000002');
  t.is((await new Browser().open(request)).status, 303);
});
