import type { AdministeredRealm } from './administration.js';
import type { Json, JsonObject } from './json-schema.js';
import type { HttpMethod } from './kinds/realm-resource-provider.js';
import type { LoginLinks } from './login-links.js';
import type { PluginMails } from './mail.js';
import type { PluginMetrics } from './metrics.js';
import type { OwnCredentials } from './own-credentials.js';
import type { Spi } from './plugin.js';
import type { ClientView, Principal, RealmView, UserView } from './views.js';

/**
 * Writes to the host's log. Each line names the plugin, and a session's also the realm. Values are masked: tokens, codes,
 * passwords and `key=` never reach it.
 */
export interface Logger {
  debug(message: string, fields?: JsonObject): void;
  info(message: string, fields?: JsonObject): void;
  warn(message: string, fields?: JsonObject): void;
  error(message: string, fields?: JsonObject): void;
}

/**
 * The plugin's own namespace in the store, one per realm: its providers share it, other plugins and realms cannot see it. A key is
 * well-formed Unicode text without NUL: a write to another one throws HostError `invalid_argument` (500), and nothing is found at it.
 */
export interface PluginStore {
  /** The value, or undefined when it is absent or expired. */
  get(key: string): Promise<Json | undefined>;
  /** Resolved means durable. `expiresIn` is in seconds; without it the entry stays. */
  put(key: string, value: Json, options?: { expiresIn?: number }): Promise<void>;
  /** True for exactly one caller per key until it expires: a single-use mark. `expiresIn` is in seconds. */
  claim(key: string, options: { expiresIn: number }): Promise<boolean>;
  /**
   * Writes only if the stored value equals the expected one, compared as JSON; `undefined` is an absent or expired entry. If
   * several callers read a value and write the next one, one gets true, and the others read again.
   * `expiresIn` is in seconds; without it the entry stays.
   */
  replace(key: string, expected: Json | undefined, value: Json, options?: { expiresIn?: number }): Promise<boolean>;
  /**
   * Entries whose keys begin with `prefix`, ordered by key.
   * @param options.first how many are left out at the beginning. Default: 0
   * @param options.after a key that begins so: those behind it are given. So a long list is read page by page, each as fast as the first
   *   and none passed over when others are deleted meanwhile
   * @param options.max how many are given, from 1 to 1000. Default: 100
   * @throws HostError `invalid_argument` (500) for another `first`, `after` or `max`
   */
  list(prefix: string, options?: { first?: number; after?: string; max?: number }): Promise<readonly StoredEntry[]>;
  delete(key: string): Promise<void>;
}

/** An entry of a plugin's store. */
export interface StoredEntry {
  readonly key: string;
  readonly value: Json;
}

/** An action token that the host has signed. */
export interface IssuedActionToken {
  /** The serialized JWT. */
  readonly token: string;
  /** The address of the action-token endpoint with the token in `key`. */
  readonly link: string;
  /** Lifetime in seconds. */
  readonly expiresIn: number;
  /** `jti` of the token. */
  readonly id: string;
}

/** A provider of an SPI that a plugin declares, for one session. */
export interface FoundProvider<D, P> {
  readonly id: string;
  /** What it declared. */
  readonly declaration: D;
  /**
   * Its methods, those that it may leave out too: one that it leaves out answers `undefined`. Arguments and answers are plain
   * values and arrive as copies. A call is held to the limits of the provider's plugin.
   * @throws what the provider throws; HostError `provider_busy` (503), `provider_timeout` (504), `plugin_unavailable` (503),
   *   `provider_shape` (500) for an answer that the SPI does not allow, `not_cloneable` (500)
   */
  readonly provider: P;
}

/** The answer of the token endpoint, as it would have gone over HTTP. */
export interface TokenEndpointResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** What a plugin asks another host. */
export interface OutboundRequest {
  /** `https:`; `http:` only to a private address that the operator allows. */
  readonly url: string;
  /** Default: GET, or POST with a body. */
  readonly method?: HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Seconds for all of it, to the last byte of the answer that is read: above 0, at most 30. Default: 10 */
  readonly timeout?: number;
  /** Bytes of the answer's body that are read, at most 1 MiB; the rest is left unread. Default: 64 KiB */
  readonly maxBytes?: number;
}

/** The answer of another host, with any status. Redirects are not followed. */
export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** True where the body was longer than `maxBytes`. */
  readonly truncated: boolean;
}

