import type { PageOperation } from './admin-page/declaration.js';
import type { FromSchema, JsonSchema } from './json-schema.js';
import type { MetricDeclarations } from './metrics.js';
import type { PluginState } from './plugin-state.js';
import type { BackgroundWork, Closeable } from './provider-life.js';
import type { PluginNeeds } from './rights.js';
import type { Schedule, ScheduledWork } from './schedule.js';
import type { Logger, Session } from './session.js';
import type { Answers, Crossing, OperationAccess, RealmSwitch } from './spi-options.js';
import type { ActionTokenProvider } from './spis/action-token-handler.js';
import type { AdminPageProvider, PageOf } from './spis/admin-page.js';
import type { ClientPolicyConditionProvider } from './spis/client-policy-condition.js';
import type { ClientPolicyExecutorProvider } from './spis/client-policy-executor.js';
import type { GrpcMethod, GrpcServiceOf, GrpcServiceProvider } from './spis/grpc-service.js';
import type { RealmResource, ResourceOf, Route } from './spis/realm-resource-provider.js';
import type { ValidatorProvider } from './spis/validator.js';

/**
 * The version of the parts that all SPIs share (Plugin, provide, Session): a plugin declares in `api` the version that
 * it was written for.
 */
export const SPI_API = 1;

declare const types: unique symbol;

/**
 * A kind of sensitive data that providers of an SPI handle. The kind `mails` contains links that sign users in. The
 * kind `proof` establishes who a user or a client is. The kind `credentials` contains passwords, keys and secrets.
 */
export type Carried = 'mails' | 'proof' | 'credentials';

/**
 * An extension point (Keycloak's Spi). `D` is the static declaration of a provider; `P` is the provider that `create`
 * returns. Every method of a provider is asynchronous. Arguments and results must be values that structured clone can
 * copy.
 */
