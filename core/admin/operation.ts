import type { Readable } from 'node:stream';
import type { JsonPath } from '../config/json/json-document.js';
import type { Exchange } from '../http/exchange.js';
import type { Realm } from '../model/realm.js';
import type { Caller } from '../registry/sessions/host-session.js';
import type { Admin, AdminError } from './admin.js';
import type { AdminQuery, QueryParameter } from './query.js';
import type { StrictRepresentation } from './strict-members.js';

/** One request to the Admin REST API with checked parameters. */
export interface AdminCall {
  /** The origin of the call: an HTTP request, or the request that a plugin is serving. */
  readonly caller: Caller;
  /** The HTTP request; undefined for a call of a plugin. */
  readonly exchange?: Exchange;
  /** The realm of the path. For `scope: 'server'` the realm of the caller's token. */
  readonly realm: Realm;
  readonly admin: Admin;
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: AdminQuery;
  /** The JSON body (it fits the operation's `body`), the text or the form. Undefined if the operation takes none. */
  readonly body: unknown;
  /**
   * Checks again whether the caller may do this, for responses that take long.
   * @returns the current realm of the path
   * @throws AdminError 401, 403, 404
   */
  readonly reauthorize: () => Promise<Realm>;
  /**
   * Sets details of the admin event that the request does not contain. Call it before the first write, with which the
   * event is stored. If a change is retried, the last details apply.
   */
  readonly setEventDetails: (details: EventDetails) => void;
}

/** Details of the admin event that only `handle` can provide. */
export interface EventDetails {
  /**
   * Path of the created resource: relative to the request's path, or with a leading `/` relative to the realm. It is
   * also sent as `Location`.
   */
  readonly created?: string;
  /** The representation in the event, instead of the request's body. */
  readonly eventRepresentation?: unknown;
  /** Texts for the event that its path and representation do not contain. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly resourceType?: ResourceType;
  readonly operationType?: 'CREATE' | 'UPDATE' | 'DELETE' | 'ACTION';
  /** True if nothing had to change. As in Keycloak, there is no event then. */
  readonly unchanged?: boolean;
  /** Members that are stored or dropped without effect. The response lists them in the header `Keyhost-Ignored`. */
  readonly ignored?: readonly JsonPath[];
  /**
   * Members of the body that this change ignores, in addition to `AdminOperation.unread`. The header lists them too.
   */
  readonly ignoredNames?: readonly string[];
}

/** The response. `undefined` means 204. */
export type AdminAnswer =
  | undefined
  | {
      readonly status: number;
      /** Written as JSON. */
      readonly body?: unknown;
      /** A body that is not JSON. */
      readonly text?: { readonly type: string; readonly content: string | Buffer };
      /** A streaming body. It is opened when the response is sent, and not for HEAD. */
      readonly stream?: { readonly type: string; readonly open: () => Readable };
      /** No cache may store it. */
      readonly isSecret?: true;
      readonly headers?: Readonly<Record<string, string>>;
    };

export type ResourceType =
  | 'REALM'
  | 'REALM_ROLE'
  | 'REALM_ROLE_MAPPING'
  | 'REALM_SCOPE_MAPPING'
  | 'AUTH_FLOW'
  | 'AUTH_EXECUTION_FLOW'
  | 'AUTH_EXECUTION'
  | 'AUTHENTICATOR_CONFIG'
  | 'REQUIRED_ACTION'
  | 'REQUIRED_ACTION_CONFIG'
  | 'IDENTITY_PROVIDER'
  | 'IDENTITY_PROVIDER_MAPPER'
  | 'PROTOCOL_MAPPER'
  | 'USER'
  | 'USER_LOGIN_FAILURE'
  | 'USER_SESSION'
  | 'USER_PROFILE'
  | 'GROUP'
  | 'GROUP_MEMBERSHIP'
  | 'CLIENT'
  | 'CLIENT_INITIAL_ACCESS_MODEL'
  | 'CLUSTER_NODE'
  | 'CLIENT_ROLE'
  | 'CLIENT_ROLE_MAPPING'
  | 'CLIENT_SCOPE'
  | 'CLIENT_SCOPE_MAPPING'
  | 'CLIENT_SCOPE_CLIENT_MAPPING'
  | 'COMPONENT'
  | 'REALM_DEFAULT_GROUP'
  | 'REALM_LOCALIZATION'
  | 'CUSTOM';

/**
 * One operation of the Admin REST API: its route, its roles, its description in the OpenAPI document, and its handler.
 */
