import type { Readable } from 'node:stream';
import type { JsonPath } from '../config/json/json-document.js';
import type { Exchange } from '../http/exchange.js';
import type { Realm } from '../model/realm.js';
import type { Caller } from '../registry/sessions/session.js';
import type { Admin, AdminError } from './admin.js';
import type { StrictRepresentation } from './known-members.js';
import type { AdminQuery, QueryParameter } from './query.js';

/** One request of the Admin REST API, its parameters checked. */
export interface AdminCall {
  /** Where it comes from: an HTTP request, or whatever a plugin serves as it calls. */
  readonly caller: Caller;
  /** The HTTP request; undefined for the call of a plugin. */
  readonly exchange?: Exchange;
  /** The realm of the path. For `scope: 'server'` the realm of the caller's token. */
  readonly realm: Realm;
  readonly admin: Admin;
  /** The path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: AdminQuery;
  /** The JSON body, which fits the operation's `body`, its text or its form; undefined where it takes none. */
  readonly body: unknown;
  /**
   * Asks anew whether the caller may do this: for answers that take long.
   * @returns the realm of the path as it is now
   * @throws AdminError 401, 403, 404
   */
  readonly readmitted: () => Promise<Realm>;
  /**
   * Says of the admin event what the request does not, before the first write: the event is stored with it. Where a change
   * is tried again, what is said last counts.
   */
  readonly tells: (details: EventDetails) => void;
}

/** What only `handle` knows of the admin event. */
export interface EventDetails {
  /**
   * Path of what is created, below the request's own, or with a leading `/` below the realm's. It is the answer's
   * `Location` too.
   */
  readonly created?: string;
  /** What the event shows instead of the request's body. */
  readonly recorded?: unknown;
  /** Texts of the event that its path and representation do not contain. */
  readonly named?: Readonly<Record<string, string>>;
  readonly resourceType?: ResourceType;
  readonly operationType?: 'CREATE' | 'UPDATE' | 'DELETE' | 'ACTION';
  /** True: all was as it was asked for, and there is no event, as in Keycloak. */
  readonly unchanged?: boolean;
  /** Members that are stored or left out, and have no effect: the answer names them in the header `Keyhost-Ignored`. */
  readonly ignored?: readonly JsonPath[];
  /** Members of the body that this change does not act on, besides those that the operation says: they are named, too. */
  readonly unread?: readonly string[];
}

/** What is answered. `undefined` is 204. */
export type AdminAnswer =
  | undefined
  | {
      readonly status: number;
      /** Written as JSON. */
      readonly body?: unknown;
      /** A body that is no JSON. */
      readonly text?: { readonly type: string; readonly content: string | Buffer };
      /** A body that goes on. It is opened when the answer goes out, and not for HEAD. */
      readonly stream?: { readonly type: string; readonly open: () => Readable };
      /** Nobody between may keep it. */
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

/** One operation of the Admin REST API: its route, its rights, its description in the OpenAPI document, its work. */
export interface AdminOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/admin/realms/{realm}`, such as `/users/{userId}`; `{rest*}` takes several segments. */
  readonly path: string;
  /** `realm`, the default; `realms`: below `/admin/realms` without a realm; `server`: below `/admin`. */
  readonly scope?: 'realm' | 'realms' | 'server';
  readonly tag: string;
  readonly summary: string;
  /** One of these roles of `realm-management` is needed. Empty: `handle` judges by itself. */
  readonly roles: readonly string[];
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** JSON Schema of the body. */
  readonly body?: object;
  /** The body is a realm, or its settings. */
  readonly holdsRealm?: true;
  /** Members that are neither Keycloak's nor in the schema are refused, as Keycloak does. */
  readonly strict?: StrictRepresentation;
  /**
   * Leaves out or replaces members of the body, in place, before its schema is checked.
   * @returns their paths, which the header `Keyhost-Ignored` names
   */
  readonly mend?: (body: unknown) => readonly JsonPath[];
  /** What a body that the schema does not hold for is refused with; Keyhost's own words, unless given. */
  readonly refuseBody?: (problems: string) => AdminError;
  /** The body may be missing, whatever its content type says, or `null`: `handle` gets undefined. */
  readonly mayLackBody?: true;
  /**
   * Members that the schema of the body has, and this operation does not act on. The answer names them in the header
   * `Keyhost-Ignored`, as those that the schema does not have, unless they say what the GET of the same path says.
   */
  readonly unread?: readonly string[];
  /** Largest body in bytes. Default 256 KiB. */
  readonly bodyLimit?: number;
  /** Reading `master`, it lists the roles of all clients: those that stand for realms and are not stored are among them. */
  readonly listsRealmClients?: true;
  /** A body of `text/plain` instead of JSON. */
  readonly textBody?: true;
  /** A body of `multipart/form-data` instead of JSON: `handle` gets a MultipartForm, and says what the event shows. */
  readonly formBody?: true;
  /** JSON, or the same in `multipart/form-data`: `handle` gets a MultipartForm then. */
  readonly mayBeForm?: true;
  /** A JSON document as it stands, of JSON or `text/plain`, which may be missing: `handle` gets its bytes, checked for nothing. */
  readonly documentBody?: true;
  /** As `documentBody`, and of `application/xml` too: Keycloak looks at what stands in it, and not at its type. */
  readonly mayBeXml?: true;
  /** Who holds `admin` in `master` alone may ask: nobody else's body is read. */
  readonly forHostAdmins?: true;
  /** Only callers who may create realms (`create-realm` or `admin` in `master`): the body of other callers is not read. */
  readonly forRealmCreators?: true;
  /**
   * No plugin can call it: it is about the caller's own login, address or connection, or about what plugins may do, or
   * the realm goes with it.
   */
  readonly forPeople?: true;
  /** What a success answers, for the OpenAPI document: a status, and the name or the schema of its body. */
  readonly answers: {
    readonly status: number;
    readonly body?: string | object;
    /** The media type of a body that goes on. */
    readonly stream?: string;
  };
  /**
   * Of a GET of one thing: its answer has an `ETag`, which changes with the answer. A function says of what alone, where the
   * answer tells more than what is there to be changed; what it gives back as it got it is the whole.
   */
  readonly tagged?: true | ((body: unknown) => unknown);
  /** The admin event of a success. Default operation: by the method, CREATE, UPDATE, DELETE. */
  readonly event?: {
    readonly resourceType: ResourceType;
    readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'ACTION';
    /** It is an event of `master`, and its path the name of the realm: the realm comes or goes with the operation. */
    readonly ofMaster?: true;
    /** It shows what was done also where the realm keeps no details. */
    readonly detailed?: true;
  };
  handle(call: AdminCall): Promise<AdminAnswer> | AdminAnswer;
}

/** The HTTP request of an operation `forPeople`. */
export function exchangeOf({ exchange }: AdminCall): Exchange {
  if (exchange === undefined) throw new Error('an operation for people was called without a request');
  return exchange;
}

/** 200 with JSON. */
export function ok(body: unknown): AdminAnswer {
  return { status: 200, body };
}

/** 201 with a `Location` and no body. Said before the first write. */
export function created(call: Pick<AdminCall, 'tells'>, id: string): AdminAnswer {
  call.tells({ created: encodeURIComponent(id) });
  return { status: 201 };
}
