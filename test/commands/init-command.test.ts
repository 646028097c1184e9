import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keyhost } from '../helpers/command.js';
import { fetchAnswer } from '../helpers/host.js';
import { run } from '../helpers/process.js';
import { ROOT } from '../helpers/readme-blocks.js';

async function folder(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-init-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

const content = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

test('keyhost init: it writes a folder with valid realm files, and alice can sign in', async (t) => {
  const dir = await folder(t);
  const { code, stdout, stderr } = await keyhost(['init', 'My Identity'], { cwd: dir });
  t.is(code, 0, stderr);
  t.regex(stdout, /Next:\n\n {2}cd My Identity && npm install\n {2}npx keyhost start-dev\n/);
  const made = join(dir, 'My Identity');
  const names = ['.gitignore', 'README.md', 'package.json', 'plugins.json', 'realms'];
  t.deepEqual((await readdir(made)).sort(), names);
  const { version } = await content(join(ROOT, 'package.json'));
  t.like(await content(join(made, 'package.json')), {
    name: 'my-identity',
    private: true,
    scripts: { start: 'keyhost start-dev' },
    dependencies: { keyhost: `^${version}` },
  });
  const checked = await keyhost(['realm', 'check', 'realms'], { cwd: made });
  t.is(checked.code, 0, checked.stdout + checked.stderr);
  const host = await run(t, made, ['start-dev']);
  const form = { grant_type: 'password', client_id: 'cli', username: 'alice', password: 'alice' };
  const token = `${host.url}/realms/demo/protocol/openid-connect/token`;
  t.is((await fetchAnswer(token, { method: 'POST', body: new URLSearchParams(form) })).status, 200, host.output());
});

test('keyhost init: it overwrites nothing, and adds nothing to existing files', async (t) => {
  const dir = await folder(t);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [{ "module": "mine" }] }');
  const refused = await keyhost(['init'], { cwd: dir });
  t.is(refused.code, 1);
  t.regex(refused.stderr, /plugins\.json already in \S+; nothing was written \[options_invalid]\n {2}→ choose/);
  t.deepEqual(await readdir(dir), ['plugins.json']);
  await writeFile(join(dir, 'package.json'), '{ "name": "another" }');
  const other = await keyhost(['init', '.'], { cwd: dir });
  t.regex(other.stderr, /package\.json, plugins\.json already in/);
});

test('keyhost init: it leaves a package.json that depends on keyhost as npm wrote it', async (t) => {
  const dir = await folder(t);
  const manifest = '{ "dependencies": { "keyhost": "file:keyhost.tgz" } }';
  await writeFile(join(dir, 'package.json'), manifest);
  const { code, stdout, stderr } = await keyhost(['init'], { cwd: dir });
  t.is(code, 0, stderr);
  t.regex(stdout, /^Created a folder with a demo realm\. Next:\n\n {2}npx keyhost start-dev\n/);
  t.is(await readFile(join(dir, 'package.json'), 'utf8'), manifest);
});

test('keyhost init: --help, and unknown words are refused', async (t) => {
  const dir = await folder(t);
  const help = await keyhost(['init', '--help'], { cwd: dir });
  t.deepEqual([help.code, /^Usage: keyhost init \[DIR\]/.test(help.stdout)], [0, true]);
  for (const [words, said] of [
    [['a', 'b'], /unexpected argument "b"/],
    [['--force'], /unknown option --force/],
  ] as const) {
    const { code, stderr } = await keyhost(['init', ...words], { cwd: dir });
    t.is(code, 1);
    t.regex(stderr, said);
  }
  t.deepEqual(await readdir(dir), []);
});
