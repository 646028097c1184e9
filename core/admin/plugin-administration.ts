import { type AdminAnswer, HostError, type Json, PLUGIN_RIGHTS, type PluginRight } from '@keyhost/spi';
import { toFailure } from '../http/errors.js';
import { REALM_MANAGEMENT_COMPOSITES, REALM_MANAGEMENT_ROLES } from '../model/built-in-names.js';
import { defined } from '../model/defined.js';
import { roundIntegers } from '../model/exact-json.js';
import { codeOf } from '../model/thrown.js';
import type { Realms } from '../realms/realms.js';
import { NON_ROLE_RIGHTS } from '../registry/loading/plugin-rights.js';
import { withCause } from '../registry/sessions/causes.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { RightRefusals } from '../registry/sessions/right-refusals.js';
import type { PluginRequest } from '../registry/sessions/session-services.js';
import type { Store } from '../store/store.js';
import type { WriteConditions } from '../store/write-conditions.js';
import { Admin, AdminError } from './admin.js';
import { checkPluginBody } from './admin-body.js';
import type { AdminRequests, AdminResult } from './admin-requests.js';
import type { AdminOperation } from './operation.js';
import { requirePathWithinRealm } from './path-within-realm.js';
import { tagOf } from './preconditions/tagged-resource.js';
import { AdminQuery } from './query.js';

export interface PluginAdministrationParts {
  readonly requests: AdminRequests;
  readonly realms: Realms;
  readonly store: Store;
  readonly conditions: WriteConditions;
  readonly refusals: RightRefusals;
}

const METHODS: readonly unknown[] = ['GET', 'POST', 'PUT', 'DELETE'];

/**
 * Runs in-process calls of plugins to the Admin REST API. A plugin acts as an administrator of its session's realm,
 * with the rights that the operator granted to it. Its changes do not belong to the transaction and the events of the
 * surrounding operation.
 */
export class PluginAdministration {
  readonly #parts: PluginAdministrationParts;

  constructor(parts: PluginAdministrationParts) {
    this.#parts = parts;
  }

  /** Runs a request of a plugin. @throws HostError `plugin_not_granted`, `plugin_loop`, `invalid_argument` */
  async request({ plugin, rights, requestArguments }: PluginRequest, session: HostSession): Promise<AdminAnswer> {
    const [method, path, body, options = {}] = requestArguments;
    if (!METHODS.includes(method)) throw invalidArgument(`the method must be one of ${METHODS.join(', ')}`);
    const { requests, store, conditions, refusals } = this.#parts;
    const { compiledRealm: sessionRealm } = session;
    const [relativePath, query] = requirePathWithinRealm(path);
    const fullPath = `/realms/${encodeURIComponent(sessionRealm.name)}${relativePath}`;
    const admin = pluginAdmin(session, plugin, rights);
    const match = requests.routes.find(fullPath, method);
    if (admin.rolesOver(sessionRealm.name).size === 0) {
      const requiredRight = match?.value.roles.join(' or ') || 'rights of administration';
      throw refusals.refusalError(
        plugin,
        sessionRealm.name,
        requiredRight,
        match === undefined ? method : `${method} ${match.value.path}`,
      );
    }
    if (match === undefined) {
      const status = requests.routes.allowedMethods(fullPath).length === 0 ? 404 : 405;
      return { status, body: { error: `HTTP ${status}` }, ignored: [] };
    }
    const { value: operation, params } = match;
    const operationName = `${method} ${operation.path}`;
    if (params.realm !== sessionRealm.name || !isAllowedForPlugins(operation))
      throw invalidArgument(`${operationName} is not for plugins`);
    if (operation.roles.length > 0 && !admin.can(sessionRealm.name, ...operation.roles)) {
      throw refusals.refusalError(plugin, sessionRealm.name, operation.roles.join(' or '), operationName);
    }
    const caller = method === 'GET' ? session.caller : withCause(plugin, session.caller);
    const currentRealm = async () => {
      const realm = await this.#parts.realms.get(sessionRealm.name);
      return realm && this.#parts.realms.atAddressOf(realm, sessionRealm);
    };
    const run = async () => {
      const request = {
        operation,
        params,
        admin,
        caller,
        currentRealm,
        path: fullPath,
        query: new AdminQuery(query, operation.query ?? {}),
        ...(await checkPluginBody(operation, body)),
        ifMatch: options.version === undefined ? undefined : [String(options.version)],
        reauthorize: async () => (await currentRealm()) ?? sessionRealm,
      };
      return toPluginAnswer(operation, await requests.run(request));
    };
    try {
      return await store.withoutEvents(() => conditions.runOutside(run));
    } catch (error) {
      return this.#toRefusedAnswer(error, { plugin, realm: sessionRealm.name, operationName, admin });
    }
  }