/** One HTTP request or gRPC call, seen by the provider that serves it. It ends with the request. */
export interface Session extends Omit<AdministeredRealm, 'users' | 'clients'> {
  readonly realm: RealmView;
  readonly logger: Logger;
  readonly clock: {
    /** Milliseconds since the epoch. */
    now(): number;
  };
  /**
   * Aborted when the session ends, the host's time limit for the call is over, or the client of a gRPC call goes away. A request over
   * HTTP goes on to its end although its client has gone: what it changes is not left half done.
   */
  readonly signal: AbortSignal;
  /** The caller's address: the address that a trusted proxy names, else the address of the connection. */
  readonly remoteAddress: string;
  readonly users: {
    byId(id: string): Promise<UserView | undefined>;
    byUsername(username: string): Promise<UserView | undefined>;
    /** True when the user holds a role of `realm-management`, or of a realm's administration in `master`. */
    isAdmin(id: string): Promise<boolean>;
  } & AdministeredRealm['users'];
  readonly clients: {
    byClientId(clientId: string): Promise<ClientView | undefined>;
  } & AdministeredRealm['clients'];
  readonly events: {
    /**
     * Sends an event of this realm to its listeners. `type` is Keycloak's word; give `error` for an `_ERROR` type.
     * Without `error` it resolves when the event is stored, where the realm saves it: emit it before you answer.
     */
    emit(event: {
      type: string;
      error?: string;
      userId?: string;
      clientId?: string;
      details?: Readonly<Record<string, string>>;
    }): Promise<void>;
  };
  readonly store: PluginStore;
  readonly mail: PluginMails;
  readonly metrics: PluginMetrics;
  readonly outbound: {
    /**
     * Asks another host over HTTP, as the operator allows it for addresses that a realm names: public ones, and those of
     * `--outbound-private-networks`. It ends when the session does.
     * @throws HostError `outbound_refused` (502) for an address that is not allowed, `outbound_timeout` (504),
     *   `outbound_failed` (502) when no answer came; `invalid_argument` (500)
     */
    request(request: OutboundRequest): Promise<OutboundAnswer>;
  };
  readonly background: {
    /**
     * Lets the background work of one of the plugin's own providers run in this realm as soon as may be, on this node: now,
     * or once more after the run that is under way.
     * @param part which part of the work; at most 128 characters. Runs of different parts do not wait for each other
     * @throws HostError `background_unknown` (500) where the plugin has no such work, `invalid_argument` (500)
     */
    wake(kind: Pick<Spi, 'id'>, id: string, part?: string): Promise<void>;
  };
  readonly actionTokens: {
    /**
     * Signs an action token for a user. Its lifetime is the realm's `actionTokenGeneratedByUserLifespan`
     * (with Keycloak's per-type attribute), unless `expiresIn` (seconds) is given. `login` is the `login` of a step's or action's
     * context: the link continues that login if the same browser opens it. Default: the link belongs to no login.
     * Issuing needs no right; required actions and a login that follow from the link do: see `LinkedActions`.
     * @throws HostError `action_token_type_unknown` (404) when no handler of that type is enabled in the realm,
     *   `invalid_claims` (400) when the handler's claim schema refuses the claims, `invalid_argument` (500) for another `login`.
     */
    issue(request: {
      type: string;
      userId: string;
      claims?: JsonObject;
      clientId?: string;
      expiresIn?: number;
      login?: string;
    }): Promise<IssuedActionToken>;
  };
  readonly loginLinks: LoginLinks;
  readonly ownCredentials: OwnCredentials;
  /**
   * The providers of an SPI that the plugin lists in its `spis`, as the realm enables them: in the order of plugins.json.
   * @throws HostError `spi_not_declared` (500) for another one
   */
  providers<D, P>(kind: Spi<D, P>): Promise<readonly FoundProvider<D, P>[]>;
  /**
   * Checks the credentials of the current request: a bearer access token of this realm, or a confidential client's
   * `Authorization: Basic`. A token that is for certain audiences only needs the id of one of the plugin's resources or gRPC services
   * in its `aud` or its `scope`, or the plugin the right `any-token`.
   * @throws HostError 401 when there are none or they are wrong; OAuthError 403 `insufficient_scope` for a token that is for others
   */
  authenticate(): Promise<Principal>;
  /** Calls the realm's token endpoint in process: the same checks, events and answer as over HTTP. */
  tokenRequest(form: Readonly<Record<string, string>>): Promise<TokenEndpointResponse>;
}
