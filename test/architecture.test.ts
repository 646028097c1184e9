import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The order of the modules. A module.ts may import every module before its own, since it composes the module. */
const ORDER = [
  'spi',
  'model',
  'config',
  'connect',
  'di',
  'store',
  'keys',
  'users',
  'realms',
  'registry',
  'vault',
  'realm-files',
  'http',
  'sessions',
  'tokens',
  'pages',
  'mail',
  'oidc',
  'action-tokens',
  'login',
  'broker',
  'account',
  'admin-console',
  'admin',
  'grpc',
  'host',
  'commands',
  'build',
];

/**
 * Files that may use the container, in addition to modules and the host: a generation of providers is a container of
 * its own.
 */
const SEES_CONTAINER = /^core\/(di\/|host\/|registry\/generations\/|[a-z-]+\/module\.ts$)/;

/** The modules that the pages of a login are built on. */
const BELOW_LOGIN = [
  'model',
  'store',
  'keys',
  'users',
  'realms',
  'registry',
  'vault',
  'http',
  'sessions',
  'tokens',
  'pages',
  'oidc',
  'action-tokens',
];

/**
 * The modules that a module may import, besides itself and @keyhost/spi. Modules of one level do not import each other.
 */
const LOWER: Readonly<Record<string, readonly string[]>> = {
  spi: [],
  di: ['model', 'config'],
  model: [],
  config: ['model'],
  connect: ['model', 'config'],
  store: ['model', 'config'],
  keys: ['model', 'config', 'store'],
  users: ['model', 'store'],
  realms: ['model', 'config', 'store', 'keys', 'users'],
  registry: ['di', 'model', 'config', 'store', 'users'],
  vault: ['model'],
  'realm-files': ['model', 'config', 'store', 'realms', 'registry'],
  http: ['di', 'model', 'config', 'realms', 'registry'],
  sessions: ['model', 'store', 'keys', 'users', 'registry', 'http'],
  tokens: ['model', 'config', 'store', 'keys', 'users', 'registry', 'http', 'sessions'],
  pages: ['model', 'users', 'realms', 'registry', 'http'],
  mail: ['model', 'config', 'store', 'keys', 'users', 'registry', 'vault', 'pages'],
  oidc: ['model', 'store', 'keys', 'users', 'realms', 'registry', 'vault', 'http', 'sessions', 'tokens', 'pages'],
  'action-tokens': ['model', 'config', 'store', 'keys', 'users', 'registry', 'http', 'pages', 'mail'],
  login: [...BELOW_LOGIN],
  broker: [...BELOW_LOGIN, 'login'],
  account: [...BELOW_LOGIN, 'login'],
  'admin-console': ['model', 'config', 'http', 'realms'],
  admin: [
    'model',
    'config',
    'connect',
    'store',
    'keys',
    'users',
    'realms',
    'registry',
    'realm-files',
    'http',
    'tokens',
  ],
  grpc: ['di', 'model', 'config', 'realms', 'registry', 'http'],
  host: [
    'di',
    'config',
    ...BELOW_LOGIN,
    'realm-files',
    'mail',
    'login',
    'broker',
    'account',
    'admin-console',
    'admin',
    'grpc',
  ],
  commands: [
    'model',
    'config',
    'connect',
    'store',
    'keys',
    'users',
    'realms',
    'registry',
    'realm-files',
    'grpc',
    'host',
  ],
  build: ['model', 'config', 'realms', 'registry', 'http', 'mail', 'admin', 'host'],
};

