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

/** Where a provider comes from. */
export interface PluginOrigin {
  readonly name: string;
  readonly version: string;
  readonly builtin: boolean;
  /** The package's folder; undefined for Keyhost's own. */
  readonly directory?: string;
  /** Its name in plugins.json, and where it runs; undefined for Keyhost's own. */
  readonly module?: string;
  readonly isolation?: Isolation;
  /** What it may do in each realm; undefined for Keyhost's own. */
  readonly rights?: PluginRights;
  /** Its metrics by name. */
  readonly metrics?: MetricDeclarations;
  /** The version of its state; undefined if it declares none. */
  readonly stateVersion?: number;
  /** Texts of what its providers declare. */
  readonly messages?: PluginMessages | undefined;
  /** Its files for browsers. */
  readonly resources?: PluginResources | undefined;
  /** What its providers are held to; undefined for Keyhost's own. */
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
  /** The provider whose configuration in a realm is also this one's: see `configPlace`. */
  readonly sharesConfig: SharedConfig | undefined;
  readonly methods: ProviderMethods;
  /** Whether it has work of its own beside requests. */
  readonly background: boolean;
  /** When it has scheduled work. */
  readonly schedule: Schedule | undefined;
  /** What is wrong with the time that a realm's configuration sets; undefined where it may set none. */
  readonly scheduleFault: ScheduleFault | undefined;
  /** How long `open` took, in milliseconds. */
  readonly openMs: number;
  readonly factory: ProviderFactory<P, unknown>;
  /** The configuration that a realm has for it at `configPlace`, with defaults filled in, frozen; or what is wrong with it. */
  checkRealmConfig(value: unknown): { value: unknown } | { problems: readonly ConfigProblem[] };
}

/** Judges the member of a realm's configuration that says when a provider works. @returns undefined: it is right */
export type ScheduleFault = (config: unknown) => { readonly setting: string; readonly message: string } | undefined;

/** What is wrong with a configuration. */
export interface ConfigProblem {
  /** Such as `rules[0].name`. */
  readonly path: string;
  /** The same as a JSON pointer (RFC 6901); of what is missing, where it would stand. */
  readonly pointer: string;
  readonly message: string;
  readonly suggestion?: string;
}
