import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { checkRunTimeDependencies, UNBUNDLED_PACKAGES } from '../../core/build/run-time-dependencies.js';
import { ran } from '../helpers/command.js';
import { ROOT } from '../helpers/readme-blocks.js';
import { FOLDERS, importedBy, type PackedPackage, packAll } from './packed.js';

/** The address of the repository's files, which pages that are packed lead to. */
const OWN_ADDRESS = /^https:\/\/github\.com\/keyhost\/keyhost\/(?:blob|tree)\/main\/([^#]+)/;
const FENCE = /^```[\s\S]*?^```$/gm;
/**
 * The maximum size of the host's tarball in bytes: 5.1 MB of code, maps, licences and the admin console, with little
 * room for accidents.
 */
const LARGEST = 5_500_000;

let dir: string;
let all: readonly PackedPackage[];

test.before(async (t) => {
  t.timeout(180_000);
  dir = await mkdtemp(join(tmpdir(), 'keyhost-packed-'));
  all = await packAll(dir);
});

test.after.always(() => rm(dir, { recursive: true, force: true }));

function packed(wanted: string): PackedPackage {
  const found = all.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`${wanted} was not packed`);
  return found;
}

/** The targets of a page's links. */
function links(text: string): readonly string[] {
  const plain = text.replace(FENCE, '').replaceAll(/`[^`\n]*`/g, '');
  return [...plain.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** Links in a package's pages whose targets are not in the package. */
async function deadLinks({ dir, files, name }: PackedPackage): Promise<string[]> {
  const dead: string[] = [];
  for (const page of files.filter((path) => path.endsWith('.md') && !/\/(templates|frameworks)\//.test(path))) {
    for (const link of links(await readFile(join(dir, page), 'utf8'))) {
      const [, own] = OWN_ADDRESS.exec(link) ?? [];
      const [target = ''] = link.split('#');
      const isThere =
        own === undefined
          ? /^[a-z]+:/.test(link) || target === '' || isPacked(files, posix.join(dirname(page), target))
          : existsSync(join(ROOT, own));
      if (!isThere) dead.push(`${name} ${page}: ${link}`);
    }
  }
  return dead;
}

function isPacked(files: readonly string[], path: string): boolean {
  return files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
}

test('packages: each has what the registry and users need, and nothing else', async (t) => {
  t.deepEqual(all.map(({ name }) => name).sort(), [
    '@keyhost/bcrypt',
    '@keyhost/books',
    '@keyhost/breached-passwords',
    '@keyhost/captcha',
    '@keyhost/duo',
    '@keyhost/email-otp',
    '@keyhost/events-to-postgres',
    '@keyhost/external-app-notification',
    '@keyhost/home-idp-discovery',
    '@keyhost/login-notice',
    '@keyhost/magic-link',
    '@keyhost/newsletter',
    '@keyhost/organizations',
    '@keyhost/pin-code',
    '@keyhost/pkcs11',
    '@keyhost/scheduled-cleanup',
    '@keyhost/spi',
    '@keyhost/trusted-device',
    '@keyhost/vault-hashicorp',
    '@keyhost/webhooks',
    'keyhost',
  ]);
  const licence = await readFile(join(ROOT, 'LICENSE'), 'utf8');
  const { engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  for (const one of all) {
    const { name, folder, manifest, files } = one;
    t.is(await readFile(join(one.dir, 'LICENSE'), 'utf8'), licence, name);
    for (const file of ['README.md', 'CHANGELOG.md', 'package.json']) t.true(files.includes(file), `${name} ${file}`);
    t.like(manifest, {
      license: 'Apache-2.0',
      type: 'module',
      engines,
      private: undefined,
      bugs: 'https://github.com/keyhost/keyhost/issues',
      publishConfig: { access: 'public', provenance: true },
      repository: {
        type: 'git',
        url: 'git+https://github.com/keyhost/keyhost.git',
        directory: folder === '.' ? undefined : folder,
      },
    });
    t.regex(String(manifest.homepage), /^https:\/\/github\.com\/keyhost\/keyhost.*#readme$/);
    t.true(String(manifest.description).length > 10 && (manifest.keywords as unknown[]).length > 2, name);
    t.deepEqual(await deadLinks(one), []);
    const unwanted = files.filter((path) => /\.tsbuildinfo$|\.test\.(js|d\.ts)$|(^|\/)node_modules\//.test(path));
    t.deepEqual(unwanted, []);
  }
});

test('packages: keyhost contains the bundle and what it reads, and depends on what it leaves outside', async (t) => {
  const host = packed('keyhost');
  t.deepEqual(Object.keys(host.manifest.dependencies ?? {}).sort(), [...UNBUNDLED_PACKAGES].sort());
  checkRunTimeDependencies(host.manifest.dependencies ?? {});
  const compiled = host.files.filter(
    (path) => path.startsWith('dist/') && !/^dist\/(bundle|admin-console)\//.test(path),
  );
  t.deepEqual(compiled, ['dist/core/host/test-host.d.ts'], 'the bundle holds what the compiler wrote');
  for (const path of [
    'dist/bundle/begin.js',
    'dist/bundle/begin.js.map',
    'dist/bundle/LICENCES.txt',
    'dist/bundle/sbom.cdx.json',
    'dist/admin-console/index.html',
    'dist/admin-console/LICENCES.txt',
    'dist/admin-console/sbom.cdx.json',
  ])
    t.true(host.files.includes(path), path);
  const templates = await readdir(join(ROOT, 'core/commands/plugin/templates'), {
    recursive: true,
    withFileTypes: true,
  });
  t.is(
    host.files.filter((path) => path.startsWith('core/commands/plugin/templates/')).length,
    templates.filter((entry) => entry.isFile()).length,
  );
  t.true(host.files.some((path) => path.startsWith('core/store/migrations/')));
  t.true((await stat(host.tarball)).size < LARGEST);
  const chunks = host.files.filter((path) => /^dist\/bundle\/[^/]+\.js$/.test(path));
  const code = (await Promise.all(chunks.map((path) => readFile(join(host.dir, path), 'utf8')))).join('\n');
  for (const name of UNBUNDLED_PACKAGES) t.regex(code, new RegExp(`["'\`]${name}[/"'\`]`), `nothing asks for ${name}`);
});

test('packages: the SPI and the plugins declare their imports, and nothing else', async (t) => {
  const host = packed('keyhost');
  const spi = packed('@keyhost/spi');
  t.is(host.manifest.dependencies?.['@keyhost/spi'], spi.manifest.version, 'they are released together');
  for (const one of all.filter(({ name }) => name !== 'keyhost')) {
    const { dependencies = {}, peerDependencies = {} } = one.manifest;
    const declared = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name !== 'keyhost');
    t.deepEqual([...(await importedBy(one))].sort(), declared.sort(), one.name);
  }
  const books = packed('@keyhost/books');
  const proto = 'proto/book_author.proto';
  t.is(
    await readFile(join(books.dir, proto), 'utf8'),
    await readFile(join(ROOT, proto), 'utf8'),
    'both are the contract',
  );
});

