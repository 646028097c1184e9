import { type Closeable, HostError, type Spi } from '@keyhost/spi';
import { configPlace } from '../../config/realm-file/config-place.js';
import type { Realm } from '../../model/realm.js';
import { checkWork, type ProviderDeclaration } from '../loading/declared-work.js';
import { PluginRights } from '../loading/plugin-rights.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import { checkedError } from '../sessions/answers.js';
import type { HostSession } from '../sessions/host-session.js';
import { PluginSession } from '../sessions/plugin-session.js';
import type { Providers } from './generation.js';

/** A provider that is enabled in one realm, with its validated configuration, in which defaults are filled in. */
export interface EnabledProvider<D, P> {
  readonly registered: RegisteredProvider<D, P>;
  readonly config: unknown;
}

const ENABLED_PROVIDERS = Symbol('enabled providers');

/**
 * Returns the provider if it is enabled in the realm; undefined otherwise. A plugin's provider must be enabled in the
 * realm's `providers`; a built-in is enabled unless it is disabled there. The result is cached by realm version.
 * @param providers the providers of the request's generation
 * @throws HostError `provider_config_invalid`
 */
export function enabledProvider<D, P>(
  providers: Providers,
  realm: Realm,
  spi: Spi<D, P>,
  id: string,
): EnabledProvider<D, P> | undefined {
  const cache = providers.derive(
    realm,
    ENABLED_PROVIDERS,
    () => new Map<string, EnabledProvider<unknown, unknown> | undefined>(),
  );
  const key = `${spi.id}/${id}`;
  if (cache.has(key)) return cache.get(key) as EnabledProvider<D, P> | undefined;
  const registered = providers.find(spi, id);
  // Do not cache unknown names, because requests could contain any number of them.
  if (registered === undefined) return undefined;
  const enabled = resolve(registered, realm);
  cache.set(key, enabled as EnabledProvider<unknown, unknown> | undefined);
  return enabled;
}

/** True if a realm enables a provider, in its `providers` or by the realm setting that the SPI defines. */
export function isEnabledInRealm(realm: Realm, { spi, id, plugin }: RegisteredProvider): boolean {
  if (spi.realm === undefined) return realm.provider(spi.id, id)?.enabled ?? plugin.builtin;
  const { eventsListeners, representation } = realm;
  const mentions = spi.realm.mentions({ ...representation, eventsListeners });
  return [...mentions].some((mention) => mention.enabled && mention.id === id);
}

function resolve<D, P>(registeredProvider: RegisteredProvider<D, P>, realm: Realm): EnabledProvider<D, P> | undefined {
  const { spi, id, plugin } = registeredProvider;
  const setting = realm.provider(spi.id, id);
  const enabled = spi.enabledBy === 'realm-key' ? true : (setting?.enabled ?? plugin.builtin);
  if (!enabled) return undefined;
  const owner = configPlace(registeredProvider);
  const checkResult = registeredProvider.checkRealmConfig(realm.provider(owner.spi, owner.id)?.config ?? {});
  if ('problems' in checkResult) {
    const problems = checkResult.problems.map(
      ({ path, message }) => `config${path === '' ? '' : `.${path}`}: ${message}`,
    );
    throw new HostError(
      'provider_config_invalid',
      `${owner.spi}/${owner.id} is not configured correctly in realm ${realm.name}: ${problems.join('; ')}`,
    );
  }
  return { registered: registeredProvider, config: checkResult.value };
}

/**
 * Creates a provider for this session, and closes it when the session ends. A plugin's provider is subject to the
 * plugin's limits.
 */
export function createProvider<D, P>(enabled: EnabledProvider<D, P>, session: HostSession): P {
  try {
    return callFactory(enabled, session);
  } catch (error) {
    throw enabled.registered.plugin.builtin ? error : checkedError(enabled.registered, 'create', error);
  }
}

function callFactory<D, P>({ registered, config }: EnabledProvider<D, P>, session: HostSession): P {
  const { factory, plugin, methods } = registered;
  const provider = factory.create(
    plugin.builtin
      ? session
      : new PluginSession(session, plugin.name, plugin.rights ?? PluginRights.none, {
          metrics: plugin.metrics,
          stateVersion: plugin.stateVersion,
        }),
    config,
  );
  if (plugin.isolation === 'none') checkWork(registered as ProviderDeclaration, provider);
  const { close } = (provider ?? {}) as Closeable;
  // A plugin may declare an operation that is called `close`.
  if (typeof close === 'function' && !methods.required?.includes('close')) {
    session.onClose(() => close.call(provider), plugin.name);
  }
  return plugin.builtin ? provider : session.calls.guardProvider(registered, provider, session);
}
