import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Authenticator, provide } from '@keyhost/spi';
import { testRealm, withEnabled } from '@keyhost/spi/testing';
import test from 'ava';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { freePort } from '../helpers/free-port.js';
import { providersFolder } from '../helpers/plugins.js';
import { COMPILED, folder, remote, run } from '../helpers/process.js';

/** Asks for a word after the password. */
const ASKING = `import { Authenticator, provide } from '@keyhost/spi';
export default { name: 'asking', api: 1, providers: [provide(Authenticator, { id: 'asking', open: () => ({ create: () => ({
  authenticate: async () => ({ outcome: 'challenge', page: { page: 'form', title: { key: 'Word' }, fields: [{ name: 'word', type: 'text', label: { key: 'Word' } }], submit: { key: 'doContinue' } } }),
  action: async (_, form) => (form.word === 'please' ? { outcome: 'success' } : { outcome: 'failure', error: 'access_denied', message: { key: 'No' } }),
}) }) })] };`;
const declared = provide(Authenticator, {
  id: 'asking',
  open: () => ({ create: () => ({ authenticate: async () => ({ outcome: 'success' }) }) }),
});

test('a login in a step of a plugin that a restart interrupts begins again, and the page says why', async (t) => {
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
