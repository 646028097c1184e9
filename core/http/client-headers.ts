import { ClientAuthenticator } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import type { Generation } from '../registry/generations/generation.js';
import { enabledProvider } from '../registry/generations/realm-providers.js';

const NONE: ReadonlyMap<string, ReadonlySet<string>> = new Map();
const byGeneration = new WeakMap<Generation, ReadonlyMap<string, ReadonlySet<string>>>();

/** The headers that client authenticators declare as credentials of clients. For each, the plugins that may read it. */
function credentialHeaders(generation: Generation): ReadonlyMap<string, ReadonlySet<string>> {
  let readersByHeader = byGeneration.get(generation);
  if (readersByHeader === undefined) {
    const declared = generation
      .all(ClientAuthenticator)
      .flatMap(({ plugin, declaration: { headers = [] } }) => headers.map((name) => [name, plugin.name] as const));
    readersByHeader = NONE;
    if (declared.length > 0) {
      const plugins = new Map<string, Set<string>>();
      for (const [name, plugin] of declared) plugins.set(name, (plugins.get(name) ?? new Set()).add(plugin));
      readersByHeader = plugins;
    }
    byGeneration.set(generation, readersByHeader);
  }
  return readersByHeader;
}

/** True for a header that is a credential of other plugins' clients, so this plugin may not read it. */
export function isForeignCredential(generation: Generation, header: string, plugin: string): boolean {
  const readers = credentialHeaders(generation).get(header);
  return readers !== undefined && !readers.has(plugin);
}

/** The credential headers that clients of the realm may send in cross-origin requests. */
export function headersOfClients(generation: Generation, realm: Realm): readonly string[] {
  if (credentialHeaders(generation).size === 0) return [];
  const names = generation
    .all(ClientAuthenticator)
    .filter(({ id }) => enabledProvider(generation, realm, ClientAuthenticator, id) !== undefined)
    .flatMap(({ declaration: { headers = [] } }) => headers);
  return [...new Set(names)];
}
