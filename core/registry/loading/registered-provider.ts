import type {
  JsonSchema,
  MetricDeclarations,
  PluginMessages,
  ProviderFactory,
  ProviderMethods,
  Schedule,
  SharedConfig,
  Spi,
} from '@keyhost/spi';
import type { Isolation, PluginLimits } from '../../config/plugins-file.js';
import type { PluginResources } from './plugin-resources.js';
import type { PluginRights } from './plugin-rights.js';

/** The plugin to which a provider belongs. */
export interface PluginOrigin {
  readonly name: string;
  readonly version: string;
  readonly builtin: boolean;
  /** The folder of its package; undefined for Keyhost's own. */
  readonly directory?: string;
  /** Its name in plugins.json, and its isolation; undefined for Keyhost's own. */
  readonly module?: string;
  readonly isolation?: Isolation;
  /** Its rights in each realm; undefined for Keyhost's own. */
  readonly rights?: PluginRights;
  /** Its metrics by name. */
  readonly metrics?: MetricDeclarations;
  /** The version of its state; undefined if it declares none. */
  readonly stateVersion?: number;
  /** Translations of the texts that its providers declare. */
  readonly messages?: PluginMessages | undefined;
  /** The files that browsers may load. */
  readonly resources?: PluginResources | undefined;
  /** The limits for calls of its providers; undefined for Keyhost's own. */
  readonly limits?: PluginLimits;
}

/** A provider whose factory is open. */
export interface RegisteredProvider<D = unknown, P = unknown> {
  readonly spi: Spi<D, P>;
  readonly id: string;
  readonly plugin: PluginOrigin;
  readonly declaration: D;
  /** The checked host-wide configuration. */
  readonly config: unknown;
  readonly realmConfig: JsonSchema | undefined;
  /** The provider whose realm configuration this one uses too: see `configPlace`. */
  readonly sharesConfig: SharedConfig | undefined;
  readonly methods: ProviderMethods;
  /** True if it has background work. */
  readonly background: boolean;
  /** When its scheduled work runs. */
  readonly schedule: Schedule | undefined;
  /** Checks the schedule that a realm's configuration sets; undefined if it cannot set one. */
  readonly scheduleFault: ScheduleFault | undefined;
  /** The duration of `open`, in milliseconds. */
  readonly openMs: number;
  readonly factory: ProviderFactory<P, unknown>;
  /**
   * Validates its configuration in a realm, found at `configPlace`. Returns the configuration, frozen and with defaults
   * filled in, or the problems.
   */
  checkRealmConfig(value: unknown): { value: unknown } | { problems: readonly ConfigProblem[] };
}

/**
 * Checks the schedule in a realm's configuration, which overrides the declared one.
 * @returns undefined if it is valid
 */
export type ScheduleFault = (config: unknown) => { readonly setting: string; readonly message: string } | undefined;

/** A problem in a configuration. */
export interface ConfigProblem {
  /** The path, such as `rules[0].name`. */
  readonly path: string;
  /** The path as a JSON pointer (RFC 6901). For a missing member, it points to the expected position. */
  readonly pointer: string;
  readonly message: string;
  readonly suggestion?: string;
}
