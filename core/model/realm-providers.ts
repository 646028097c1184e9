import type { PluginMessages, Spi } from '@keyhost/spi';
import type { Realm } from './realm.js';

/** A provider that a realm has, the host's own or a plugin's. */
export interface RealmProvider<D, P> {
  readonly id: string;
  readonly declaration: D;
  /** True for the host's own: the room that has it may take its own way there. */
  readonly builtin: boolean;
  /** The name of its plugin, and the plugin's texts of what it declares. */
  readonly plugin: { readonly name: string; readonly messages?: PluginMessages | undefined };
  /** A text of its plugin's messages by key, in the languages that it has; undefined: its plugin has none of that key. */
  texts(key: string): Readonly<Record<string, string>> | undefined;
  /**
   * Calls it in a session of its own, which ends with the call. The call has the limits of every call of a provider: time,
   * number, and the shape of its answer.
   * @param limitMs where somebody waits who can do without the answer: milliseconds until `time_limit`, if that is sooner
   * @throws HostError such as `provider_timeout` (504), `provider_busy` (503), `provider_shape` (500); what the provider throws
   */
  call<T>(use: (provider: P) => Promise<T>, limitMs?: number): Promise<T>;
}

/**
 * Providers for rooms that the registry stands on: users, keys, the store. They name what they need; the registry implements
 * it. A call that no request made is one of the newest plugins.
 */
export interface RealmProviders {
  /**
   * @returns undefined: no plugin provides it, or it is off in the realm
   * @throws HostError `provider_config_invalid` if the realm configures it wrongly
   */
  find<D, P>(realm: Realm, kind: Spi<D, P>, id: string): RealmProvider<D, P> | undefined;
  /** Those that are on in the realm, in order of registration. */
  all<D, P>(realm: Realm, kind: Spi<D, P>): readonly RealmProvider<D, P>[];
}

/** Of a provider that the host knows: what checks of a realm read of it. */
export interface KnownDeclaration {
  readonly spi: string;
  readonly id: string;
  /** True for the host's own. */
  readonly builtin?: boolean;
  /** What it declared with `provide`. */
  readonly declaration?: unknown;
}
