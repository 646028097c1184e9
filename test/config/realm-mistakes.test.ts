import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { realmFilesOf } from '../../core/config/realm-file/realm-folder.js';
import { readValidFiles } from '../../core/realm-files/checked-file.js';
import { FileChecks } from '../../core/realm-files/module.js';
import { keyhost } from '../helpers/command.js';
import { startHost } from '../helpers/host.js';
import { folder } from '../helpers/process.js';
import { shareHost } from '../helpers/shared-host.js';
import { CLIENT_MISTAKES } from './client-mistakes.js';
import { HUNDRED_MISTAKES } from './hundred-mistakes.js';
import { IDENTITY_PROVIDER_MISTAKES } from './identity-provider-mistakes.js';
import { HERE } from './mistake.js';
import { REALM_MISTAKES } from './realm-member-mistakes.js';
import { TEXT_MISTAKES } from './text-mistakes.js';
import { USER_MISTAKES } from './user-mistakes.js';

const MAX_DEPTH = 200;
const MISTAKES = [...REALM_MISTAKES, ...CLIENT_MISTAKES, ...USER_MISTAKES, ...IDENTITY_PROVIDER_MISTAKES];

const shared = shareHost(test, { realms: [] });

type Files = Readonly<Record<string, string | Uint8Array>>;

/** The error of a start with these realm files, with a line for each problem, without the folder. */
const told = (t: ExecutionContext, files: Files) =>
  refusal(t, files, (dir) => startHost(t, { argv: ['--realms-dir', dir] }));

/** The error of a running host, which checks the file as a start does. */
const toldLater = (t: ExecutionContext, files: Files) =>
  refusal(t, files, async (dir) => readValidFiles(await realmFilesOf(join(dir, 'x.json')), shared().use(FileChecks)));

