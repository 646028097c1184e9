import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { clientIdOf } from '../../core/connect/wanted-client.js';
import { ROOT } from '../helpers/readme-blocks.js';

const read = (path: string) => readFile(join(ROOT, path), 'utf8');

/** The client IDs that a page creates: by its JSON, or by a name after `--name`. */
function createdClients(page: string): readonly string[] {
  const byJson = [...page.matchAll(/"clientId": "([\w-]+)"/g)].map(([, id = '']) => id);
  const byName = [...page.matchAll(/client create .*--name "([^"]+)"/g)].map(([, name = '']) => clientIdOf(name));
  return [...byJson, ...byName];
}

test('documentation: README, the first tutorial and the demo applications share no client ID and no port', async (t) => {
  const [readme, tutorial] = [await read('README.md'), await read('core/docs/tutorial/first-login.md')];
  const demo = JSON.parse(await read('realms/demo.json')) as {
    clients: { clientId: string; redirectUris?: string[] }[];
  };
  const created = [...createdClients(readme), ...createdClients(tutorial), ...demo.clients.map((one) => one.clientId)];
  t.deepEqual(created.slice(0, 2), ['my-shop', 'first-app']);
  t.is(new Set(created).size, created.length, created.join(', '));
  t.regex(tutorial, /localhost:3000/);
  t.notRegex(JSON.stringify(demo), /localhost:3000/);
  t.regex(await read('test/demo/apps.ts'), /default: '3010'/);
});