/** ES modules only, which Node 20.19 and later can also load with `require`: older resolution modes are not checked. */
const PROFILE = 'esm-only';

test('packages: types and entries of each package resolve, according to attw and publint', async (t) => {
  for (const { name, tarball } of all) {
    const attw = join(ROOT, 'node_modules/.bin/attw');
    const { code, stdout, stderr } = await ran(attw, [tarball, '--profile', PROFILE, '--no-color', '--no-emoji']);
    t.is(code, 0, `${name}\n${stdout}${stderr}`);
    const bytes = await readFile(tarball);
    const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
    t.deepEqual(
      messages.map((message) => formatMessage(message, pkg, { color: false })),
      [],
      name,
    );
  }
});

test('packages: every workspace of Keyhost’s own is packed', async (t) => {
  const { workspaces } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] };
  for (const folder of workspaces) {
    const { name, private: isPrivate } = JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'));
    // The admin console is packed as it is built, within the host.
    t.is((FOLDERS as readonly string[]).includes(folder), name.startsWith('@keyhost/') && isPrivate !== true, folder);
  }
});

test('packages: a dependency that the bundle holds, and one that it leaves outside, each have their list', (t) => {
  const right = Object.fromEntries(UNBUNDLED_PACKAGES.map((name) => [name, '1.0.0']));
  t.notThrows(() => checkRunTimeDependencies(right));
  t.throws(() => checkRunTimeDependencies({ ...right, koa: '3.3.0' }), {
    message: 'koa: the bundle contains it; move it to devDependencies',
  });
  const { ajv: _, ...less } = right;
  t.throws(() => checkRunTimeDependencies(less), {
    message: 'ajv: the bundle does not contain it; move it to dependencies',
  });
});

/** The compiler's output in a separate checkout that shares the libraries of the real one. */
async function compiledCopy(t: ExecutionContext): Promise<string> {
  const copy = await mkdtemp(join(ROOT, 'dist', 'packing-'));
  t.teardown(() => rm(copy, { recursive: true, force: true }));
  const keep = (path: string) => !/\/(core\/spi|node_modules)$/.test(path);
  await cp(join(ROOT, 'core'), join(copy, 'core'), { recursive: true, filter: keep });
  await cp(join(ROOT, 'dist/core'), join(copy, 'dist/core'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(copy, 'package.json'));
  await mkdir(join(copy, 'dist/bundle'));
  return copy;
}

test('packages: a bundle that is older than the compiled files is built again before packing, and only then', async (t) => {
  t.timeout(120_000);
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  t.is(scripts.prepack, 'tsc -b && node dist/core/build/bundle.js --if-older && node dist/core/build/admin-console.js');
  const copy = await compiledCopy(t);
  const stamp = join(copy, 'dist/bundle/package.json');
  const compiled = join(copy, 'dist/tsconfig.tsbuildinfo');
  await writeFile(stamp, '{ "build": "an old one" }');
  await writeFile(compiled, '{}');
  const build = async () => {
    const { code, stderr } = await ran(process.execPath, ['dist/core/build/bundle.js', '--if-older'], { cwd: copy });
    t.is(code, 0, stderr);
    return JSON.parse(await readFile(stamp, 'utf8')).build as string;
  };
  await utimes(stamp, new Date(), new Date(Date.now() - 60_000));
  t.regex(await build(), /^[0-9a-f]{64}$/);
  await writeFile(stamp, '{ "build": "one that is in use" }');
  t.is(await build(), 'one that is in use');
});