async function refusal(t: ExecutionContext, files: Files, refuse: (dir: string) => Promise<unknown>) {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-mistakes-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
  const error = (await t.throwsAsync(refuse(dir))) as BootError;
  t.is(error.code, 'realm_invalid');
  return error
    .report()
    .replaceAll(`${dir}/`, '')
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

/** The text without its marks, and the positions of these. */
function unmarked(marked: string): { text: string; places: string[] } {
  const places = marked
    .split(HERE)
    .slice(0, -1)
    .map((_, index, parts) => {
      const before = parts
        .slice(0, index + 1)
        .join('')
        .split('\n');
      return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
    });
  return { text: marked.replaceAll(HERE, ''), places };
}

async function isTold(t: ExecutionContext, marked: string, messages: readonly string[], by = told) {
  const { text, places } = unmarked(marked);
  t.is(places.length, messages.length, 'each message has its mark');
  t.deepEqual(
    await by(t, { 'x.json': text }),
    messages.map((message, index) => `x.json:${places[index]}${message.startsWith(':') ? '' : ' '}${message}`),
  );
}

const inRealm = (members: string) => `{\n  "realm": "x",\n  ${members}\n}`;

for (const { mistake, text, message } of TEXT_MISTAKES) {
  test.serial(`problems of realm files: a file with ${mistake} is refused at the first invalid place`, (t) =>
    isTold(t, text, [message], toldLater),
  );
}

for (const { mistake, text, message } of MISTAKES) {
  test.serial(`problems of realm files: ${mistake} is reported at its place`, (t) =>
    isTold(t, inRealm(text), [message], toldLater),
  );
}

test.serial(
  'problems of realm files: all independent problems of a file are reported by one start, in the order of its lines',
  async (t) => {
    const together = MISTAKES.filter(({ together }) => together === true);
    t.true(together.length >= 20, `${together.length}`);
    await isTold(
      t,
      inRealm(together.map(({ text }) => text).join(',\n  ')),
      together.map(({ message }) => message),
    );
  },
);

test.serial(
  'problems of realm files: a hundred problems in one file are reported together, at a start and by realm check',
  async (t) => {
    const marked = HUNDRED_MISTAKES.map(([line]) => line).join('\n');
    const messages = HUNDRED_MISTAKES.flatMap(([, ...told]) => told);
    t.is(messages.length, 100);
    await isTold(t, marked, messages);
    const dir = await folder(t, []);
    const file = join(dir, 'x.json');
    const { text, places } = unmarked(marked);
    await writeFile(file, text);
    const { code, stdout: out } = await keyhost(['realm', 'check', file, '--plugins-file', join(dir, 'plugins.json')]);
    t.is(code, 1);
    t.deepEqual(
      out.trim().split('\n'),
      messages.map((message, index) => `${file}:${places[index]} ${message}`),
    );
  },
);

test.serial('problems of realm files: a problem in a named object causes no problem at references to it', async (t) => {
  await isTold(
    t,
    `{ "realm": "x",
      "clients": [▶{ ▶"clientID": "orders" }, { "clientId": "b", "protocolMappers": [], "impersonation": { "audiences": ["orders", ▶"order"] } }],
      "roles": { "realm": [{ ▶"name": "" }, { "name": "r", ▶"composite": "yes" }], ▶"client": ["orders"] },
      "groups": [{ "name": "a", "subGroups": [▶{ ▶"nam": "b" }] }],
      "defaultGroups": ["/a/b", ▶"/a/c"],
      "users": [{ "username": "u", "groups": ["/a/b", ▶"/a/d"], "clientRoles": { "orders": [▶"o"], ▶"order": [] } }]
    }`,
    [
      'clients[0]: "clientId" is missing',
      'clients[0].clientID: unknown key (did you mean "clientId"?)',
      'clients[1].impersonation.audiences[1]: client "order" not found',
      'roles.realm[0].name: must not be empty',
      'roles.realm[1].composite: must be a boolean',
      'roles.client: must be an object',
      'groups[0].subGroups[0]: "name" is missing',
      'groups[0].subGroups[0].nam: unknown key (did you mean "name"?)',
      'defaultGroups[1]: group "/a/c" not found (did you mean "/a"?)',
      'users[0].groups[1]: group "/a/d" not found (did you mean "/a"?)',
      'users[0].clientRoles.orders[0]: the client orders has no role "o"',
      'users[0].clientRoles.order: client "order" not found',
    ],
  );
});

test.serial('problems of realm files: a file that is not UTF-8 is reported with the first invalid byte', async (t) => {
  const text = Buffer.from('{\n  "realm": "x",\n  "displayName": "Caf\u00e9"\n}', 'latin1');
  t.deepEqual(await told(t, { 'x.json': text }), ['x.json:3:22: not UTF-8: the byte 0xe9']);
  const wide = Buffer.from('\ufeff{ "realm": "x" }', 'utf16le');
  t.deepEqual(await told(t, { 'x.json': wide }), ['x.json:1:1: the file is UTF-16: save it as UTF-8']);
});

test.serial(
  'problems of realm files: objects and lists may be nested up to a limit, and the next level is reported where it begins',
  async (t) => {
    const nested = (depth: number) => `{ "realm": "x", "own": ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)} }`;
    const column = nested(1).indexOf('own') + 'own": '.length + MAX_DEPTH;
    t.deepEqual(await told(t, { 'x.json': nested(MAX_DEPTH + 1) }), [
      `x.json:1:${column}: objects and lists are nested deeper than ${MAX_DEPTH} levels`,
    ]);
    const host = await startHost(t);
    await mkdir(join(host.dir, 'deep'));
    await writeFile(join(host.dir, 'deep', 'x.json'), nested(MAX_DEPTH));
    await t.notThrowsAsync(startHost(t, { argv: ['--realms-dir', join(host.dir, 'deep')] }));
  },
);

test.serial(
  'problems of realm files: the problems of all files are reported together, in the order of the files',
  async (t) => {
    const files = {
      'b.json': '{ "realm": "b", "enabled": 2.5 }',
      'a.json': '{ "realm": "a",\n "sslRequired": "always",\n "rememberMe": [] }',
      'c.json': '{ "realm": "c"',
    };
    t.deepEqual(await told(t, files), [
      'a.json:2:2 sslRequired: must be one of none, external, all',
      'a.json:3:2 rememberMe: must be a boolean',
      'b.json:1:17 enabled: must be a boolean',
      'c.json:1:15: not JSON: unexpected end of the file',
    ]);
  },
);

test.serial('problems of realm files: files that name the same realm are reported, each but the first', async (t) => {
  const files = { 'a.json': '{ "realm": "x" }', 'b.json': '{\n  "realm": "x"\n}', 'c.json': '{ "realm": "x" }' };
  t.deepEqual(await told(t, files), [
    'b.json:2:3 realm: the realm "x" is also in a.json',
    'c.json:1:3 realm: the realm "x" is also in a.json',
  ]);
});

test.serial(
  'problems of realm files: a users file belongs to a realm file, contains users alone, and repeats no user of another file',
  async (t) => {
    t.deepEqual(await told(t, { 'big-users-0.json': '{ "realm": "big", "users": [] }' }), [
      'big-users-0.json:1:1: the realm of these users is missing: big-realm.json is not in this folder',
    ]);
    const files = {
      'big-realm.json': '{ "realm": "big", "users": [{ "username": "ann", "email": "a@example.test" }] }',
      'big-users-0.json': '{ "realm": "bog",\n "users": [{ "username": "Ann" }] }',
      'big-users-1.json':
        '{ "realm": "big",\n "clients": [],\n "users": [{ "username": "bob", "email": "A@example.test" }] }',
    };
    t.deepEqual(await told(t, files), [
      'big-users-0.json:1:3 realm: must be the realm of these users, "big" (did you mean "big"?)',
      'big-users-0.json:2:14 users[0].username: the username "ann" is used twice',
      'big-users-1.json:2:2 clients: a users file contains only "realm" and "users"',
      'big-users-1.json:3:33 users[0].email: the email address "a@example.test" is used twice',
    ]);
  },
);

test.serial(
  'problems of realm files: a reference to a missing or too large file is reported at its place',
  async (t) => {
    const text = inRealm(
      '"displayName": "${file.title.txt}",\n  "clients": [{ "clientId": "a", "secret": "${file.big.txt}" }]',
    );
    t.deepEqual(await told(t, { 'x.json': text, 'big.txt': 'x'.repeat(64 * 1024 + 1) }), [
      'x.json:3:3 displayName: the file title.txt does not exist',
      'x.json:4:34 clients[0].secret: the file big.txt is larger than 64 KiB',
    ]);
  },
);
