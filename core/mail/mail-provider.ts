import type { Spi } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { messageOf } from '../model/thrown.js';
import type { Generation } from '../registry/generations/generation.js';
import { type EnabledProvider, enabledProvider } from '../registry/generations/realm-providers.js';
import { mailError } from './mail-failure.js';

/** The providers of a realm for an SPI of which mails use exactly one. */
export interface RealmMailProvider<P> {
  /** The plugin's provider that the realm has enabled. */
  readonly plugin: EnabledProvider<unknown, P> | undefined;
  /** The built-in provider; undefined if the realm disables it. */
  readonly builtIn: EnabledProvider<unknown, P> | undefined;
}

/**
 * Finds the provider of an SPI of which a realm uses exactly one. It never falls back to a provider that the realm has
 * not enabled.
 * @throws HostError `email_send_failed` if the enabled plugin's provider cannot be used
 */
export function findMailProvider<D, P>(spi: Spi<D, P>, generation: Generation, realm: Realm): RealmMailProvider<P> {
  for (const [id, { enabled }] of Object.entries(realm.representation.providers?.[spi.id] ?? {})) {
    if (enabled === true && generation.find(spi, id) === undefined) {
      throw mailError(`no plugin has ${spi.id}/${id}, which realm ${realm.name} has enabled`);
    }
  }
  let builtIn: EnabledProvider<unknown, P> | undefined;
  const pluginProviders: EnabledProvider<unknown, P>[] = [];
  for (const { id, plugin } of generation.all(spi)) {
    const enabled = findEnabled(spi, generation, realm, id);
    if (enabled === undefined) continue;
    if (plugin.builtin) builtIn = enabled;
    else pluginProviders.push(enabled);
  }
  if (pluginProviders.length > 1) {
    const names = pluginProviders.map(({ registered }) => registered.id).join(', ');
    throw mailError(`realm ${realm.name} has several of ${spi.id} enabled: ${names}`);
  }
  return { plugin: pluginProviders[0], builtIn };
}

function findEnabled<D, P>(spi: Spi<D, P>, generation: Generation, realm: Realm, id: string) {
  try {
    return enabledProvider(generation, realm, spi, id);
  } catch (error) {
    throw mailError(messageOf(error), 'server', `${spi.id}/${id} is not configured correctly`);
  }
}
