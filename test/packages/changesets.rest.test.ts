import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ran } from '../helpers/command.js';
import { ROOT } from '../helpers/readme-blocks.js';
import { FOLDERS } from './packed.js';

const CHANGESET = join(ROOT, 'core/build/changeset.cjs');
const content = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

/** A repository with the manifests, the changelogs and the pending changesets of this one. */
async function repository(t: ExecutionContext) {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-changesets-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await cp(join(ROOT, '.changeset'), join(dir, '.changeset'), { recursive: true });
  for (const folder of FOLDERS) {
    for (const name of ['package.json', 'CHANGELOG.md']) {
      await mkdir(dirname(join(dir, folder, name)), { recursive: true });
      await cp(join(ROOT, folder, name), join(dir, folder, name));
    }
  }
  const run = async (program: string, words: readonly string[]) => {
    const { code, stdout, stderr } = await ran(program, words, { cwd: dir });
    t.is(code, 0, `${words.join(' ')}\n${stdout}${stderr}`);
    return stdout + stderr;
  };
  const git = (...words: string[]) => run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...words]);
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'all', '--no-gpg-sign', '--no-verify');
  const changeset = async (...words: string[]) => run(process.execPath, [CHANGESET, ...words]);
  const versions = async () =>
    Object.fromEntries(
      await Promise.all(
        FOLDERS.map(async (folder) => {
          const { name, version } = await content(join(dir, folder, 'package.json'));
          return [name, version] as const;
        }),
      ),
    ) as Record<string, string>;
  return { dir, changeset, versions };
}

test('changesets: changesets know every package that is published, and the pending ones can be read', async (t) => {
  const { dir, changeset, versions } = await repository(t);
  const before = await versions();
  const all = Object.keys(before).map((name) => `'${name}': patch`);
  await writeFile(join(dir, '.changeset/all.md'), `---\n${all.join('\n')}\n---\n\nA fault is mended.\n`);
  await changeset('status', '--output', 'status.json');
  const { releases } = (await content(join(dir, 'status.json'))) as { releases: { name: string }[] };
  t.deepEqual(releases.map(({ name }) => name).sort(), Object.keys(before).sort());
});

test('changesets: a minor version of the contract is one of the host, at the top of its changelog, and leaves plugins alone', async (t) => {
  const { dir, changeset, versions } = await repository(t);
  // Those that are pending are released first.
  await changeset('version');
  const before = await versions();
  await writeFile(join(dir, '.changeset/kind.md'), "---\n'@keyhost/spi': minor\n---\n\nThere is a kind more.\n");
  await changeset('version');
  const after = await versions();
  const [major, minor] = (before.keyhost ?? '').split('.').map(Number);
  const next = `${major}.${Number(minor) + 1}.0`;
  t.deepEqual(after, { ...before, keyhost: next, '@keyhost/spi': next });
  const { dependencies } = await content(join(dir, 'package.json'));
  t.is(dependencies['@keyhost/spi'], next);
  for (const [folder, name] of [
    ['.', 'keyhost'],
    ['core/spi', '@keyhost/spi'],
  ] as const) {
    const changelog = await readFile(join(dir, folder, 'CHANGELOG.md'), 'utf8');
    t.true(changelog.startsWith(`# ${name}\n\n## ${next}\n`), changelog.slice(0, 200));
    t.true(changelog.includes('\n## 0.1.0\n'), 'what stood there stays');
  }
  t.regex(await readFile(join(dir, 'core/spi/CHANGELOG.md'), 'utf8'), /There is a kind more\./);
});
