import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { startMailServer } from '../helpers/mail-server.js';
import { enabledResources, providersFolder } from '../helpers/plugins.js';
import { COMPILED, folder, remote, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';

test('emails of plugins: a mail that was queued is sent after kill -9', async (t) => {
  let isAway = true;
  const away = Object.assign(new Error('away'), { responseCode: 421 });
  const server = await startMailServer(t, { onConnect: (_session, finish) => finish(isAway ? away : undefined) });
  const realm = testRealm('demo', { providers: enabledResources(['sender']), smtpServer: server.settings });
  const dir = await folder(t, [realm]);
  const providers = await providersFolder(t, {
    sender: scriptedPlugin('sender', { 'mail-any-address': 'invites people' }),
  });
  const entry = { module: 'sender', grants: { '*': ['mail-any-address'] } };
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [entry] }));
  const start = () => run(t, dir, ['start-dev', '--providers-dir', providers], {}, '0', COMPILED);
  const first = await start();
  const mail = {
    to: { address: 'zoe@example.org' },
    subject: { key: 'Hello' },
    before: [{ key: 'once' }],
    key: 'once',
  };
  const { value, error } = await ask(remote(first), 'demo', 'sender', 'mail', 'send', mail);
  t.truthy((value as { id?: string } | undefined)?.id, JSON.stringify(error));
  first.child.kill('SIGKILL');
  await first.ended;
  t.is(server.received.length, 0);
  isAway = false;
  const second = await start();
  const again = await ask(remote(second), 'demo', 'sender', 'mail', 'send', mail);
  t.deepEqual(
    again.value as object | undefined,
    { ...(value as object | undefined), repeated: true },
    'its key is known',
  );
  t.deepEqual((await server.mail(0)).envelope.to, ['zoe@example.org']);
});
