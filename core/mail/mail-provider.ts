import type { Spi } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { messageOf } from '../model/thrown.js';
import type { Generation } from '../registry/generations/generation.js';
import { type EnabledProvider, enabledProvider } from '../registry/generations/realm-providers.js';
import { failed } from './mail-failure.js';

export interface RealmMailProvider<P> {
  /** The plugin's provider that the realm has enabled. */
  readonly plugin: EnabledProvider<unknown, P> | undefined;
  /** The built-in one; undefined if the realm disables it. */
  readonly builtIn: EnabledProvider<unknown, P> | undefined;
}

/**
 * The provider of an SPI of which a realm uses exactly one. It never falls back to a provider other than the realm's.
 * @throws HostError `email_send_failed` if the enabled plugin's provider cannot be used
 */
export function mailProviderOf<D, P>(spi: Spi<D, P>, generation: Generation, realm: Realm): RealmMailProvider<P> {
  for (const [id, { enabled }] of Object.entries(realm.representation.providers?.[spi.id] ?? {})) {
    if (enabled === true && generation.find(spi, id) === undefined) {
      throw failed(`no plugin has ${spi.id}/${id}, which realm ${realm.name} has enabled`);
    }
  }
  let own: EnabledProvider<unknown, P> | undefined;
  const theirs: EnabledProvider<unknown, P>[] = [];
  for (const { id, plugin } of generation.all(spi)) {
    const enabled = enabledOf(spi, generation, realm, id);
    if (enabled === undefined) continue;
    if (plugin.builtin) own = enabled;
    else theirs.push(enabled);
  }
  if (theirs.length > 1) {
    const names = theirs.map(({ registered }) => registered.id).join(', ');
    throw failed(`realm ${realm.name} has several of ${spi.id} enabled: ${names}`);
  }
  return { plugin: theirs[0], builtIn: own };
}

function enabledOf<D, P>(spi: Spi<D, P>, generation: Generation, realm: Realm, id: string) {
  try {
    return enabledProvider(generation, realm, spi, id);
  } catch (error) {
    throw failed(messageOf(error), 'server', `${spi.id}/${id} is not configured correctly`);
  }
}
