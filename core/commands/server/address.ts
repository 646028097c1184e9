import { readFile } from 'node:fs/promises';
import { readJsonDocument } from '../../config/json/json-document.js';
import type { HostOptions } from '../../config/options/options.js';
import { reachableHost } from '../../config/options/reachable-host.js';
import { nameInFile, realmDocumentsIn } from '../../config/realm-file/realm-documents.js';
import { findRealmFiles } from '../../config/realm-file/realm-folder.js';
import { findRunningAccess } from '../../host/management-access.js';

/** The server's options that determine its address and its realms. */
export const ADDRESS_OPTIONS = ['realms-dir', 'data-dir', 'hostname', 'http-host', 'http-port', 'http-relative-path'];

/**
 * The names of all realms in the folder's files. Files that are not JSON are skipped: the code that edits a file
 * reports them.
 */
export async function realmsOf(dir: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { main } of await findRealmFiles(dir)) {
    const read = readJsonDocument(main.path, await readFile(main.path));
    if ('document' in read) names.push(...realmDocumentsIn(read.document).map((one) => String(nameInFile(one))));
  }
  return names;
}

/** The address of the server for apps: that of the running server, or of the server that these options would start. */
export async function addressOf({
  dataDir,
  hostname,
  httpHost,
  httpPort,
  httpRelativePath,
}: HostOptions): Promise<string> {
  const running = (await findRunningAccess(dataDir))?.server;
  const address = running ?? hostname ?? `http://${reachableHost(httpHost)}:${httpPort}${httpRelativePath}`;
  // Passkeys require a host name, and all apps must use the same issuer.
  return hostname === undefined ? address.replace(/^http:\/\/127\.0\.0\.1(?=[:/]|$)/, 'http://localhost') : address;
}
