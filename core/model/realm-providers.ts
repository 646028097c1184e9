import type { PluginMessages, Spi } from '@keyhost/spi';
import type { Realm } from './realm.js';

/** A provider that a realm has, the host's own or a plugin's. */
export interface RealmProvider<D, P> {
  readonly id: string;
  readonly declaration: D;
  /** True for the host's own: the module that has it may take its own way there. */
  readonly builtin: boolean;
  /** The name of its plugin, and the plugin's texts of what it declares. */
  readonly plugin: { readonly name: string; readonly messages?: PluginMessages | undefined };
  /** The texts of a key in its plugin's messages, by language; undefined if the plugin has no such key. */
  texts(key: string): Readonly<Record<string, string>> | undefined;
  /**
   * Calls the provider in a session of its own, which ends with the call. The call has the limits of every provider
   * call: duration, concurrency, and the shape of its answer.
   * @param limitMs shorter limit in milliseconds, for a caller that can continue without the answer; then the error is
   * `time_limit`
   * @throws HostError such as `provider_timeout` (504), `provider_busy` (503), `provider_shape` (500); the provider's
   * own errors
   */
  call<T>(use: (provider: P) => Promise<T>, limitMs?: number): Promise<T>;
}

/**
 * Providers for modules below the registry: users, keys, the store. These modules declare what they need, and the
 * registry implements it. A call without a request uses the newest plugins.
 */
export interface RealmProviders {
  /**
   * @returns undefined: no plugin provides it, or it is off in the realm
   * @throws HostError `provider_config_invalid` if the realm configures it wrongly
   */
  find<D, P>(realm: Realm, spi: Spi<D, P>, id: string): RealmProvider<D, P> | undefined;
  /** Those that are on in the realm, in order of registration. */
  all<D, P>(realm: Realm, spi: Spi<D, P>): readonly RealmProvider<D, P>[];
}

/** The part of a known provider that checks of a realm read. */
export interface KnownDeclaration {
  readonly spi: string;
  readonly id: string;
  /** True for the host's own. */
  readonly builtin?: boolean;
  /** The provider's declaration in `provide`. */
  readonly declaration?: unknown;
}
