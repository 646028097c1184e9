import type { PageOperation } from './admin-page/declaration.js';
import type { FromSchema, JsonSchema } from './json-schema.js';
import type { Answers, Crossing, OperationAccess, RealmSwitch } from './kind.js';
import type { ActionTokenProvider } from './kinds/action-token-handler.js';
import type { AdminPageProvider, PageOf } from './kinds/admin-page.js';
import type { ClientPolicyConditionProvider } from './kinds/client-policy-condition.js';
import type { ClientPolicyExecutorProvider } from './kinds/client-policy-executor.js';
import type { GrpcMethod, GrpcServiceOf, GrpcServiceProvider } from './kinds/grpc-service.js';
import type { RealmResource, ResourceOf, Route } from './kinds/realm-resource-provider.js';
import type { ValidatorProvider } from './kinds/validator.js';
import type { MetricDeclarations } from './metrics.js';
import type { PluginState } from './plugin-state.js';
import type { BackgroundWork, Closeable } from './provider-life.js';
import type { PluginNeeds } from './rights.js';
import type { Schedule, ScheduledWork } from './schedule.js';
import type { Logger, Session } from './session.js';

/** The version of what all kinds share (Plugin, provide, Session): a plugin says in `api` which one it was written for. */
export const SPI_API = 1;

declare const types: unique symbol;

/**
 * What passes through the providers of a kind, so that their settings decide who gets it or what counts: `mails`, which have links
 * that sign users in; `proof` of who a user or a client is; `credentials` such as passwords, keys and secrets.
 */
export type Carried = 'mails' | 'proof' | 'credentials';

/**
 * A named kind of extension (Keycloak's Spi). `D` is what a factory of this kind declares once, as data; `P` is the
 * provider that its `create` returns. Every method of a provider is asynchronous. Arguments and results must be
 * values that structured clone can copy.
 */
