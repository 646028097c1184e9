import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { sortedSpis, templateName } from '../../core/commands/plugin/spi-templates.js';
import { HOST_SPIS } from '../../core/registry/loading/host-spis.js';
import { keyhost, ran } from '../helpers/command.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);

/**
 * A checkout without plugins inside the build output, where `@keyhost/spi` and the tools are found as in the real one.
 */
async function checkout(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(ROOT, 'dist', 'checkout-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const files = [
    'package.json',
    'tsconfig.json',
    'biome.json',
    'test/wall-clock.grit',
    'test/page-reads.grit',
    'test/page-names.grit',
  ];
  for (const name of files) await cp(join(ROOT, name), join(dir, name));
  const keep = (path: string) => !/\/(dist|node_modules)$/.test(path);
  await cp(join(ROOT, 'core/spi'), join(dir, 'core/spi'), { recursive: true, filter: keep });
  await mkdir(join(dir, 'providers'));
  return dir;
}

test('keyhost plugin new: a plugin of every SPI is written, builds, is as tidy as the checkout asks, and passes its tests', async (t) => {
  t.deepEqual(
    sortedSpis()
      .map(({ id }) => id)
      .sort(),
    [...HOST_SPIS.keys()].sort(),
    'a plugin can be begun for every SPI',
  );
  const dir = await checkout(t);
  const names: string[] = [];
  for (const spi of sortedSpis()) {
    const name = spi.id === 'theme' ? '@acme/a-theme' : `my-${templateName(spi)}`;
    const word = spi.id === 'grpc-service' ? spi.id : templateName(spi);
    const { code, stdout, stderr } = await keyhost(['plugin', 'new', word, name], { cwd: dir });
    t.is(code, 0, stderr);
    t.regex(stdout, new RegExp(`npm test -w ${name} `));
    names.push(name);
  }
  const folders = (await readdir(join(dir, 'providers'))).sort();
  t.deepEqual(folders, names.map((name) => name.replace('@acme/', 'acme-')).sort());
  const { references } = JSON.parse(await readFile(join(dir, 'tsconfig.json'), 'utf8'));
  const { workspaces } = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8'));
  t.deepEqual(
    workspaces.slice(-folders.length).sort(),
    folders.map((folder) => `providers/${folder}`),
  );
  t.deepEqual(
    references
      .slice(-folders.length)
      .map(({ path }: { path: string }) => path)
      .sort(),
    folders.map((folder) => `providers/${folder}`),
  );

  const built = await ran(bin('tsc'), ['-b', ...folders.map((folder) => `providers/${folder}`)], { cwd: dir });
  t.is(built.code, 0, built.stdout);
  const linted = await ran(
    bin('biome'),
    ['check', 'providers', 'package.json', 'tsconfig.json', '--config-path', dir, '--vcs-enabled=false'],
    { cwd: dir },
  );
  t.is(linted.code, 0, linted.stdout + linted.stderr);
  for (const folder of folders) {
    const tested = await ran(process.execPath, ['--test', 'dist/index.test.js'], {
      cwd: join(dir, 'providers', folder),
    });
    t.is(tested.code, 0, `${folder}\n${tested.stdout}`);
    t.regex(tested.stdout, /# fail 0/);
    const verified = await keyhost(['plugin', 'verify', `providers/${folder}`], { cwd: dir });
    t.is(verified.code, 0, verified.stdout);
  }
});

test('keyhost plugin new: a plugin with an SPI of its own is written with its contract for others, builds, is tidy, and passes its tests', async (t) => {
  const dir = await checkout(t);
  const { code, stderr } = await keyhost(['plugin', 'new', 'spi', 'acme-greetings'], { cwd: dir });
  t.is(code, 0, stderr);
  const folder = join(dir, 'providers/acme-greetings');
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  t.deepEqual(exports['./contract'], { types: './dist/contract.d.ts', default: './dist/contract.js' });
  const built = await ran(bin('tsc'), ['-b', 'providers/acme-greetings'], { cwd: dir });
  t.is(built.code, 0, built.stdout);
  const linted = await ran(bin('biome'), ['check', 'providers', '--config-path', dir, '--vcs-enabled=false'], {
    cwd: dir,
  });
  t.is(linted.code, 0, linted.stdout + linted.stderr);
  const tested = await ran(process.execPath, ['--test', 'dist/index.test.js'], { cwd: folder });
  t.is(tested.code, 0, tested.stdout);
  const verified = await keyhost(['plugin', 'verify', 'providers/acme-greetings'], { cwd: dir });
  t.is(verified.code, 0, verified.stdout);
  t.regex(verified.stdout, /declares acme-greetings-greeter, version 1/);
});

test('keyhost plugin new: a plugin of the checkout is taken out whole, and the checkout is as it was', async (t) => {
  const dir = await checkout(t);
  const files = () => Promise.all(['package.json', 'tsconfig.json'].map((name) => readFile(join(dir, name), 'utf8')));
  const before = await files();
  t.is((await keyhost(['plugin', 'new', 'theme', 'mine'], { cwd: dir })).code, 0);
  t.notDeepEqual(await files(), before);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  const { code, stdout } = await keyhost(['plugin', 'remove', 'mine', '--delete'], { cwd: dir });
  t.deepEqual([code, /Deleted providers\/mine/.test(stdout)], [0, true]);
  t.deepEqual(
    (await files()).map((text) => JSON.parse(text)),
    before.map((text) => JSON.parse(text)),
  );
  t.deepEqual(await readdir(join(dir, 'providers')), []);
});

test('keyhost plugin new: a plugin for a repository of its own comes with Keyhost and its SPI as tarballs', async (t) => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const dir = await realpath(await mkdtemp(join(ROOT, 'dist', 'repository-')));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const { code, stdout, stderr } = await keyhost(['plugin', 'new', 'realm-resource', '@acme/hello', '--dir', '.'], {
    cwd: dir,
  });
  t.is(code, 0, stderr);
  t.regex(
    stdout,
    /Created a realm-resource plugin in \S*acme-hello\. Next:[\s\S]*cd acme-hello && npm install[\s\S]*npm pack/,
  );
  const folder = join(dir, 'acme-hello');
  t.deepEqual((await readdir(join(folder, 'vendor'))).sort(), [`keyhost-${version}.tgz`, `keyhost-spi-${version}.tgz`]);
  const { name, peerDependencies, devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  t.deepEqual([name, peerDependencies], ['@acme/hello', { '@keyhost/spi': `^${version}` }]);
  t.like(devDependencies, {
    '@keyhost/spi': `file:vendor/keyhost-spi-${version}.tgz`,
    keyhost: `file:vendor/keyhost-${version}.tgz`,
  });
  const built = await ran(bin('tsc'), ['-b'], { cwd: folder });
  t.is(built.code, 0, built.stdout);

  const again = await keyhost(['plugin', 'new', 'realm-resource', '@acme/hello', '--dir', dir], { cwd: dir });
  t.deepEqual([again.code, /acme-hello already exists/.test(again.stderr)], [1, true]);
});

test('keyhost plugin new: a plugin that cannot be created reports the failure, a compiler’s output first, and leaves nothing behind', async (t) => {
  const dir = await realpath(await mkdtemp(join(ROOT, 'dist', 'repository-')));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'bin'));
  // npm's report of a failed build of a package.
  const failing = [
    'code 2',
    `path ${ROOT}`,
    'command failed',
    'command sh -c tsc -b',
    'core/main.ts(1,7): error TS1005: no',
  ];
  const script = `#!/bin/sh\n${failing.map((line) => `echo 'npm error ${line}' >&2`).join('\n')}\nexit 2\n`;
  await writeFile(join(dir, 'bin/npm'), script, { mode: 0o755 });
  const words = ['plugin', 'new', 'theme', 'hello', '--dir', 'plugins'];
  const { code, stdout, stderr } = await keyhost(words, {
    cwd: dir,
    env: { PATH: `${join(dir, 'bin')}:${process.env.PATH}` },
  });
  t.deepEqual([code, stdout], [1, '']);
  t.regex(stderr, /^Building and packing @keyhost\/spi [\d.]+.*\n/);
  t.regex(
    stderr,
    /npm pack failed:\n {2}\$ tsc -b\n {2}core\/main\.ts\(1,7\): error TS1005: no \[plugin_install_failed]/,
  );
  t.regex(stderr, /→ Keyhost is packed from its sources in .*: run npm run build there/);
  t.deepEqual(await readdir(dir), ['bin']);
});

test('keyhost plugin new: an unknown SPI and an invalid name are answered with valid ones', async (t) => {
  const dir = await mkdtemp(join(ROOT, 'dist', 'repository-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'plugins.json'), '{}');
  const refused = async (...words: string[]) => {
    const { code, stderr } = await keyhost(['plugin', 'new', ...words], { cwd: dir });
    t.is(code, 1);
    return stderr;
  };
  const all = sortedSpis().map(templateName).join(', ');
  t.is(
    await refused('user-storage', 'x'),
    `keyhost: unknown SPI "user-storage" [options_invalid]\n  → The SPIs are ${all}\n`,
  );
  t.regex(await refused('grant-tipe', 'x'), /did you mean grant-type\?/);
  t.regex(await refused('theme', '../x'), /invalid package name "\.\.\/x"/);
  t.regex(await refused('theme'), /NAME is required/);
  t.deepEqual(await readdir(dir), ['plugins.json']);
});