/** Libraries that only one place may import. */
const KEPT: readonly [RegExp, RegExp][] = [
  [/^(tsyringe|reflect-metadata)$/, /^core\/di\//],
  [/^(koa|@koa\/router|koa-bodyparser)$/, /^core\/(http|oidc|login|action-tokens|admin-console|admin|host|pages)\//],
  [/^(@grpc\/|@bufbuild\/|grpc-)/, /^core\/grpc\//],
  [/^(node:sqlite|@photostructure\/sqlite)$/, /^core\/store\/sqlite\//],
  [/^pg$/, /^core\/store\/postgresql\//],
  [/^@node-rs\/argon2$/, /^core\/users\/passwords\//],
  [/^nodemailer$/, /^core\/mail\//],
  [/^uqr$/, /^core\/login\/steps\/otp\//],
  [/^@simplewebauthn\//, /^core\/login\/steps\/webauthn\//],
  [/^node-forge$/, /^core\/admin\/certificates\//],
  [/^(rolldown|vite)$/, /^core\/(build|admin-console\/app)\//],
  [/^(markdown-it|highlight\.js|pagefind)(\/|$)/, /^core\/build\/site\//],
  [/^@opentelemetry\//, /^core\/host\/telemetry\//],
];

/** Folders that are built, installed, or copied by a running host. */
const NO_SOURCES = ['dist', 'node_modules', '.generations'];
/** Separate programs that run in browsers. */
const BROWSER_PROGRAMS = ['core/admin-console/app', 'providers/keycloak-console/app'];

async function sources(folder: string, isSource = /(?<!\.d)\.ts$/): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !NO_SOURCES.includes(entry.name) && !BROWSER_PROGRAMS.includes(path))
      files.push(...(await sources(path, isSource)));
    else if (entry.isFile() && isSource.test(entry.name)) files.push(path);
  }
  return files;
}

/** The text of a file without the examples in its comments. */
async function codeOf(file: string): Promise<string> {
  const text = await readFile(join(ROOT, file), 'utf8');
  return text.replace(/^ \* ```ts\n[\s\S]*?^ \* ```$/gm, '');
}

async function imports(file: string): Promise<string[]> {
  const text = await codeOf(file);
  return [...text.matchAll(/(?:(?<!')\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g)].map(([, name = '']) => name);
}

const module = (file: string) =>
  file.startsWith('core/') && file.split('/').length > 2 ? file.split('/')[1] : undefined;

test('architecture: modules import downwards only, and libraries are used in their chosen modules', async (t) => {
  const wrong: string[] = [];
  for (const file of await sources('core')) {
    const own = module(file);
    const isModule = file === `core/${own}/module.ts`;
    const lower = isModule ? ORDER.slice(0, ORDER.indexOf(own ?? '')) : (LOWER[own ?? ''] ?? []);
    for (const name of await imports(file)) {
      for (const [library, place] of KEPT)
        if (library.test(name) && !place.test(file)) wrong.push(`${file} imports ${name}`);
      if (own === undefined || !name.startsWith('.')) continue;
      const target = relative(ROOT, resolve(ROOT, dirname(file), name));
      const other = module(target);
      if (/\/di\/(container|module|given)\.js$/.test(target) && !SEES_CONTAINER.test(file))
        wrong.push(`${file} imports ${target}`);
      if (other === own || (other !== undefined && lower.includes(other))) continue;
      wrong.push(`${file} imports ${target}`);
    }
  }
  t.deepEqual(wrong, []);
});

/** Files that the file imports at run time, without imports of types only. */
async function neededBy(file: string): Promise<string[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  const statements = [...text.matchAll(/^(?:import|export) (?!type )([^;]*?)from '(\.[^']+)'/gm)];
  return statements
    .filter(([, names = '']) => !/^\{(\s*type [^,}]+,?)*\s*\}\s*$/.test(names))
    .map(([, , name = '']) => relative(ROOT, resolve(ROOT, dirname(file), name)).replace(/\.js$/, '.ts'));
}

test('architecture: no files import each other in a circle', async (t) => {
  const needs = new Map<string, string[]>();
  for (const file of await sources('core')) needs.set(file, await neededBy(file));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, chain: readonly string[]) => {
    if (chain.includes(file)) circles.push([...chain.slice(chain.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) for (const next of needs.get(file) ?? []) visit(next, [...chain, file]);
    done.add(file);
  };
  for (const file of needs.keys()) visit(file, []);
  t.deepEqual(circles, []);
});

test('architecture: only main reads the environment', async (t) => {
  const readers: string[] = [];
  for (const file of await sources('core')) {
    if ((await codeOf(file)).includes('process.env')) readers.push(file);
  }
  t.deepEqual(readers, ['core/main.ts']);
});

test('architecture: plugins import @keyhost/spi and their dependencies, and the SPI imports neither core nor plugins', async (t) => {
  const wrong: string[] = [];
  for (const file of await sources('providers')) {
    const manifest = JSON.parse(
      await readFile(join(ROOT, 'providers', file.split('/')[1] ?? '', 'package.json'), 'utf8'),
    );
    const own = ['@keyhost/spi', ...Object.keys(manifest.dependencies ?? {})];
    for (const name of await imports(file)) {
      if (name.startsWith('node:') || own.some((library) => name === library || name.startsWith(`${library}/`)))
        continue;
      if (
        name.startsWith('.') &&
        !relative(join(ROOT, 'providers', file.split('/')[1] ?? ''), resolve(ROOT, dirname(file), name)).startsWith(
          '..',
        )
      )
        continue;
      wrong.push(`${file} imports ${name}`);
    }
  }
  for (const file of await sources('core/spi')) {
    // The test kit runs next to a host, and is not part of what a plugin imports.
    const isKit = file.startsWith('core/spi/testing/');
    for (const name of await imports(file)) {
      if (name.startsWith('node:') && isKit) continue;
      if (!name.startsWith('.') || (!isKit && name.includes('testing'))) wrong.push(`${file} imports ${name}`);
    }
  }
  t.deepEqual(wrong, []);
});

test('architecture: programs for browsers import their files and packages alone, and use the host’s public API', async (t) => {
  const wrong: string[] = [];
  for (const app of BROWSER_PROGRAMS) {
    const { devDependencies } = JSON.parse(await readFile(join(ROOT, app, 'package.json'), 'utf8'));
    const libraries = Object.keys(devDependencies);
    for (const file of await sources(`${app}/src`, /\.tsx?$/)) {
      for (const name of await imports(file)) {
        const isOwn = name.startsWith('.') && resolve('/', dirname(file), name).startsWith(`/${app}/src/`);
        const isMade = name.startsWith('virtual:');
        if (isOwn || isMade || libraries.some((library) => name === library || name.startsWith(`${library}/`)))
          continue;
        wrong.push(`${file} imports ${name}`);
      }
    }
  }
  t.deepEqual(wrong, []);
});

test('architecture: the README of every module lists the modules that it may import', async (t) => {
  const told: Record<string, string[]> = {};
  for (const name of Object.keys(LOWER).filter((one) => one !== 'spi')) {
    const text = await readFile(join(ROOT, 'core', name, 'README.md'), 'utf8');
    const sentence = /^It (may import ([^.]+)|imports no other module)\.$/m.exec(text);
    t.not(sentence, null, `core/${name}/README.md says which modules ${name} may import`);
    told[name] = [...(sentence?.[2] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, other = '']) => other).sort();
  }
  const allowed = Object.entries(LOWER).filter(([name]) => name !== 'spi');
  t.deepEqual(told, Object.fromEntries(allowed.map(([name, lower]) => [name, [...lower].sort()])));
});

const MAX_LINES = 310;
/** The longer files of core and providers, each with the reason why it is one file. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'core/registry/sessions/host-session.ts': 'one class implements the session that plugins get, in their order',
  'core/spi/spis/authenticator.ts': 'one SPI with its documentation, which plugin authors read from top to bottom',
  'core/pages/messages/german.ts': 'a table of texts',
  'core/pages/messages/english.ts': 'a table of texts',
  'core/login/module.ts': 'the services of a module are one list',
  'core/spi/administration.ts': 'one interface with its types, which plugin authors read from top to bottom',
  'core/model/representation.ts': 'the JSON of a realm is one document',
  'core/spi/plugin.ts': 'the declaration of a plugin with its documentation',
  'core/realms/realm-edits.ts': 'one class makes all changes of realms, in the order of a change',
  'core/model/client.ts': 'one class compiles a client, whose members depend on each other',
  'core/grpc/handled-call.ts': 'one class has the states of a call, which its methods pass in turn',
};

test('architecture: files have about 300 lines at most, except for those with a reason', async (t) => {
  const long: string[] = [];
  for (const folder of ['core', 'providers']) {
    for (const file of await sources(folder)) {
      const lines = (await readFile(join(ROOT, file), 'utf8')).split('\n').length;
      if (lines > MAX_LINES) long.push(file);
    }
  }
  t.deepEqual(long.sort(), Object.keys(LONG_FILES).sort());
});
