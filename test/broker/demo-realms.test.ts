import { readFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { TwoRealmBrowser } from '../helpers/external-idp.js';
import { Browser } from '../helpers/form-browser.js';
import { freePort } from '../helpers/free-port.js';
import { startHost } from '../helpers/host.js';
import { codeOf, heading } from '../helpers/read-page.js';

/** As it is but for the port, which is 8080 in the file. */
const realmFile = async (name: string, port: number) =>
  JSON.parse((await readFile(`realms/${name}.json`, 'utf8')).replaceAll(':8080', `:${port}`)) as RealmRepresentation;

async function startDemo(t: ExecutionContext) {
  const port = await freePort();
  const host = await startHost(t, {
    realms: await Promise.all(['demo', 'partner'].map((name) => realmFile(name, port))),
    plugins: ['newsletter', 'external-app-notification', 'books'].map((name) => ({ module: `@keyhost/${name}` })),
    argv: ['--http-port', String(port)],
  });
  return { host, port };
}

const requestAt = (base: string) =>
  `${base}/realms/demo/protocol/openid-connect/auth?${new URLSearchParams({
    client_id: 'web-app',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: 'http://localhost:3010/',
    kc_idp_hint: 'partner',
  })}`;

test('demo realms: a user of the demo realm links an account of the partner realm', async (t) => {
  const { host } = await startDemo(t);
  t.deepEqual(
    host.log.filter(({ message }) => message.includes('identity provider')),
    [],
  );
  const request = requestAt(host.url);
  const paula = new TwoRealmBrowser();
  const done = await paula.submit(await paula.follow(request), { username: 'paula', password: 'paula' });
  t.truthy(codeOf(done), `${done.url} ${done.text}`);

  const alice = new TwoRealmBrowser();
  const exists = await alice.submit(await alice.follow(request), { username: 'alice', password: 'alice-there' });
  t.is(heading(exists), 'Account already exists');
  const mailed = await alice.submit(exists, {});
  const [, execution = ''] = /name="authenticationExecution" value="([^"]*)"/.exec(mailed.text) ?? [];
  const byPassword = await alice.submit(mailed, { authenticationExecution: execution });
  t.truthy(codeOf(await alice.submit(byPassword, { password: 'alice' })));
  const realm = await host.realms.get('demo');
  const user = realm && (await host.users.byUsername(realm, 'alice'));
  t.is(user?.representation.federatedIdentities?.[0]?.userId, '9a01a000-0000-4000-8000-000000000002');
  t.is((await new Browser().open(request)).status, 303);
});

test('demo realms: the demo works by another name of its host, through the partner and back', async (t) => {
  const { port } = await startDemo(t);
  const base = `http://localhost:${port}`;
  const paula = new TwoRealmBrowser();
  const done = await paula.submit(await paula.follow(requestAt(base)), { username: 'paula', password: 'paula' });
  t.truthy(codeOf(done), `${done.url} ${done.text}`);
  t.is(done.location?.searchParams.get('iss'), `${base}/realms/demo`);
});
