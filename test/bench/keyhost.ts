import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../helpers/free-port.js';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The program that npm links as `keyhost`: it runs the bundle, as an installation does. */
const COMMAND = 'core/keyhost.js';
export const ADMIN = { username: 'root', password: 'root-password-of-the-bench' };

const FREE_PORTS = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0'];

/** True if `keyhost` runs the bundle: after `tsc -b` alone it runs the compiler's newer output. */
export async function runsBundle(): Promise<boolean> {
  const { built } = await import(new URL('../../../core/built.js', import.meta.url).href);
  return built('begin', 'core/main.js')?.isBundle === true;
}

/** Writes the files that a host starts from. @param plugins the entries of plugins.json */
export async function writeFolder(
  dir: string,
  realms: readonly { readonly realm: string }[],
  plugins: readonly object[] = [],
): Promise<void> {
  await mkdir(join(dir, 'realms'), { recursive: true });
  for (const realm of realms) await writeFile(join(dir, 'realms', `${realm.realm}.json`), JSON.stringify(realm));
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins }));
}

/**
 * A host in production, with the folder's realms and plugins.
 * @param more further options, which have priority
 * @param root the repository, or another commit of it
 */
export async function production(dir: string, more: readonly string[] = [], root = ROOT): Promise<string[]> {
  const port = String(await freePort());
  const places = ['--data-dir', join(dir, 'data'), '--realms-dir', join(dir, 'realms')];
  const plugins = ['--plugins-file', join(dir, 'plugins.json')];
  const admin = ['--bootstrap-admin-username', ADMIN.username, '--bootstrap-admin-password', ADMIN.password];
  const address = ['--http-port', port, '--hostname', `http://127.0.0.1:${port}`, '--http-enabled'];
  // These rows measure the work of plugins and their peers, without authentication of callers.
  const open = ['--allow-open-providers', 'realm-restapi-extension/newsletter,grpc-service/books'];
  const all = [...FREE_PORTS, ...address, '--log-level', 'error', ...places, ...plugins, ...admin, ...open, ...more];
  return [join(root, COMMAND), 'start', ...all];
}

/** A host as in `npm start`, with the folder's realms and plugins unless `more` sets others. */
export function trial(dir: string, more: readonly string[] = [], root = ROOT): string[] {
  const places = ['--data-dir', join(dir, 'data'), '--realms-dir', join(dir, 'realms')];
  const plugins = ['--plugins-file', join(dir, 'plugins.json')];
  return [join(root, COMMAND), 'start-dev', ...FREE_PORTS, '--log-level', 'error', ...places, ...plugins, ...more];
}
