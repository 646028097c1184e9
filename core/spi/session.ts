import type { AdministeredRealm } from './administration.js';
import type { Json, JsonObject } from './json-schema.js';
import type { LoginLinks } from './login-links.js';
import type { PluginMails } from './mail.js';
import type { PluginMetrics } from './metrics.js';
import type { OwnCredentials } from './own-credentials.js';
import type { Spi } from './plugin.js';
import type { HttpMethod } from './spis/realm-resource-provider.js';
import type { ClientView, Principal, RealmView, UserView } from './views.js';

/**
 * Writes to the host's log. Each line contains the plugin's name, and in a session also the realm. Tokens, codes,
 * passwords and parameters with the name `key` are masked.
 */
export interface Logger {
  /** Logs at the level `debug`. */
  debug(message: string, fields?: JsonObject): void;
  /** Logs at the level `info`. */
  info(message: string, fields?: JsonObject): void;
  /** Logs at the level `warn`. */
  warn(message: string, fields?: JsonObject): void;
  /** Logs at the level `error`. */
  error(message: string, fields?: JsonObject): void;
}

/**
 * The plugin's own namespace in the store, one per realm. Its providers share it; other plugins and realms cannot
 * access it. A key is well-formed Unicode text without NUL. For any other key a write throws HostError
 * `invalid_argument` (500), and a read finds nothing.
 */
export interface PluginStore {
  /** Returns the value; undefined if it is absent or expired. */
  get(key: string): Promise<Json | undefined>;
  /** Stores a value durably. `expiresIn` is in seconds. Default: the entry does not expire. */
  put(key: string, value: Json, options?: { expiresIn?: number }): Promise<void>;
  /** Claims a single-use key: returns true to a single caller until the claim expires. `expiresIn` is in seconds. */
  claim(key: string, options: { expiresIn: number }): Promise<boolean>;
  /**
   * Writes a value only if the stored value equals the expected one, compared as JSON; `undefined` means an absent or
   * expired entry. If several callers read a value and replace it at the same time, one gets true, and the others must
   * read again. `expiresIn` is in seconds. Default: the entry does not expire.
   */
  replace(key: string, expected: Json | undefined, value: Json, options?: { expiresIn?: number }): Promise<boolean>;
  /**
   * Returns the entries whose keys begin with `prefix`, ordered by key.
   * @param options.first the number of entries to skip. Default: 0
   * @param options.after the key after which to continue, which begins with `prefix`. Use it to page through long
   * lists: each page takes constant time, and concurrent deletes skip nothing
   * @param options.max the maximum number of entries, from 1 to 1000. Default: 100
   * @throws HostError `invalid_argument` (500) for another `first`, `after` or `max`
   */
  list(prefix: string, options?: { first?: number; after?: string; max?: number }): Promise<readonly StoredEntry[]>;
  /** Deletes an entry, if it exists. */
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
  /** The URL of the action-token endpoint with the token in `key`. */
  readonly link: string;
  /** Lifetime in seconds. */
  readonly expiresIn: number;
  /** The token's `jti`. */
  readonly id: string;
}

/** A provider of an SPI that a plugin declares, for one session. */
export interface FoundProvider<D, P> {
  readonly id: string;
  /** The provider's declaration. */
  readonly declaration: D;
  /**
   * The provider's methods, including optional ones: a method that it does not implement returns `undefined`. Arguments
   * and results are plain values and are copied. The limits of the provider's plugin apply to a call.
   * @throws any error of the provider
   * @throws HostError `provider_busy` (503), `provider_timeout` (504), `plugin_unavailable` (503)
   * @throws HostError `provider_shape` (500) for a result that the SPI does not allow, `not_cloneable` (500)
   */
  readonly provider: P;
}

/** The response of the token endpoint, as over HTTP. */
export interface TokenEndpointResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** An HTTP request of a plugin to another host. */
export interface OutboundRequest {
  /** `https:`; `http:` only to a private address that the operator allows. */
  readonly url: string;
  /** Default: GET, or POST with a body. */
  readonly method?: HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Seconds for the whole request, including the body of the response: above 0, at most 30. Default: 10 */
  readonly timeout?: number;
  /** Maximum number of bytes of the response body to read, at most 1 MiB. Default: 64 KiB */
  readonly maxBytes?: number;
}

/** The response of another host, with any status. Redirects are not followed. */
export interface OutboundAnswer {
  readonly status: number;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** True if the body was longer than `maxBytes`. */
  readonly truncated: boolean;
}