  /** Converts an error of the API to a response. Other failures are thrown. */
  #toRefusedAnswer(error: unknown, { plugin, realm, operationName, admin }: RefusedCall): AdminAnswer {
    // The plugin must not continue, so this error is thrown.
    if (codeOf(error) === 'schedule_lost') throw error;
    const { status, body } = toFailure(error);
    if (status >= 500 && !(error instanceof AdminError)) throw error;
    const copy = structuredClone(body) as Json;
    if (status !== 403) return { status, body: copy, ignored: [] };
    const { error_description: errorDescription, ...members } = copy as Readonly<Record<string, string>>;
    const neededRights = rightsToGrant(admin.missingRights);
    const reason =
      neededRights === undefined
        ? `${operationName}: no right of a plugin allows this in realm ${realm}`
        : this.#parts.refusals.refusalError(plugin, realm, neededRights, operationName).message;
    const description = errorDescription === undefined ? reason : `${errorDescription}. ${reason}`;
    return { status, body: { ...members, error_description: description }, ignored: [] };
  }
}

/** A call that the API rejected, and its caller. */
interface RefusedCall {
  readonly plugin: string;
  readonly realm: string;
  readonly operationName: string;
  readonly admin: Admin;
}

/**
 * The rights that an operator must grant for a rejected call to succeed, such as `manage-admins and realm-admin`. A
 * role that cannot be granted to plugins, such as `impersonation`, is covered by `realm-admin`.
 * @returns undefined if no grant would help, or no missing right is known
 */
function rightsToGrant(missingRights: readonly string[]): string | undefined {
  const rights = missingRights.map((right) => {
    if (right.includes(' or ') || (PLUGIN_RIGHTS as readonly string[]).includes(right)) return right;
    return REALM_MANAGEMENT_ROLES.includes(right) ? 'realm-admin' : undefined;
  });
  if (rights.length === 0 || rights.includes(undefined)) return undefined;
  const needsRealmAdmin = rights.includes('realm-admin');
  const neededRights = rights.filter(
    (right) => !needsRealmAdmin || right === 'realm-admin' || right === 'manage-admins',
  );
  return [...new Set(neededRights)].join(' and ');
}

/** True for operations that need no browser, connection or address, and do not change the host. */
function isAllowedForPlugins(operation: AdminOperation): boolean {
  const { scope = 'realm', notForPlugins, forHostAdmins, formBody, documentBody, answers } = operation;
  if (scope !== 'realm' || notForPlugins || forHostAdmins) return false;
  return !formBody && !documentBody && answers.stream === undefined;
}

/** Creates an admin with the plugin's rights in the session's realm. */
export function pluginAdmin(session: HostSession, plugin: string, rights: ReadonlySet<PluginRight>): Admin {
  const identity = {
    plugin,
    roles: rolesOf(rights),
    mayManageAdmins: rights.has('manage-admins'),
    userId: session.principal?.userId,
  };
  return new Admin(session.compiledRealm, identity, session.caller.providers);
}

/** The roles of `realm-management` for these rights, including the roles that they contain. */
function rolesOf(rights: ReadonlySet<PluginRight>): string[] {
  const roleRights = [...rights].filter((right) => !NON_ROLE_RIGHTS.has(right));
  return [
    ...new Set(
      roleRights.flatMap((right) =>
        right === 'realm-admin'
          ? [right, ...REALM_MANAGEMENT_ROLES]
          : [right, ...(REALM_MANAGEMENT_COMPOSITES[right] ?? [])],
      ),
    ),
  ];
}

function toPluginAnswer(operation: AdminOperation, { answer, created, ignored }: AdminResult): AdminAnswer {
  const { status = 204, body, text } = answer ?? {};
  const content = text === undefined ? body : toBytes(text.content);
  return defined({
    status,
    // A copy, so that the plugin cannot change the host's objects.
    body:
      content instanceof Uint8Array || content === undefined
        ? content
        : (roundIntegers(structuredClone(content)) as Json),
    version: operation.method === 'GET' ? tagOf(operation, answer) : undefined,
    created: created === undefined ? undefined : decodeURIComponent(created.slice(created.lastIndexOf('/') + 1)),
    ignored,
  });
}

function toBytes(content: string | Buffer): string | Uint8Array {
  return typeof content === 'string' ? content : new Uint8Array(content);
}

function invalidArgument(message: string): HostError {
  return new HostError('invalid_argument', `admin.request: ${message}`);
}
