import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folder } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { atTerminal, terminalTest } from '../helpers/terminal.js';

terminalTest('keyhost client create: at a terminal, it asks for missing values, and suggests the others', async (t) => {
  const dir = await folder(t, [testRealm('demo'), testRealm('other')]);
  const places = `--realms-dir ${join(dir, 'realms')} --data-dir ${join(dir, 'data')}`;
  const { type, shows, ends } = atTerminal(t, `client create ${places}`);
  // The command asks again after a wrong number; an empty answer selects the suggestion.
  type('shop\ndemo\n99\n\nweb-app\nexpress\n');
  await shows('Name of the app');
  // Concurrent changes of the file are preserved.
  const file = join(dir, 'realms/demo.json');
  await writeFile(file, JSON.stringify({ ...testRealm('demo'), displayName: 'Edited meanwhile' }));
  type('My shop\n\nhttp://localhost:4000\n\n\n\n');
  const output = await ends();
  t.regex(output, /Which realm\?\r\n +1 {2}demo\r\n +2 {2}other\r\n/);
  t.regex(output, /"shop" is not in the list\. Type a number from 1 to 2\.\r\n/);
  t.regex(
    output,
    /"99" is not in the list\. Type a number from 1 to 6\.[\s\S]*Nothing is selected\. Type a number from 1/,
  );
  t.regex(output, /What is the app\?\r\n +1 {2}Web app/);
  t.regex(output, /Which framework\?\r\n +1 {2}ASP\.NET: /);
  t.regex(output, /Client ID \[my-shop]: [\s\S]*URL of the app \[http:\/\/localhost:3000]: /);
  t.regex(output, /Redirect URIs \[http:\/\/localhost:4000\/callback]: /);
  t.regex(output, /baseURL: 'http:\/\/localhost:4000',\r\n +clientID: 'my-shop'/);
  const realm = JSON.parse(await readFile(file, 'utf8'));
  t.is(realm.displayName, 'Edited meanwhile');
  t.like(realm.clients.at(-1), { clientId: 'my-shop', redirectUris: ['http://localhost:4000/callback'] });
});

terminalTest('keyhost client create: it reports a problem before the questions that follow', async (t) => {
  const dir = await folder(t, [testRealm('demo'), testRealm('other')]);
  const create = `client create --realms-dir ${join(dir, 'realms')} --data-dir ${join(dir, 'data')}`;
  for (const [words, typed, said, asked] of [
    ['--wait-timeout soon', '', /--wait-timeout: "soon" is not a number of seconds/, /Which realm/],
    ['--wait', '', /--wait requires a running server/, /Which realm/],
    ['--realm none', '', /no file in \S+ defines the realm "none"/, /What is the app/],
    [
      '--realm demo --kind web-app --framework express --name X',
      'svc\n',
      /the client svc already exists/,
      /URL of the app/,
    ],
  ] as const) {
    const { type, ends } = atTerminal(t, `${create} ${words}`);
    type(typed);
    const output = await ends();
    t.regex(output, said);
    t.notRegex(output, asked);
  }
});