/** The context of one HTTP request or gRPC call, for the provider that serves it. It ends with the request. */
export interface Session extends Omit<AdministeredRealm, 'users' | 'clients'> {
  /** The realm of the request. */
  readonly realm: RealmView;
  /** A logger whose lines name the plugin and the realm. */
  readonly logger: Logger;
  /** The host's clock. */
  readonly clock: {
    /** Milliseconds since the epoch. */
    now(): number;
  };
  /**
   * Aborted when the session ends, the call exceeds the host's time limit, or a gRPC client disconnects. An HTTP
   * request continues after the client has disconnected, so that no change is left half done.
   */
  readonly signal: AbortSignal;
  /** The caller's IP address: from a trusted proxy's header, else from the connection. */
  readonly remoteAddress: string;
  /** The users of the realm. The methods here need no right; those of `UserAdministration` do. */
  readonly users: {
    byId(id: string): Promise<UserView | undefined>;
    byUsername(username: string): Promise<UserView | undefined>;
    /** Returns true if the user has a role of `realm-management`, or an administration role for a realm in `master`. */
    isAdmin(id: string): Promise<boolean>;
  } & AdministeredRealm['users'];
  /** The clients of the realm. `byClientId` needs no right; the methods of `ClientAdministration` do. */
  readonly clients: {
    byClientId(clientId: string): Promise<ClientView | undefined>;
  } & AdministeredRealm['clients'];
  /** The events of the realm. */
  readonly events: {
    /**
     * Sends an event of this realm to its listeners. `type` is Keycloak's event type; set `error` for an `_ERROR` type.
     * Without `error` the promise resolves when the event is stored, if the realm stores it: emit it before you return
     * the response.
     */
    emit(event: {
      type: string;
      error?: string;
      userId?: string;
      clientId?: string;
      details?: Readonly<Record<string, string>>;
    }): Promise<void>;
  };
  /** The plugin's entries in the store for this realm. */
  readonly store: PluginStore;
  /** Sends mails. Needs a right. */
  readonly mail: PluginMails;
  /** The metrics that the plugin declares. */
  readonly metrics: PluginMetrics;
  /** Sends HTTP requests to other hosts. */
  readonly outbound: {
    /**
     * Sends an HTTP request to another host. As for URLs in realms, the operator allows public addresses and those of
     * `--outbound-private-networks`. The request is aborted when the session ends.
     * @throws HostError `outbound_refused` (502) for an address that is not allowed, `outbound_timeout` (504)
     * @throws HostError `outbound_failed` (502) if there was no response, `invalid_argument` (500)
     */
    request(request: OutboundRequest): Promise<OutboundAnswer>;
  };
  /** The background work of the plugin's providers. */
  readonly background: {
    /**
     * Runs the background work of one of the plugin's own providers in this realm and on this node, as soon as
     * possible. If a run is active, the next one starts after it.
     * @param part a name for a part of the work, at most 128 characters. Runs of different parts do not wait for each
     * other
     * @throws HostError `background_unknown` (500) if the plugin has no such work, `invalid_argument` (500)
     */
    wake(spi: Pick<Spi, 'id'>, id: string, part?: string): Promise<void>;
  };
  /** Issues action tokens. */
  readonly actionTokens: {
    /**
     * Signs an action token for a user. Its lifetime is `expiresIn` (seconds); default: Keycloak's attribute for the
     * type, or else the realm's `actionTokenGeneratedByUserLifespan`. Set `login` to the `login` of a step's or
     * action's context: the link then continues that login if the same browser opens it. Default: the link belongs to
     * no login. Issuing needs no right, but required actions and a login that follow from the link do: see
     * `LinkedActions`.
     * @throws HostError `action_token_type_unknown` (404) if no handler of that type is enabled in the realm
     * @throws HostError `invalid_claims` (400) if the handler's schema rejects the claims, `invalid_argument` (500) for
     * another `login`
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
  /** Issues links that sign users in. Needs a right. */
  readonly loginLinks: LoginLinks;
  /** Credentials of the plugin's own types, in a login. */
  readonly ownCredentials: OwnCredentials;
  /**
   * Returns the providers of an SPI from the plugin's `spis` that the realm enables, in the order of plugins.json.
   * @throws HostError `spi_not_declared` (500) for an SPI that is not in `spis`
   */
  providers<D, P>(spi: Spi<D, P>): Promise<readonly FoundProvider<D, P>[]>;
  /**
   * Checks the credentials of the current request: a bearer access token of this realm, or a confidential client's
   * `Authorization: Basic`. A token that is restricted to audiences must have the ID of one of the plugin's resources
   * or gRPC services in its `aud` or `scope`. With the right `any-token`, any audience is accepted.
   * @throws HostError (401) if credentials are missing or wrong
   * @throws OAuthError `insufficient_scope` (403) for a token that is for other audiences
   */
  authenticate(): Promise<Principal>;
  /** Calls the realm's token endpoint in process, with the same checks, events and response as over HTTP. */
  tokenRequest(form: Readonly<Record<string, string>>): Promise<TokenEndpointResponse>;
}
