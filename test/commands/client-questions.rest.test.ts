import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { ran } from '../helpers/command.js';
import { COMMAND, folder } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

test('at a terminal, client create asks for what is missing, and suggests the rest', async (t) => {
  // It gives a program a terminal; BSD's and BusyBox's have other options.
  const { stdout: version } = await ran('script', ['--version']).catch(() => ({ stdout: '' }));
  if (!version.includes('util-linux')) return void t.pass('skipped: there is no script of util-linux');
  const dir = await folder(t, [testRealm('demo'), testRealm('other')]);
  const places = `--realms-dir ${join(dir, 'realms')} --data-dir ${join(dir, 'data')}`;
  const child = spawn('script', ['-qec', `${process.execPath} ${COMMAND} client create ${places}`, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill());
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  // A wrong number is asked again; empty answers mean what is suggested.
  child.stdin.write('shop\ndemo\n99\n\nweb-app\nexpress\nMy shop\n\nhttp://localhost:4000\n\n\n\n');
  await new Promise((resolve) => child.once('close', resolve));
  t.regex(output, /Which realm\?\r\n +1 {2}demo\r\n +2 {2}other\r\n/);
  t.regex(output, /"shop" is not in the list\. Type a number from 1 to 2\.\r\n/);
  t.regex(
    output,
    /"99" is not in the list\. Type a number from 1 to 6\.[\s\S]*Nothing is selected\. Type a number from 1/,
  );
  t.regex(output, /What is the app\?\r\n +1 {2}Web app/);
  t.regex(output, /Which framework\?\r\n +1 {2}ASP\.NET: /);
  t.regex(output, /Client ID \[my-shop]: .*URL of the app \[http:\/\/localhost:3000]: /);
  t.regex(output, /Redirect URIs \[http:\/\/localhost:4000\/callback]: /);
  t.regex(output, /baseURL: 'http:\/\/localhost:4000',\r\n +clientID: 'my-shop'/);
  const realm = JSON.parse(await readFile(join(dir, 'realms/demo.json'), 'utf8'));
  t.like(realm.clients.at(-1), { clientId: 'my-shop', redirectUris: ['http://localhost:4000/callback'] });
});
