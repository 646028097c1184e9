import { readFile } from 'node:fs/promises';
import { readJsonDocument } from '../../config/json/json-document.js';
import type { HostOptions } from '../../config/options/options.js';
import { reachableHost } from '../../config/options/reachable-host.js';
import { realmsIn, statedName } from '../../config/realm-file/realm-documents.js';
import { findRealmFiles } from '../../config/realm-file/realm-folder.js';
import { runningAccess } from '../../host/management-access.js';

/** Options of the server that say where it is, and which realms it has. */
export const ADDRESS_OPTIONS = ['realms-dir', 'data-dir', 'hostname', 'http-host', 'http-port', 'http-relative-path'];

/** Every realm that a file of the folder names. Files that are no JSON are told where one is edited. */
export async function realmsOf(dir: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { main } of await findRealmFiles(dir)) {
    const read = readJsonDocument(main.path, await readFile(main.path));
    if ('document' in read) names.push(...realmsIn(read.document).map((one) => String(statedName(one))));
  }
  return names;
}

/** Where apps reach the server: as it runs, else as it would be started with the same options. */
export async function addressOf({
  dataDir,
  hostname,
  httpHost,
  httpPort,
  httpRelativePath,
}: HostOptions): Promise<string> {
  const running = (await runningAccess(dataDir))?.server;
  const address = running ?? hostname ?? `http://${reachableHost(httpHost)}:${httpPort}${httpRelativePath}`;
  // Passkeys are made for names, and an issuer is one name everywhere.
  return hostname === undefined ? address.replace(/^http:\/\/127\.0\.0\.1(?=[:/]|$)/, 'http://localhost') : address;
}
