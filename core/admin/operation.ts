import type { Readable } from 'node:stream';
import type { JsonPath } from '../config/json/json-document.js';
import type { Exchange } from '../http/exchange.js';
import type { Realm } from '../model/realm.js';
import type { Caller } from '../registry/sessions/caller.js';
import type { Admin, AdminError } from './admin.js';
import type { AdminQuery, QueryParameter } from './query.js';
import type { StrictRepresentation } from './strict-members.js';

/** A request to the Admin REST API with checked parameters. */
export interface AdminCall {
  /** The origin of the call: an HTTP request, or the request that a plugin is serving. */
  readonly caller: Caller;
  /** The HTTP request; undefined for a call of a plugin. */
  readonly exchange?: Exchange;
  /** The realm of the path. With `scope: 'server'`, the realm of the caller's token. */
  readonly realm: Realm;
  readonly admin: Admin;
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: AdminQuery;
  /**
   * The JSON body, which is valid for the operation's `body`, or the text or form. Undefined if the operation takes
   * none.
   */
  readonly body: unknown;
  /**
   * Checks again whether the caller is authorized, for responses that take long.
   * @returns the current realm of the path
   * @throws AdminError 401, 403, 404
   */
  readonly reauthorize: () => Promise<Realm>;
  /**
   * Sets details of the admin event that the request does not contain. Call it before the first write, because the
   * event is stored in the same transaction. If a change is retried, the last details apply.
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
   * Members of the body that this change ignores, in addition to `AdminOperation.ignoredMembers`. The header lists them
   * too.
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
      /** If true, no cache may store the response. */
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
  /**
   * The prefix of `path`. `realm` (default): `/admin/realms/{realm}`. `realms`: `/admin/realms`. `server`: `/admin`.
   */
  readonly scope?: 'realm' | 'realms' | 'server';
  readonly tag: string;
  readonly summary: string;
  /** The caller needs one of these roles of `realm-management`. Empty: `handle` checks the rights. */
  readonly roles: readonly string[];
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** JSON Schema of the body. */
  readonly body?: object;
  /** True if the body is a realm, or settings of it. */
  readonly bodyIsRealm?: true;
  /** If set, members that neither Keycloak nor the schema has are rejected, as in Keycloak. */
  readonly strict?: StrictRepresentation;
  /**
   * Removes or replaces members of the body in place, before its schema is checked.
   * @returns their paths, for the header `Keyhost-Ignored`
   */
  readonly sanitizeBody?: (body: unknown) => readonly JsonPath[];
  /** Creates the error for a body that is not valid for the schema. By default it is an error of Keyhost. */
  readonly bodyError?: (problems: string) => AdminError;
  /** If true, the body may be absent or `null` with any content type. `handle` then gets undefined. */
  readonly hasOptionalBody?: true;
  /**
   * Members that the schema contains and this operation ignores. The header `Keyhost-Ignored` lists them like unknown
   * members, unless they repeat what the GET of the same path returns.
   */
  readonly ignoredMembers?: readonly string[];
  /** Maximum size of the body in bytes. Default 256 KiB. */
  readonly bodyLimit?: number;
  /**
   * In `master`, the operation lists the roles of all clients, including clients of other realms that are not stored
   * yet.
   */
  readonly listsRolesOfRealmClients?: true;
  /** A body of `text/plain` instead of JSON. */
  readonly textBody?: true;
  /**
   * A body of `multipart/form-data` instead of JSON. `handle` gets a MultipartForm and sets the representation of the
   * event.
   */
  readonly formBody?: true;
  /** If true, the body is JSON, or the same as `multipart/form-data`. For a form, `handle` gets a MultipartForm. */
  readonly mayBeForm?: true;
  /** An optional JSON document, sent as JSON or `text/plain`. `handle` gets its unchecked bytes. */
  readonly documentBody?: true;
  /**
   * Like `documentBody`, and `application/xml` is accepted too. Like Keycloak, `handle` detects the format from the
   * content.
   */
  readonly mayBeXml?: true;
  /** If true, only holders of `admin` in `master` may call it. The body of other callers is not read. */
  readonly forHostAdmins?: true;
  /**
   * If true, only callers who may create realms (`create-realm` or `admin` in `master`) may call it. The body of other
   * callers is not read.
   */
  readonly forRealmCreators?: true;
  /**
   * If true, plugins cannot call it, because it depends on the caller's login, address or connection. Operations that
   * change rights of plugins or delete the realm are excluded too.
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
   * If set, the response of this GET has an ETag, computed from its body. If the response also contains derived data, a
   * function returns the part to use. A function that returns its argument means the whole body.
   */
  readonly etag?: true | ((body: unknown) => unknown);
  /**
   * The admin event of a successful call. Its operation is CREATE, UPDATE or DELETE by default, depending on the
   * method.
   */
  readonly event?: {
    readonly resourceType: ResourceType;
    readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'ACTION';
    /**
     * The event belongs to `master`, and its path is the realm's name, because the operation creates or deletes the
     * realm.
     */
    readonly ofMaster?: true;
    /**
     * The parameter of the path that names the realm of the event. If that realm does not exist yet, the event belongs
     * to the caller's realm.
     */
    readonly ofRealmIn?: string;
    /** The event contains the representation even if the realm does not save representations. */
    readonly detailed?: true;
  };
  handle(call: AdminCall): Promise<AdminAnswer> | AdminAnswer;
}

/** Returns the HTTP request of an operation that is `notForPlugins`. */
export function requireExchange({ exchange }: AdminCall): Exchange {
  if (exchange === undefined) throw new Error('an operation for people was called without a request');
  return exchange;
}

/** Creates a 200 response with JSON. */
export function ok(body: unknown): AdminAnswer {
  return { status: 200, body };
}

/** Creates a 201 response with a `Location` and no body. Call it before the first write. */
export function created(call: Pick<AdminCall, 'setEventDetails'>, id: string): AdminAnswer {
  call.setEventDetails({ created: encodeURIComponent(id) });
  return { status: 201 };
}