export interface AdminOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/admin/realms/{realm}`, such as `/users/{userId}`; `{rest*}` matches several segments. */
  readonly path: string;
  /** `realm` (default); `realms`: relative to `/admin/realms`, without a realm; `server`: relative to `/admin`. */
  readonly scope?: 'realm' | 'realms' | 'server';
  readonly tag: string;
  readonly summary: string;
  /** The caller needs one of these roles of `realm-management`. Empty: `handle` checks the rights. */
  readonly roles: readonly string[];
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** JSON Schema of the body. */
  readonly body?: object;
  /** The body is a realm or its settings. */
  readonly bodyIsRealm?: true;
  /** Like Keycloak, refuse members that neither Keycloak nor the schema has. */
  readonly strict?: StrictRepresentation;
  /**
   * Removes or replaces members of the body in place, before its schema is checked.
   * @returns their paths, for the header `Keyhost-Ignored`
   */
  readonly sanitizeBody?: (body: unknown) => readonly JsonPath[];
  /** Creates the error for a body that does not fit the schema; by default an error of Keyhost. */
  readonly bodyError?: (problems: string) => AdminError;
  /** The body may be absent or `null` with any content type. `handle` gets undefined then. */
  readonly hasOptionalBody?: true;
  /**
   * Members that the schema has and this operation ignores. The header `Keyhost-Ignored` lists them like unknown
   * members, unless they repeat what the GET of the same path returns.
   */
  readonly ignoredMembers?: readonly string[];
  /** Maximum size of the body in bytes. Default 256 KiB. */
  readonly bodyLimit?: number;
  /** In `master` it lists the roles of all clients, including the clients of other realms that are not stored yet. */
  readonly listsRolesOfRealmClients?: true;
  /** A body of `text/plain` instead of JSON. */
  readonly textBody?: true;
  /**
   * A body of `multipart/form-data` instead of JSON. `handle` gets a MultipartForm and sets the representation of the
   * event.
   */
  readonly formBody?: true;
  /** JSON, or the same in `multipart/form-data`. `handle` gets a MultipartForm in the latter case. */
  readonly mayBeForm?: true;
  /** An optional JSON document, sent as JSON or `text/plain`. `handle` gets its unchecked bytes. */
  readonly documentBody?: true;
  /**
   * Like `documentBody`, and `application/xml` is accepted too. Like Keycloak, `handle` detects the format from the
   * content.
   */
  readonly mayBeXml?: true;
  /** Only for holders of `admin` in `master`. The body of other callers is not read. */
  readonly forHostAdmins?: true;
  /**
   * Only for callers who may create realms (`create-realm` or `admin` in `master`). The body of other callers is not
   * read.
   */
  readonly forRealmCreators?: true;
  /**
   * Plugins cannot call it. It concerns the caller's own login, address or connection, or the rights of plugins, or it
   * deletes the realm.
   */
  readonly notForPlugins?: true;
  /** The successful response, for the OpenAPI document: a status, and the name or the schema of its body. */
  readonly answers: {
    readonly status: number;
    readonly body?: string | object;
    /** The media type of a streaming body. */
    readonly stream?: string;
  };
  /**
   * The answer of this GET has an ETag, computed from its body. Give a function to compute it from a part of the body,
   * if the response also shows derived data. A function that returns its argument means the whole body.
   */
  readonly etag?: true | ((body: unknown) => unknown);
  /** The admin event of a success. The default operation depends on the method: CREATE, UPDATE or DELETE. */
  readonly event?: {
    readonly resourceType: ResourceType;
    readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'ACTION';
    /**
     * The event belongs to `master`, and its path is the name of the realm, because the operation creates or deletes
     * the realm.
     */
    readonly ofMaster?: true;
    /** The event has a representation even if the realm saves none. */
    readonly detailed?: true;
  };
  handle(call: AdminCall): Promise<AdminAnswer> | AdminAnswer;
}

/** The HTTP request of an operation that is `notForPlugins`. */
export function requireExchange({ exchange }: AdminCall): Exchange {
  if (exchange === undefined) throw new Error('an operation for people was called without a request');
  return exchange;
}

/** 200 with JSON. */
export function ok(body: unknown): AdminAnswer {
  return { status: 200, body };
}

/** 201 with a `Location` and no body. Call it before the first write. */
export function created(call: Pick<AdminCall, 'setEventDetails'>, id: string): AdminAnswer {
  call.setEventDetails({ created: encodeURIComponent(id) });
  return { status: 201 };
}
