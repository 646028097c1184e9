import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { editRealmFile } from '../../core/commands/realm/realm-file-edit.js';
import { keyhost } from '../helpers/command.js';
import { folder } from '../helpers/process.js';

const REALM = '{ "realm": "demo",\n  "clients": [\n    { "clientId": "first" }\n  ]\n}\n';

/** A folder with the file of a realm, and what changes it. */
async function scene(t: ExecutionContext) {
  const dir = await folder(t, []);
  const file = join(dir, 'realms/demo.json');
  await writeFile(file, REALM);
  const places = ['--realms-dir', join(dir, 'realms'), '--data-dir', join(dir, 'data')];
  const create = (name: string, ...more: string[]) =>
    keyhost(['client', 'create', '--no-prompt', '--kind', 'machine', '--name', name, ...places, ...more]);
  return { dir, file, create, text: () => readFile(file, 'utf8') };
}

test('edits of realm files: clients of several parallel commands are all in the file', async (t) => {
  const { dir, create, text } = await scene(t);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const { code, stderr } of await Promise.all(names.map((name) => create(name)))) t.is(code, 0, stderr);
  const { clients } = JSON.parse(await text()) as { clients: { clientId: string }[] };
  t.deepEqual(clients.map(({ clientId }) => clientId).sort(), [...names, 'first']);
  t.deepEqual(await readdir(join(dir, 'realms')), ['demo.json']);
});

test('edits of realm files: an edit is repeated if another process has written the file meanwhile', async (t) => {
  const { dir, file, text } = await scene(t);
  const of = { realm: 'demo', dir: join(dir, 'realms') };
  let tries = 0;
  const edited = await editRealmFile(of, async (read) => {
    tries += 1;
    if (tries === 1) await writeFile(file, REALM.replace('first', 'others'));
    return read.text.replace('"demo",', '"demo", "enabled": true,');
  });
  t.is(tries, 2);
  t.is(await text(), REALM.replace('first', 'others').replace('"demo",', '"demo", "enabled": true,'));
  t.is(edited.text, await text());
  const always = async () => {
    await writeFile(file, `${await text()}\n`);
    return REALM;
  };
  await t.throwsAsync(editRealmFile(of, always), { message: /others keep changing the file of the realm demo/ });
});

test('edits of realm files: a half-written file of another command is named, and nothing else is touched', async (t) => {
  const { file, create, text } = await scene(t);
  await writeFile(`${file}.new`, 'half');
  const { code, stderr } = await create('late');
  t.is(code, 1);
  t.regex(stderr, /another command is writing \S+demo\.json\.new .*\n.*delete this file, and run the command again/);
  t.is(await text(), REALM);
  t.is(await readFile(`${file}.new`, 'utf8'), 'half');
});

/** A stand-in for a running server, with its successive states of the realm files. */
async function startServer(t: ExecutionContext, dir: string, states: (() => Promise<object[]>)[]) {
  const server = createServer(async ({ url = '' }, response) => {
    const body = url === '/realms' ? await states.shift()?.() : { client: false, scope: false };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  t.teardown(() => server.close());
  t.teardown(async () => server.closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await mkdir(join(dir, 'data'));
  await writeFile(join(dir, 'data/management.json'), JSON.stringify({ url, secret: 'x', server: url }));
}

test('edits of realm files: a client that the server rejects is removed again, and other changes stay', async (t) => {
  const { dir, file, create, text } = await scene(t);
  const problems = [{ file: 'demo.json', line: 1, column: 1, path: 'clients[1]', message: 'must not be there' }];
  await startServer(t, dir, [
    async () => [{ realm: 'demo', state: 'applied', at: '1' }],
    async () => {
      await writeFile(file, (await text()).replace('first', 'others'));
      return [{ realm: 'demo', state: 'invalid', at: '2', problems }];
    },
  ]);
  const { code, stderr } = await create('bad');
  t.is(code, 1);
  t.regex(stderr, /rejects the client bad \[realm_invalid]\n.*clients\[1]: must not be there\n.*does not contain it/);
  t.is(await text(), REALM.replace('first', 'others'));
});

test('edits of realm files: --wait reports a client that the running server has not applied', async (t) => {
  const { dir, create, text } = await scene(t);
  await startServer(t, dir, [async () => []]);
  const { code, stdout, stderr } = await create('late', '--wait');
  t.is(code, 1);
  t.regex(stdout, /^Created the client late in \S+\. The running server does not read this file\./);
  t.regex(
    stderr,
    /--wait: the client is in the realm file, but .* does not read this file \[sign_in_failed]\n.*--server/,
  );
  t.true((await text()).includes('"clientId": "late"'));
});
