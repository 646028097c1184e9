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
 * with the rights that the operator granted it. Its changes are recorded separately from the surrounding operation.
 */
export class PluginAdministration {
  readonly #parts: PluginAdministrationParts;

  constructor(parts: PluginAdministrationParts) {
    this.#parts = parts;
  }

  /** @throws HostError `plugin_not_granted`, `plugin_loop`, `invalid_argument` */
  async request({ plugin, rights, asked }: PluginRequest, session: HostSession): Promise<AdminAnswer> {
    const [method, path, body, options = {}] = asked;
    if (!METHODS.includes(method)) throw wrong(`the method must be one of ${METHODS.join(', ')}`);
    const { requests, store, conditions, refusals } = this.#parts;
    const { compiledRealm: seen } = session;
    const [below, query] = requirePathWithinRealm(path);
    const whole = `/realms/${encodeURIComponent(seen.name)}${below}`;
    const admin = pluginAdmin(session, plugin, rights);
    const found = requests.routes.find(whole, method);
    if (admin.rolesOver(seen.name).size === 0) {
      const needed = found?.value.roles.join(' or ') || 'rights of administration';
      throw refusals.refuse(plugin, seen.name, needed, found === undefined ? method : `${method} ${found.value.path}`);
    }
    if (found === undefined) {
      const status = requests.routes.allowed(whole).length === 0 ? 404 : 405;
      return { status, body: { error: `HTTP ${status}` }, ignored: [] };
    }
    const { value: operation, params } = found;
    const what = `${method} ${operation.path}`;
    if (params.realm !== seen.name || !isAllowedForPlugins(operation)) throw wrong(`${what} is not for plugins`);
    if (operation.roles.length > 0 && !admin.can(seen.name, ...operation.roles)) {
      throw refusals.refuse(plugin, seen.name, operation.roles.join(' or '), what);
    }
    const caller = method === 'GET' ? session.caller : withCause(plugin, session.caller);
    const currentRealm = async () => {
      const realm = await this.#parts.realms.get(seen.name);
      return realm && this.#parts.realms.reachedAs(realm, seen);
    };
    const run = async () => {
      const request = {
        operation,
        params,
        admin,
        caller,
        currentRealm,
        path: whole,
        query: new AdminQuery(query, operation.query ?? {}),
        ...(await checkPluginBody(operation, body)),
        ifMatch: options.version === undefined ? undefined : [String(options.version)],
        reauthorize: async () => (await currentRealm()) ?? seen,
      };
      return answerOf(operation, await requests.run(request));
    };
    try {
      return await store.withoutEvents(() => conditions.apart(run));
    } catch (error) {
      return this.#refusalOf(error, { plugin, realm: seen.name, what, admin });
    }
  }

  /** A refusal of the API becomes an answer; a failure is thrown. */
  #refusalOf(error: unknown, { plugin, realm, what, admin }: RefusedCall): AdminAnswer {
    // Not an answer of the API: the plugin must not continue.
    if (codeOf(error) === 'schedule_lost') throw error;
    const { status, body } = toFailure(error);
    if (status >= 500 && !(error instanceof AdminError)) throw error;
    const copy = structuredClone(body) as Json;
    if (status !== 403) return { status, body: copy, ignored: [] };
    const { error_description: why, ...rest } = copy as Readonly<Record<string, string>>;
    const missing = missingRights(admin.missingRights);
    const reason =
      missing === undefined
        ? `${what}: no right of a plugin allows this in realm ${realm}`
        : this.#parts.refusals.refuse(plugin, realm, missing, what).message;
    const description = why === undefined ? reason : `${why}. ${reason}`;
    return { status, body: { ...rest, error_description: description }, ignored: [] };
  }
}

/** A call that the API refused with 403, and its caller. */
interface RefusedCall {
  readonly plugin: string;
  readonly realm: string;
  readonly what: string;
  readonly admin: Admin;
}

/**
 * The rights that an operator must grant for a refused call to succeed, such as `manage-admins and realm-admin`. A role
 * that plugins cannot be granted, such as `impersonation`, is covered by `realm-admin`.
 * @returns undefined if no grant would help, or no missing right is known
 */
function missingRights(lacks: readonly string[]): string | undefined {
  const rights = lacks.map((right) => {
    if (right.includes(' or ') || (PLUGIN_RIGHTS as readonly string[]).includes(right)) return right;
    return REALM_MANAGEMENT_ROLES.includes(right) ? 'realm-admin' : undefined;
  });
  if (rights.length === 0 || rights.includes(undefined)) return undefined;
  const isWhole = rights.includes('realm-admin');
  const needed = rights.filter((right) => !isWhole || right === 'realm-admin' || right === 'manage-admins');
  return [...new Set(needed)].join(' and ');
}

/** True for operations without a need for a browser, a connection or an address, and without changes of the host. */
function isAllowedForPlugins(operation: AdminOperation): boolean {
  const { scope = 'realm', notForPlugins, forHostAdmins, formBody, documentBody, answers } = operation;
  if (scope !== 'realm' || notForPlugins || forHostAdmins) return false;
  return !formBody && !documentBody && answers.stream === undefined;
}

/** A plugin as an administrator of the session's realm. */
export function pluginAdmin(session: HostSession, plugin: string, rights: ReadonlySet<PluginRight>): Admin {
  const who = {
    plugin,
    roles: rolesOf(rights),
    mayManageAdmins: rights.has('manage-admins'),
    userId: session.principal?.userId,
  };
  return new Admin(session.compiledRealm, who, session.caller.providers);
}

/** Roles of `realm-management` including those that they contain, named as in a token. */
function rolesOf(rights: ReadonlySet<PluginRight>): string[] {
  const own = [...rights].filter((right) => !NON_ROLE_RIGHTS.has(right));
  return [
    ...new Set(
      own.flatMap((right) =>
        right === 'realm-admin'
          ? [right, ...REALM_MANAGEMENT_ROLES]
          : [right, ...(REALM_MANAGEMENT_COMPOSITES[right] ?? [])],
      ),
    ),
  ];
}

function answerOf(operation: AdminOperation, { answer, created, ignored }: AdminResult): AdminAnswer {
  const { status = 204, body, text } = answer ?? {};
  const content = text === undefined ? body : bytesOf(text.content);
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

function bytesOf(content: string | Buffer): string | Uint8Array {
  return typeof content === 'string' ? content : new Uint8Array(content);
}

function wrong(message: string): HostError {
  return new HostError('invalid_argument', `admin.request: ${message}`);
}