export interface Spi<D = unknown, P = unknown> {
  /** Keycloak's name, such as `realm-restapi-extension`: the key in plugins.json and in a realm's `providers`. */
  readonly id: string;
  /** The name of the TypeScript constant, for messages. */
  readonly name: string;
  /** `providers`: off in a realm until its `providers` entry says enabled. `realm-key`: another realm key switches it. */
  readonly enabledBy: 'providers' | 'realm-key';
  /** For `realm-key`: the key of the realm file that names its providers, and how. */
  readonly realm?: RealmSwitch;
  /** What Keycloak's admin API calls the kind, where that is not `id`. */
  readonly infoName?: string;
  /** JSON Schema properties that every provider of the kind has in its host-wide configuration, for the host. */
  readonly config: Readonly<Record<string, JsonSchema>>;
  /** The members of its declaration by name: others are refused. */
  readonly declares: readonly string[];
  /** The members of `describe`, where providers of the kind declare it: others are refused. */
  readonly describes?: readonly string[];
  /** The JSON Schema of its declaration, where the kind has one. */
  readonly declaration?: JsonSchema;
  /** The methods of a provider, or of a provider that declares this. */
  readonly methods: ProviderMethods | ((declaration: Readonly<Record<string, unknown>>) => ProviderMethods);
  /** What of each argument of a method is more than data, by its place. */
  readonly crosses: readonly (Crossing | undefined)[];
  readonly answers: Answers;
  /**
   * What passes through providers of the kind, or through one that declares this; `nothing` if none of it does. Unless it is
   * `nothing`, only an administrator with `realm-admin` (in `master`: `admin`) can enable or disable a provider of the kind, and change
   * its settings, except for settings whose schema has `guarded: false`. The Admin API answers 403 to others. Default: guarded, too,
   * because the host cannot know what the providers of a plugin's own SPI get.
   */
  readonly carries?: Carried | 'nothing' | ((declaration: Readonly<Record<string, unknown>>) => Carried | 'nothing');
  /** True: at most one provider beside the built-in ones is on in a realm. */
  readonly onePerRealm?: boolean;
  /** Ids that are the host's own, now or later; compared without case. */
  readonly reserved: readonly string[];
  /** The version of this kind's contract: raised when a provider that was written for the one before would not work. */
  readonly version: number;
  /** The oldest version that still works here, where that is not `version` itself. */
  readonly oldestVersion: number;
  /** Members of the declaration that will go, by name, and what to do instead. The log warns at load if a plugin has one. */
  readonly deprecated: Readonly<Record<string, string>>;
  /** Throws an Error with a readable message when the declared part has the wrong shape. Called at boot. */
  check?(declaration: Readonly<Record<string, unknown>>): void;
  /** JSON Schemas that a declaration holds, by their places in it. */
  schemas?(declaration: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Who is let in to each operation that a declaration offers to callers of the host. */
  access?(declaration: Readonly<Record<string, unknown>>): Readonly<Record<string, OperationAccess>>;
  readonly [types]?: { declaration: D; provider: P };
}

/** Which methods a provider has, and which it may leave out. */
export interface ProviderMethods {
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  /** What a call of one that is left out does instead; without an entry it answers `undefined`. */
  readonly instead?: Readonly<Record<string, (provider: never, ...args: never[]) => unknown>>;
  /** The member of the declaration that names them, where one does. */
  readonly namedBy?: string;
}

/** Arguments of `spi`. Missing members are empty; the default version is 1. */
export type SpiDefinition = Pick<Spi, 'id' | 'name' | 'methods'> &
  Partial<Omit<Spi, 'id' | 'name' | 'methods' | 'declares' | 'declaration' | 'enabledBy' | typeof types>> & {
    /** What a provider declares: the names of the members, or a JSON Schema of the whole, an object. */
    readonly declares?: readonly string[] | JsonSchema;
  };

/**
 * Declares an SPI: a kind of extension. A plugin lists those that it looks up in its `spis`, and says all of it as data:
 * `id`, `name`, `methods` as `{ required, optional }`, `declares` and `answers` as JSON Schemas, `version`, `oldestVersion`,
 * `deprecated`, `carries` as a text. The rest is for the host's own kinds.
 */
export function spi<P>(definition: SpiDefinition): Spi<Readonly<Record<never, never>>, P>;
export function spi<D, P>(definition: SpiDefinition): Spi<D, P>;
export function spi(definition: SpiDefinition): Spi {
  const { version = 1, oldestVersion = version, declares = [], ...rest } = definition;
  const declared = isNames(declares)
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

function isNames(declares: readonly string[] | JsonSchema): declares is readonly string[] {
  return Array.isArray(declares);
}

export type DeclarationOf<S> = S extends Spi<infer D, infer _P> ? D : never;
export type ProviderOf<S> = S extends Spi<infer _D, infer P> ? P : never;

/** What the host gives a factory when it opens it. */
export interface HostContext {
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** Keyhost's version. */
  readonly version: string;
}

/** An opened provider factory: complete from here on, shared by all sessions. */
export interface ProviderFactory<P, R> {
  /** Called once per session (one HTTP request or gRPC call). Cheap: it binds, it does not work. */
  create(session: Session, realmConfig: R): P;
  /** Called once, when no call uses it any more: the plugin was replaced, or the host stops. In reverse order of opening. */
  close?(): void | Promise<void>;
}

type Routes = Readonly<Record<string, Route>>;
type Methods = Readonly<Record<string, GrpcMethod>>;
type Operations = Readonly<Record<string, PageOperation>>;

/**
 * What `create` returns: the kind's provider; where methods are declared by name, a method for each of those; where claims
 * are, with tokens of that type; where settings are that come in their types, with a `config` of that type.
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

/** Kinds whose settings Keycloak keeps as texts have them as texts. */
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
  /** The version of the kind's contract that it was written for. */
  readonly version: number;
  readonly config: JsonSchema | undefined;
  readonly realmConfig: JsonSchema | undefined;
  /** The provider of the same plugin whose configuration in a realm is also this one's; `realmConfig` is undefined then. */
  readonly sharesConfig?: SharedConfig;
  readonly declaration: Readonly<Record<string, unknown>>;
  /** True if it does background work. */
  readonly background?: boolean;
  /** When it has scheduled work. */
  readonly schedule?: Schedule;
  open(
    config: unknown,
    host: HostContext,
  ): ProviderFactory<unknown, unknown> | Promise<ProviderFactory<unknown, unknown>>;
}

/** Configuration in a realm that is another provider's. */
export interface SharedConfig {
  /** `spi/id`. */
  readonly provider: string;
  /** Its schema, as this provider knows it. */
  readonly realmConfig: JsonSchema | undefined;
}

/**
 * Declares a provider.
 * @param kind the SPI constant, such as `RealmResourceProvider`
 * @param definition `id`; `version` of the kind's contract, 1 by default; `config`, the JSON Schema of the host-wide configuration in plugins.json; `realmConfig`, the
 *   JSON Schema of the configuration in a realm file (unknown keys are errors in both); `sharesConfig`, the provider of the same
 *   plugin (`authenticator/email-code`) that has this configuration in realm files, with the same `realmConfig`; `background`, true
 *   if the provider does background work; `schedule`, when it has scheduled work; the kind's own declaration; and `open`, which gets the checked host-wide configuration and returns the factory. `open` has 10 seconds.
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
  kind: Spi<D, P>,
  definition: X & {
    id: string;
    version?: number;
    config?: C;
    realmConfig?: R;
    sharesConfig?: string;
    background?: boolean;
    schedule?: Schedule;
    // Named a second time: the methods of `open` get the types of what stands here.
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
    spi: kind as Spi,
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
 * Texts by language, a BCP 47 tag, then by key. Where a provider declares a text for people, `${key}` or the key alone stands for
 * the text of the reader's language, else of English. What is no key is text.
 */
export type PluginMessages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The default export of a plugin package. */
export interface Plugin {
  /** The plugin's name in messages and in the boot tree. */
  readonly name: string;
  /** The SPI contract it was written for: `1`. */
  readonly api: number;
  /** SPIs of plugins whose providers it looks up, its own or another package's. Each is one contract for the whole host. */
  readonly spis?: readonly Spi[];
  /**
   * What it needs beyond what every session gives, and why. It is loaded where the operator grants all of it in plugins.json, in
   * every realm or in some; in the others a call is refused with `plugin_not_granted`.
   */
  readonly needs?: PluginNeeds;
  /** Its metrics by name. */
  readonly metrics?: MetricDeclarations;
  /** The version of what it keeps in `session.store`, and how entries of older versions are migrated. */
  readonly state?: PluginState;
  /** Texts of what its providers declare, such as `describe` and titles of settings. */
  readonly messages?: PluginMessages;
  readonly providers: readonly ProviderDefinition[];
}
