import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { inRealm, startHost } from '../helpers/host.js';
import { providersFolder } from '../helpers/plugins.js';
import { rawGet, rawStatus } from '../helpers/raw.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { scripted } from '../helpers/scripted-step.js';
import { shareHost } from '../helpers/shared-host.js';

/** Resources that a step must not name. */
const WRONG = {
  climbs: { scripts: ['../index.js'] },
  elsewhere: { scripts: ['https://evil.test/x.js'] },
  absent: { styles: ['nothing.css'] },
  typed: { scripts: ['puzzle.css'] },
  document: { workers: ['page.html'] },
  inline: { scripts: ["puzzle.js 'unsafe-inline'"] },
};
const shared = shareHost(
  test,
  {
    realms: [],
    plugins: ['puzzle', ...Object.keys(WRONG)].map((module) => ({ module })),
    packages: {
      puzzle: scripted('puzzle', { scripts: ['puzzle.js'] }),
      ...Object.fromEntries(Object.entries(WRONG).map(([name, files]) => [name, scripted(name, files)])),
    },
  },
  /which is none of its package's resources/,
);

const showing = async (id: string) => {
  const host = await inRealm(shared(), (name) => codeRealm(name, flowWith(id)));
  return { host, page: await new Browser().open(codeRequest(host).url) };
};

test('T685 · files of steps: a path that leaves the files of a plugin is 404', async (t) => {
  const { host, page } = await showing('puzzle');
  const base = /\/resources\/plugins\/[\w-]+\//.exec(page.text)?.[0] ?? '';
  t.is(rawStatus(await rawGet(host.url, `${base}puzzle.js`)), 200);
  const tries = [
    '../index.js',
    '../package.json',
    '../../index.js',
    'deep/../puzzle.js',
    './puzzle.js',
    '/puzzle.js',
    '%2e%2e/index.js',
    '..%2findex.js',
    '%2e%2e%2findex.js',
    '..%5cindex.js',
    '..\\index.js',
    'puzzle.js%00.css',
    '',
    '.',
    'deep',
    'deep/',
    'puzzle.js/',
    'PUZZLE.JS',
    'puzzle.js/../../index.js',
    '/etc/passwd',
    '//etc/passwd',
    ...['__proto__', 'constructor', 'puzzle.js?x=1/../../index.js#'].slice(0, 2),
  ];
  for (const path of tries) {
    const answer = await rawGet(host.url, `${base}${path}`);
    t.true([400, 404].includes(rawStatus(answer)), `${path}: ${answer.slice(0, 80)}`);
    t.false(answer.includes('@keyhost/spi'), path);
  }
  const wrongHash = base.replace(/plugins\/./, (found) => (found.endsWith('A') ? 'plugins/B' : 'plugins/A'));
  for (const other of [wrongHash, '/resources/plugins/', '/resources/plugins/undefined/', '/resources/plugins//']) {
    t.is(rawStatus(await rawGet(host.url, `${other}puzzle.js`)), 404, other);
  }
  t.is((await fetch(`${host.url}${base}puzzle.js`, { method: 'POST' })).status, 404);
  const document = await fetch(`${host.url}${base}page.html`);
  t.deepEqual(
    ['content-type', 'content-security-policy'].map((name) => document.headers.get(name)),
    ['application/octet-stream', "default-src 'none'; sandbox"],
  );
});

test('T686 · files of steps: a link out of the files of a plugin refuses it, whatever it leads to', async (t) => {
  const links = [
    ['resources/out.js', '../index.js'],
    ['resources/etc', '/etc'],
    ['resources/loop', '.'],
    ['resources/gone.js', 'nowhere'],
    ['resources', '..'],
  ] as const;
  const names = ['.hidden', 'a b.js', 'ä.js', "a';b.js"];
  const linked = links.map((_, index) => `linked-${index}`);
  const named = names.map((_, index) => `named-${index}`);
  const dir = await providersFolder(t, {
    ...Object.fromEntries(linked.map((name) => [name, scripted(name, {}, {})])),
    ...Object.fromEntries(named.map((name) => [name, scripted(name, {})])),
  });
  for (const [index, [path, to]] of links.entries()) {
    await mkdir(join(dir, `linked-${index}`, path, '..'), { recursive: true });
    await symlink(to, join(dir, `linked-${index}`, path));
  }
  for (const [index, name] of names.entries()) await writeFile(join(dir, `named-${index}`, 'resources', name), '');
  const host = await startHost(t, {
    realms: [],
    plugins: [...linked, ...named].map((module) => ({ module, required: false })),
    argv: ['--providers-dir', dir],
  });
  const told = (name: string, code: string) =>
    host.log.some(({ level, message }) => level === 'error' && message.includes(name) && message.includes(code));
  t.deepEqual(
    linked.filter((name) => !told(name, 'plugin_outside')),
    [],
  );
  t.deepEqual(
    named.filter((name) => !told(name, 'plugin_shape')),
    [],
  );
});

test('T687 · files of steps: a page names files of its own plugin alone, and of their kind', async (t) => {
  for (const name of Object.keys(WRONG)) {
    const { page } = await showing(name);
    t.is(page.status, 500, name);
    t.notRegex(page.headers.get('content-security-policy') ?? '', /evil|unsafe/, name);
  }
});