export interface Spi<D = unknown, P = unknown> {
  /** Keycloak's name, such as `realm-restapi-extension`: the key in plugins.json and in a realm's `providers`. */
  readonly id: string;
  /** The name of the TypeScript constant, for messages. */
  readonly name: string;
  /**
   * `providers`: disabled in a realm until its `providers` entry enables it. `realm-key`: another key of the realm
   * enables it.
   */
  readonly enabledBy: 'providers' | 'realm-key';
  /** For `realm-key`: the key of the realm file that names its providers. */
  readonly realm?: RealmSwitch;
  /** The name of the SPI in Keycloak's Admin REST API, if it differs from `id`. */
  readonly infoName?: string;
  /** JSON Schema properties that the host adds to the host-wide configuration of every provider of this SPI. */
  readonly config: Readonly<Record<string, JsonSchema>>;
  /** The allowed members of the declaration. */
  readonly declares: readonly string[];
  /** The allowed members of `describe`, if providers of this SPI declare it. */
  readonly describes?: readonly string[];
  /** The JSON Schema of the declaration, if there is one. */
  readonly declaration?: JsonSchema;
  /** The methods of a provider, or of a provider with this declaration. */
  readonly methods: ProviderMethods | ((declaration: Readonly<Record<string, unknown>>) => ProviderMethods);
  /** For each argument of a method, by position, the parts that are more than data. */
  readonly crosses: readonly (Crossing | undefined)[];
  /** The allowed results of the methods. */
  readonly answers: Answers;
  /**
   * The sensitive data that providers of this SPI handle, or those with this declaration; `nothing` if there is none.
   * Unless it is `nothing`, a provider can be enabled, disabled or configured only by an administrator with
   * `realm-admin` (in `master`: `admin`). Settings whose schema has `guarded: false` are excepted. The Admin API
   * answers 403 to others. Default: guarded, because the host cannot know the data of a plugin's own SPI.
   */
  readonly carries?: Carried | 'nothing' | ((declaration: Readonly<Record<string, unknown>>) => Carried | 'nothing');
  /** True: a realm can enable at most one provider of the SPI in addition to the built-in ones. */
  readonly onePerRealm?: boolean;
  /** IDs that are reserved for the host, compared without regard to case. */
  readonly reserved: readonly string[];
  /** The version of this SPI's contract, which a breaking change raises. */
  readonly version: number;
  /** The oldest version that is still supported, if it is not `version`. */
  readonly oldestVersion: number;
  /**
   * Members of the declaration that will be removed, by name, with advice on the replacement. If a plugin uses one, the
   * host logs a warning when it loads the plugin.
   */
  readonly deprecated: Readonly<Record<string, string>>;
  /** Throws an Error with a readable message if the declaration has the wrong shape. Called when a plugin is loaded. */
  check?(declaration: Readonly<Record<string, unknown>>): void;
  /** Returns the JSON Schemas in a declaration, by their paths. */
  schemas?(declaration: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Returns the callers that each operation of a declaration admits. */
  access?(declaration: Readonly<Record<string, unknown>>): Readonly<Record<string, OperationAccess>>;
  readonly [types]?: { declaration: D; provider: P };
}

/** The methods of a provider. */
export interface ProviderMethods {
  /** Methods that every provider must have. */
  readonly required?: readonly string[];
  /** Methods that a provider may leave out. */
  readonly optional?: readonly string[];
  /**
   * Replacements for methods that a provider leaves out. A call of a method without a replacement returns `undefined`.
   */
  readonly instead?: Readonly<Record<string, (provider: never, ...args: never[]) => unknown>>;
  /** The member of the declaration that names the methods, if there is one. */
  readonly namedBy?: string;
}

/** The arguments of `spi`. Absent members are empty; the default version is 1. */
export type SpiDefinition = Pick<Spi, 'id' | 'name' | 'methods'> &
  Partial<Omit<Spi, 'id' | 'name' | 'methods' | 'declares' | 'declaration' | 'enabledBy' | typeof types>> & {
    /** The members of a declaration, or a JSON Schema of the whole declaration, an object. */
    readonly declares?: readonly string[] | JsonSchema;
  };

/**
 * Declares an SPI. A plugin lists the SPIs that it looks up in its `spis`. It may set only members that are data: `id`,
 * `name`, `methods` as `{ required, optional }`, `declares` and `answers` as JSON Schemas, `version`, `oldestVersion`,
 * `deprecated`, `carries` as a text. The other members are for the host's own SPIs.
 */
export function spi<P>(definition: SpiDefinition): Spi<Readonly<Record<never, never>>, P>;
export function spi<D, P>(definition: SpiDefinition): Spi<D, P>;
export function spi(definition: SpiDefinition): Spi {
  const { version = 1, oldestVersion = version, declares = [], ...rest } = definition;
  const declared = isNameList(declares)
    ? { declares }
    : { declares: Object.keys(declares.properties ?? {}), declaration: declares };
  return Object.freeze({
    config: {},
    crosses: [],
    answers: {},
    reserved: [],
    deprecated: {},
    ...rest,
    ...declared,
    enabledBy: rest.realm === undefined ? 'providers' : 'realm-key',
    version,
    oldestVersion,
  });
}

function isNameList(declares: readonly string[] | JsonSchema): declares is readonly string[] {
  return Array.isArray(declares);
}

/** The declaration type of an SPI constant. */
export type DeclarationOf<S> = S extends Spi<infer D, infer _P> ? D : never;
/** The provider type of an SPI constant. */
export type ProviderOf<S> = S extends Spi<infer _D, infer P> ? P : never;

/** The host's services for a factory when it is opened. */
export interface HostContext {
  /** A logger whose lines name the plugin. */
  readonly logger: Logger;
  /** The host's clock, in milliseconds since the epoch. */
  readonly clock: { now(): number };
  /** Keyhost's version. */
  readonly version: string;
}

/** An opened provider factory, shared by all sessions. */
export interface ProviderFactory<P, R> {
  /** Called once per session (one HTTP request or gRPC call). It must be cheap: bind the session, do no work. */
  create(session: Session, realmConfig: R): P;
  /**
   * Called once, when the plugin was replaced or the host stops, and no call uses the factory any more. Factories are
   * closed in reverse order of opening.
   */
  close?(): void | Promise<void>;
}

type Routes = Readonly<Record<string, Route>>;
type Methods = Readonly<Record<string, GrpcMethod>>;
type Operations = Readonly<Record<string, PageOperation>>;

/**
 * The type that `create` must return: the SPI's provider, narrowed by the definition. It has one method for each of
 * `routes`, `methods` or `operations`. The types of tokens follow from `claims`, and the type of `config` from
 * `settings`.
 */
type ProviderFor<P, Q, M, L, O, S> = [P] extends [RealmResource]
  ? Q extends Routes
    ? ResourceOf<Q>
    : P
  : [P] extends [AdminPageProvider]
    ? O extends Operations
      ? PageOf<O>
      : P
    : [P] extends [GrpcServiceProvider]
      ? M extends Methods
        ? GrpcServiceOf<M>
        : P
      : L extends JsonSchema
        ? [P] extends [ActionTokenProvider]
          ? ActionTokenProvider<FromSchema<L>>
          : P
        : S extends JsonSchema
          ? JsonSchema extends S
            ? P
            : ConfiguredBy<P, FromSchema<S>>
          : P;

/** The provider types of SPIs whose settings are typed values. All other SPIs get strings, as Keycloak stores them. */
type ConfiguredBy<P, C> = [P] extends [ValidatorProvider]
  ? ValidatorProvider<C>
  : [P] extends [ClientPolicyConditionProvider]
    ? ClientPolicyConditionProvider<C>
    : [P] extends [ClientPolicyExecutorProvider]
      ? ClientPolicyExecutorProvider<C>
      : P;

type ConfigOf<S> = S extends JsonSchema ? FromSchema<S> : Readonly<Record<never, never>>;

/** One provider of a plugin: its SPI, its ID, its configuration, and how to open it. */
export interface ProviderDefinition {
  readonly spi: Spi;
  readonly id: string;
  /** The version of the SPI's contract that the provider was written for. */
  readonly version: number;
  /** The schema of the provider's host-wide configuration in plugins.json. */
  readonly config: JsonSchema | undefined;
  /** The schema of the provider's configuration in a realm. */
  readonly realmConfig: JsonSchema | undefined;
  /**
   * The provider of the same plugin whose configuration in a realm this one also uses; `realmConfig` is undefined then.
   */
  readonly sharesConfig?: SharedConfig;
  /** The members of the definition that the SPI declares. */
  readonly declaration: Readonly<Record<string, unknown>>;
  /** True if the provider does background work. */
  readonly background?: boolean;
  /** The times of the provider's scheduled work, if it has any. */
  readonly schedule?: Schedule;
  /** Opens the factory with the checked host-wide configuration. */
  open(
    config: unknown,
    host: HostContext,
  ): ProviderFactory<unknown, unknown> | Promise<ProviderFactory<unknown, unknown>>;
}

/** The configuration of another provider that a provider uses, too. */
export interface SharedConfig {
  /** The other provider as `spi/id`. */
  readonly provider: string;
  /** The schema of the configuration, as this provider declares it. */
  readonly realmConfig: JsonSchema | undefined;
}

/**
 * Declares a provider.
 * @param spi the SPI constant, such as `RealmResourceProvider`
 * @param definition the definition, with these members and those of the SPI's own declaration:
 * - `id`, the provider's ID
 * - `version` of the SPI's contract. Default: 1
 * - `config`, the JSON Schema of the host-wide configuration in plugins.json
 * - `realmConfig`, the JSON Schema of the configuration in a realm file; unknown keys are errors in both
 * - `sharesConfig`, the provider of the same plugin (`authenticator/email-code`) whose configuration in realm files
 *   this one uses, with the same `realmConfig`
 * - `background`, true if the provider does background work
 * - `schedule`, the times of its scheduled work
 * - `open`, which gets the checked host-wide configuration and returns the factory within 10 seconds
 */
export function provide<
  D,
  P,
  const C extends JsonSchema | undefined = undefined,
  const R extends JsonSchema | undefined = undefined,
  const X extends D = D,
  const Q extends Routes | undefined = undefined,
  const M extends Methods | undefined = undefined,
  const L extends JsonSchema | undefined = undefined,
  const O extends Operations | undefined = undefined,
  const S extends JsonSchema | undefined = undefined,
>(
  spi: Spi<D, P>,
  definition: X & {
    id: string;
    version?: number;
    config?: C;
    realmConfig?: R;
    sharesConfig?: string;
    background?: boolean;
    schedule?: Schedule;
    // Members of declarations from which the types of the provider's methods are inferred.
    routes?: Q;
    methods?: M;
    claims?: L;
    operations?: O;
    settings?: S;
    open(
      config: ConfigOf<C>,
      host: HostContext,
    ):
      | ProviderFactory<ProviderFor<P, Q, M, L, O, S> & Closeable & BackgroundWork & ScheduledWork, ConfigOf<R>>
      | Promise<
          ProviderFactory<ProviderFor<P, Q, M, L, O, S> & Closeable & BackgroundWork & ScheduledWork, ConfigOf<R>>
        >;
  },
): ProviderDefinition {
  const {
    id,
    version = 1,
    config,
    realmConfig,
    sharesConfig,
    background,
    schedule,
    open,
    ...declaration
  } = definition as typeof definition & Record<string, unknown>;
  return {
    spi: spi as Spi,
    id,
    version,
    config,
    realmConfig: sharesConfig === undefined ? realmConfig : undefined,
    ...(sharesConfig === undefined ? {} : { sharesConfig: { provider: sharesConfig, realmConfig } }),
    declaration,
    ...(background === undefined ? {} : { background }),
    ...(schedule === undefined ? {} : { schedule }),
    open: open as ProviderDefinition['open'],
  };
}

/**
 * Texts by language (a BCP 47 tag) and key. In a declared text, `${key}`, or a text that is a key, is replaced by the
 * text in the reader's language, or else in English. Other texts are used literally.
 */
export type PluginMessages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The default export of a plugin package. */
export interface Plugin {
  /** The plugin's name in messages and in the boot tree. */
  readonly name: string;
  /** The version of the SPI contract (`SPI_API`) that the plugin was written for: `1`. */
  readonly api: number;
  /**
   * The SPIs of this or other plugins whose providers the plugin looks up. All plugins must declare an SPI in the same
   * way.
   */
  readonly spis?: readonly Spi[];
  /**
   * The rights that the plugin needs beyond those of every session, with reasons. It is loaded only if the operator
   * grants all of them in plugins.json, in all realms or in some. In other realms, calls that need a right fail with
   * `plugin_not_granted`.
   */
  readonly needs?: PluginNeeds;
  /** The plugin's metrics by name. */
  readonly metrics?: MetricDeclarations;
  /** The version of the plugin's data in `session.store`, and the migration of older entries. */
  readonly state?: PluginState;
  /** Texts for the declarations of the plugin's providers, such as `describe` and titles of settings. */
  readonly messages?: PluginMessages;
  /** The providers of the plugin. */
  readonly providers: readonly ProviderDefinition[];
}
