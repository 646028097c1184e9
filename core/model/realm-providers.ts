import type { PluginMessages, Spi } from '@keyhost/spi';
import type { Realm } from './realm.js';

/** A provider that a realm can use: built in, or of a plugin. */
export interface RealmProvider<D, P> {
  readonly id: string;
  readonly declaration: D;
  /** True for a built-in provider. The module that contains it may call it directly. */
  readonly builtin: boolean;
  /** The provider's plugin: its name, and the texts for its declarations. */
  readonly plugin: { readonly name: string; readonly messages?: PluginMessages | undefined };
  /** The texts of a key in its plugin's messages, by language; undefined if the plugin has no such key. */
  texts(key: string): Readonly<Record<string, string>> | undefined;
  /**
   * Calls the provider in its own session, which ends with the call. The call has the limits of every provider call:
   * duration, concurrency, and the shape of the result.
   * @param limitMs a shorter time limit in milliseconds, for a caller that can continue without the result. If it is
   * exceeded, the error is `time_limit`
   * @throws HostError such as `provider_timeout` (504), `provider_busy` (503), `provider_shape` (500); and the
   * provider's own errors
   */
  call<T>(use: (provider: P) => Promise<T>, limitMs?: number): Promise<T>;
}

/**
 * The providers of realms, for modules on which the registry of plugins depends, such as users, keys and the store. The
 * registry implements the interface. A call outside of a request uses the newest plugins.
 */
export interface RealmProviders {
  /**
   * Finds a provider.
   * @returns undefined if no plugin provides it, or it is disabled in the realm
   * @throws HostError `provider_config_invalid` if the realm's configuration of it is invalid
   */
  find<D, P>(realm: Realm, spi: Spi<D, P>, id: string): RealmProvider<D, P> | undefined;
  /** The providers that are enabled in the realm, in order of registration. */
  all<D, P>(realm: Realm, spi: Spi<D, P>): readonly RealmProvider<D, P>[];
}

/** The members of a provider that the checks of a realm use. */
export interface KnownDeclaration {
  readonly spi: string;
  readonly id: string;
  /** True for a built-in provider. */
  readonly builtin?: boolean;
  /** The provider's declaration in `provide`. */
  readonly declaration?: unknown;
}
