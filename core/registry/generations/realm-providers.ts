import { type Closeable, HostError, type Spi } from '@keyhost/spi';
import { configPlace } from '../../config/realm-file/config-place.js';
import type { Realm } from '../../model/realm.js';
import { checkWork, type Declared } from '../loading/declared-work.js';
import { PluginRights } from '../loading/plugin-rights.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import { checkedError } from '../sessions/answers.js';
import type { HostSession } from '../sessions/host-session.js';
import { PluginSession } from '../sessions/plugin-session.js';
import type { Providers } from './generation.js';

/** A provider that is enabled in one realm, with its checked and complete configuration. */
export interface EnabledProvider<D, P> {
  readonly registered: RegisteredProvider<D, P>;
  readonly config: unknown;
}

const ENABLED_PROVIDERS = Symbol('enabled providers');

/**
 * Returns the provider if it is enabled in the realm. A plugin's provider is enabled by the realm's `providers` entry,
 * a built-in unless that entry disables it. Cached per realm version.
 * @param providers the providers of the request's generation
 */
export function enabledProvider<D, P>(
  providers: Providers,
  realm: Realm,
  spi: Spi<D, P>,
  id: string,
): EnabledProvider<D, P> | undefined {
  const resolved = providers.derive(
    realm,
    ENABLED_PROVIDERS,
    () => new Map<string, EnabledProvider<unknown, unknown> | undefined>(),
  );
  const key = `${spi.id}/${id}`;
  if (resolved.has(key)) return resolved.get(key) as EnabledProvider<D, P> | undefined;
  const registered = providers.find(spi, id);
  // Do not cache unknown names: they come from requests.
  if (registered === undefined) return undefined;
  const enabled = resolve(registered, realm);
  resolved.set(key, enabled as EnabledProvider<unknown, unknown> | undefined);
  return enabled;
}

/** True if a realm enables a provider: in its `providers`, or by the realm key of the SPI. */
export function isEnabledInRealm(realm: Realm, { spi, id, plugin }: RegisteredProvider): boolean {
  if (spi.realm === undefined) return realm.provider(spi.id, id)?.enabled ?? plugin.builtin;
  const { eventsListeners, representation } = realm;
  const mentions = spi.realm.mentions({ ...representation, eventsListeners });
  return [...mentions].some((mention) => mention.enabled && mention.id === id);
}

function resolve<D, P>(registered: RegisteredProvider<D, P>, realm: Realm): EnabledProvider<D, P> | undefined {
  const { spi, id, plugin } = registered;
  const setting = realm.provider(spi.id, id);
  const enabled = spi.enabledBy === 'realm-key' ? true : (setting?.enabled ?? plugin.builtin);
  if (!enabled) return undefined;
  const place = configPlace(registered);
  const checked = registered.checkRealmConfig(realm.provider(place.spi, place.id)?.config ?? {});
  if ('problems' in checked) {
    const problems = checked.problems.map(({ path, message }) => `config${path === '' ? '' : `.${path}`}: ${message}`);
    throw new HostError(
      'provider_config_invalid',
      `${place.spi}/${place.id} is not configured correctly in realm ${realm.name}: ${problems.join('; ')}`,
    );
  }
  return { registered, config: checked.value };
}

/**
 * Creates a provider for this session. The limits of its plugin apply, and its `close` is called when the session ends.
 */
export function createProvider<D, P>(enabled: EnabledProvider<D, P>, session: HostSession): P {
  try {
    return created(enabled, session);
  } catch (error) {
    throw enabled.registered.plugin.builtin ? error : checkedError(enabled.registered, 'create', error);
  }
}

function created<D, P>({ registered, config }: EnabledProvider<D, P>, session: HostSession): P {
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
  if (plugin.isolation === 'none') checkWork(registered as Declared, provider);
  const { close } = (provider ?? {}) as Closeable;
  // A plugin's own operation may be called `close`.
  if (typeof close === 'function' && !methods.required?.includes('close')) {
    session.onClose(() => close.call(provider), plugin.name);
  }
  return plugin.builtin ? provider : session.calls.guarded(registered, provider, session);
}
