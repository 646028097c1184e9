import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { fetchAnswer } from '../helpers/host.js';
import { folder, run } from '../helpers/process.js';

const PRODUCTION = ['start', '--hostname', 'http://id.example', '--http-enabled'];

/** A folder with the file of a password, and a start in production that names it. */
async function scene(t: ExecutionContext, text: string) {
  const dir = await folder(t, []);
  const file = join(dir, 'password');
  await writeFile(file, text, { mode: 0o600 });
  const env = { KEYHOST_BOOTSTRAP_ADMIN_USERNAME: 'root', KEYHOST_BOOTSTRAP_ADMIN_PASSWORD_FILE: file };
  const start = async () => {
    const host = await run(t, dir, PRODUCTION, env);
    const logsIn = async (password: string) => {
      const form = { grant_type: 'password', client_id: 'admin-cli', username: 'root', password };
      const body = new URLSearchParams(form);
      const url = `${host.url}/realms/master/protocol/openid-connect/token`;
      return (await fetchAnswer(url, { method: 'POST', body })).status === 200;
    };
    const stop = async () => {
      host.child.kill();
      return host.ended;
    };
    return { ...host, logsIn, stop };
  };
  return { file, start };
}

test('bootstrap admin: the first start reads the password from a file, which may be removed afterwards', async (t) => {
  const { file, start } = await scene(t, ' a pass word \n');
  const first = await start();
  t.deepEqual([await first.logsIn(' a pass word '), await first.logsIn('a pass word')], [true, false]);
  t.notRegex(first.output(), /nobody administers|pass word/);
  t.is(await first.stop(), 0);
  await rm(file);
  const second = await start();
  t.true(await second.logsIn(' a pass word '));
  t.is(await second.stop(), 0);
});

test('bootstrap admin: a missing, unreadable or empty file ends the first start, which may be repeated', async (t) => {
  const { file, start } = await scene(t, '\n');
  const refused = async (reason: RegExp) => {
    const { url, ended, output } = await start();
    t.deepEqual([url, await ended], [undefined, 1]);
    t.regex(output(), reason);
    t.regex(output(), /\[bootstrap_admin\]/);
  };
  await refused(/--bootstrap-admin-password-file: \S+ is empty/);
  await rm(file);
  await refused(/--bootstrap-admin-password-file: \S+ cannot be read: ENOENT/);
  await writeFile(file, 'once more', { mode: 0o600 });
  if (process.getuid?.() !== 0) {
    await chmod(file, 0);
    await refused(/--bootstrap-admin-password-file: \S+ cannot be read: EACCES/);
    await chmod(file, 0o600);
  }
  const host = await start();
  t.true(await host.logsIn('once more'));
});
