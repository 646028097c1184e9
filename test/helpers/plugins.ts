import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';

const DIST = fileURLToPath(new URL('../../', import.meta.url));

/** The files of a package, by their path; a text alone is its index.js. */
export type PackageFiles = string | Readonly<Record<string, string>>;

/** A providers folder inside the build output, where `@keyhost/spi` resolves as it does for a real plugin. */
export async function providersFolder(
  t: Pick<ExecutionContext, 'teardown'>,
  packages: Readonly<Record<string, PackageFiles>>,
): Promise<string> {
  const dir = await mkdtemp(join(DIST, 'plugins-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(packages)) {
    const manifest = JSON.stringify({ name, version: '1.2.3', type: 'module', exports: './index.js' });
    const files = typeof content === 'string' ? { 'package.json': manifest, 'index.js': content } : content;
    await mkdir(join(dir, name));
    for (const [file, text] of Object.entries(files)) await writeFile(join(dir, name, file), text);
  }
  return dir;
}

/** The source of a plugin with one resource of the same name: `operation` is the body of `GET /realms/{realm}/{name}`. */
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
