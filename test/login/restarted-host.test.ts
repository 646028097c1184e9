import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Authenticator, provide } from '@keyhost/spi';
import { testRealm, withEnabled } from '@keyhost/spi/testing';
import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { freePort } from '../helpers/free-port.js';
import { fetchAnswer } from '../helpers/host.js';
import { LINKS, linkingStep } from '../helpers/linking-step.js';
import { pluginSource, providersFolder } from '../helpers/plugins.js';
import { COMPILED, folder, remote, run } from '../helpers/process.js';
import { flowWith } from '../helpers/redirecting-step.js';

/** Asks for a word after the password. */
const ASKING = pluginSource(import.meta.url, 'plugins/asking.js');
const declared = provide(Authenticator, {
  id: 'asking',
  open: () => ({ create: () => ({ authenticate: async () => ({ outcome: 'success' }) }) }),
});

test('restart during a login: a login in a plugin’s step begins again, and the page says why', async (t) => {
  const realm = withEnabled(testRealm('demo'), [{ name: 'asking', api: 1, providers: [declared] }]);
  const dir = await folder(t, [realm]);
  const providers = await providersFolder(t, { asking: ASKING });
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [ { "module": "asking" } ] }');
  const port = String(await freePort());
  const start = () => run(t, dir, ['start-dev', '--providers-dir', providers], {}, port, COMPILED);
  const first = await start();
  const browser = new Browser();
  const request = codeRequest(remote(first), { client_id: 'app', redirect_uri: 'http://localhost/callback' });
  const login = await browser.open(request.url);
  const step = await browser.submit(login, { username: 'alice', password: 'alice' });
  t.regex(step.text, /name="word"/);
  first.child.kill('SIGKILL');
  await first.ended;
  t.truthy((await start()).url);
  const again = await browser.submit(step, { word: 'please' });
  t.is(again.status, 200);
  t.regex(again.text, /Your sign-in was interrupted\. It starts again from the beginning\./);
  const asked = await browser.submit(again, { username: 'alice', password: 'alice' });
  const done = await browser.submit(asked, { word: 'please' });
  t.truthy(done.location?.searchParams.get('code'));
});

test('restart during a login: the page of a link whose login a restart ended says so, and how to continue', async (t) => {
  const realm = {
    ...codeRealm('demo', flowWith('mailer')),
    providers: { 'realm-restapi-extension': { mailer: { enabled: true } } },
  };
  const dir = await folder(t, [realm]);
  const providers = await providersFolder(t, { mailer: linkingStep('mailer') });
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: 'mailer', grants: LINKS }] }));
  const port = String(await freePort());
  const start = () => run(t, dir, ['start-dev', '--providers-dir', providers], {}, port, COMPILED);
  const first = await start();
  const host = remote(first);
  const browser = new Browser();
  const phone = new Browser();
  const send = async (window: Visit) => {
    const page = await browser.submit(window, { name: 'alice' });
    const { json } = await fetchAnswer(`${host.realm('demo')}/mailer`);
    const { link, number } = json as unknown as { link: string; number: string };
    return { page, link, number, key: new URL(link).searchParams.get('key') ?? '' };
  };
  const before = await send(await browser.open(codeRequest(host).url));
  const here = await browser.open(before.link);
  const there = await phone.open(before.link);
  t.deepEqual([here.status, there.status], [200, 200]);
  first.child.kill('SIGKILL');
  await first.ended;
  t.truthy((await start()).url);

  const { key, number } = before;
  const answers = [
    await browser.submit(here, { key }),
    await phone.submit(there, { key, choice: number }),
    await phone.open(before.link),
  ];
  for (const { status, text } of answers) {
    t.is(status, 400);
    t.regex(text, /The sign-in that this link belongs to is over or was interrupted\. Go back to the window/);
  }
  const window = await browser.submit(before.page, {});
  t.regex(window.text, /Your sign-in was interrupted\. It starts again from the beginning\./);
  const again = await send(window);
  const done = await browser.submit(await browser.open(again.link), { key: again.key });
  t.truthy(done.location?.searchParams.get('code'), done.text);
});
