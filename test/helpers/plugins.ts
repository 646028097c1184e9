import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';

const DIST = fileURLToPath(new URL('../../', import.meta.url));

/** The files of a package by path; a single text is its index.js. */
export type PackageFiles = string | Readonly<Record<string, string>>;

/**
 * The compiled text of a plugin with a file of its own: the `index.js` of its package.
 * @param from `import.meta.url` of the test
 */
export function pluginSource(from: string, path: string): string {
  return readFileSync(new URL(path, from), 'utf8');
}

/** Writes a package as an installation does, and adds a package.json if the files have none. */
export async function writePackage(
  providersDir: string,
  name: string,
  content: PackageFiles,
  version = '1.2.3',
): Promise<void> {
  const manifest = JSON.stringify({ name, version, type: 'module', exports: './index.js' });
  await writeFiles(join(providersDir, name), {
    'package.json': manifest,
    ...(typeof content === 'string' ? { 'index.js': content } : content),
  });
}

async function writeFiles(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await replaceFile(join(dir, file), text, dirname(dir));
  }
}

/**
 * Writes a file at once, so that a host that reads it meanwhile never sees half of it.
 * @param stagingDir a folder of the same file system
 */
export async function replaceFile(file: string, text: string, stagingDir: string): Promise<void> {
  const staged = join(stagingDir, `.${randomUUID()}`);
  await writeFile(staged, text);
  await rename(staged, file);
}

/**
 * A providers folder inside the build output, where `@keyhost/spi` resolves as it does for a real plugin.
 * @param packages a text is a whole package; files are written unchanged, with nothing added
 */
export async function providersFolder(
  t: Pick<ExecutionContext, 'teardown'>,
  packages: Readonly<Record<string, PackageFiles>>,
): Promise<string> {
  const dir = await mkdtemp(join(DIST, 'plugins-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(packages)) {
    if (typeof content === 'string') await writePackage(dir, name, content);
    else await writeFiles(join(dir, name), content);
  }
  return dir;
}

/**
 * The source of a plugin with one resource of the same name: `operation` is the body of `GET /realms/{realm}/{name}`.
 */
export function resourcePlugin(name: string, operation: string, open = ''): string {
  return `import { provide, RealmResourceProvider, EventListener, OAuthError, HostError } from '@keyhost/spi';
export default { name: '${name}', api: 1, providers: [provide(RealmResourceProvider, {
  id: '${name}',
  routes: { run: { method: 'GET', path: '/' }, one: { method: 'GET', path: '/{id}' } },
  async open(config, host) {
    ${open}
    return { create: (session, realmConfig) => ({ async run(request) { ${operation} }, one: async ({ params }) => ({ body: params }) }) };
  },
})] };`;
}

/** The realm's `providers` that enable these resources. */
export function enabledResources(names: readonly string[]) {
  return { 'realm-restapi-extension': Object.fromEntries(names.map((name) => [name, { enabled: true }])) };
}
