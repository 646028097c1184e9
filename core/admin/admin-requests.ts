import { HostError } from '@keyhost/spi';
import { formatPath, type JsonPath } from '../config/json/json-document.js';
import type { RouteMatcher } from '../http/route-matcher.js';
import { waitForRealmTurn } from '../model/loop-turns.js';
import type { Realm } from '../model/realm.js';
import { codeOf } from '../model/thrown.js';
import type { RealmEdits } from '../realms/realm-edits.js';
import type { Realms } from '../realms/realms.js';
import type { Events } from '../registry/events/events.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { LAST_ADMINISTRATOR } from '../users/last-administrator.js';
import { AdminError, notFoundError } from './admin.js';
import { handleWithEvent } from './admin-event.js';
import { adminRoutes } from './admin-routes.js';
import { ignoredMembers, type RedundantValues } from './ignored-members.js';
import type { AdminAnswer, AdminCall, AdminOperation, EventDetails } from './operation.js';
import { pathsWithoutEffect } from './paths-without-effect.js';
import type { RequestedTags } from './preconditions/entity-tag.js';
import { type PreconditionParts, Preconditions } from './preconditions/preconditions.js';
import { AdminQuery } from './query.js';
import type { RealmClients } from './realm-clients.js';
import { refuseAdminRoleChange } from './refuse-admin-role-change.js';
import { requireKnownMembers, requireShortTexts } from './strict-members.js';
import { REALM_MEMBERS } from './strict-representations.js';

export interface AdminRequestParts {
  readonly realms: Realms;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly operations: readonly AdminOperation[];
  readonly realmClients: RealmClients;
  readonly edits: Pick<RealmEdits, 'idleMembers'>;
  readonly preconditions: PreconditionParts;
}

/** A request whose caller is authorized to call the operation. Its query and its body are already parsed. */
export interface AuthorizedRequest extends Omit<AdminCall, 'setEventDetails' | 'realm'> {
  readonly operation: AdminOperation;
  /** The path below `/admin`. */
  readonly path: string;
  /** Members of the body that were left out or replaced when it was read. */
  readonly droppedMembers: readonly JsonPath[];
  readonly ifMatch: RequestedTags | undefined;
  /** Reads the current realm of the path. Its issuer has the address that the request was sent to. */
  readonly currentRealm: () => Promise<Realm | undefined>;
}

/** The result of a request. */
export interface AdminResult {
  readonly answer: AdminAnswer;
  /** Path of the created resource; see `EventDetails.created`. */
  readonly created: string | undefined;
  /** Members of the body that have no effect. */
  readonly ignored: readonly string[];
  /** The realm that the operation was run on. */
  readonly current: Realm;
}

const NO_QUERY = Object.freeze({});

/** Runs requests to the Admin REST API, from HTTP or a plugin, with their checks, preconditions and events. */
export class AdminRequests {
  readonly routes: RouteMatcher<AdminOperation>;
  readonly #parts: AdminRequestParts;
  readonly #preconditions: Preconditions;

  constructor(parts: AdminRequestParts) {
    this.#parts = parts;
    this.routes = adminRoutes(parts.operations);
    this.#preconditions = new Preconditions(parts.preconditions, this.routes);
  }

  /** Runs a request. @throws AdminError */
  async run({
    operation,
    path,
    ifMatch,
    droppedMembers,
    currentRealm,
    ...request
  }: AuthorizedRequest): Promise<AdminResult> {
    const { realmClients } = this.#parts;
    const { params, query, body } = request;
    // Reading the body may take long, so read the realm again before checking the request against it.
    const initial = await currentRealm();
    if (initial === undefined) throw notFoundError('Realm not found.');
    const hasStoredClients = await withKeycloakErrors(() =>
      realmClients.storeReferredClients(initial, operation, params, body),
    );
    const storedRealm = hasStoredClients ? await currentRealm() : initial;
    if (storedRealm === undefined) throw notFoundError('Realm not found.');
    const realmWithClients = realmClients.withReferredClients(storedRealm, operation, params, query);
    refuseAdminRoleChange(operation, params, realmWithClients.representation, () => this.#parts.realms.names());
    const call = { ...request, realm: realmWithClients };
    // The realm's representation has members that the API does not return.
    const hiddenMembers = operation.strict === REALM_MEMBERS ? realmWithClients.representation : {};
    const readCurrent = async () => ({ ...hiddenMembers, ...(await this.#readBefore(operation, path, call)) });
    await requireKnownMembers(operation, body, readCurrent);
    await requireShortTexts(operation, body, readCurrent);
    // Iterating over the clients, roles and groups of a large realm blocks the event loop, so let requests of other
    // realms run first.
    await waitForRealmTurn(realmWithClients.name);
    const run = () => withKeycloakErrors(() => handleWithEvent(this.#parts, operation, call, path));
    const { answer, details } = await (ifMatch === undefined
      ? run()
      : this.#preconditions.run(ifMatch, call, path, run));
    return {
      answer,
      created: details.created,
      ignored: [
        ...new Set([
          ...droppedMembers.map(formatPath),
          ...(await this.#ignoredPaths(operation, path, call, details, storedRealm, currentRealm)),
        ]),
      ],
      current: realmWithClients,
    };
  }

  async #ignoredPaths(
    operation: AdminOperation,
    path: string,
    call: Omit<AdminCall, 'setEventDetails'>,
    { ignoredNames = [], ignored = [] }: EventDetails,
    before: Realm,
    currentRealm: AuthorizedRequest['currentRealm'],
  ): Promise<readonly string[]> {
    if (operation.method === 'GET') return ignored.map(formatPath);
    const readRedundant = async () => ({
      resource: await this.#readBefore(operation, path, call),
      params: call.params,
    });
    const unknown = await ignoredMembers(operation, ignoredNames, call.body, readRedundant, call.realm.name);
    const storedPaths = this.#storedWithoutEffect(call.body, before, await currentRealm());
    return [...unknown, ...ignored, ...storedPaths].map(formatPath);
  }

  /** Returns the paths of the body's members that are stored in the realm and have no effect. */
  #storedWithoutEffect(body: unknown, { representation }: Realm, currentRealm: Realm | undefined): readonly JsonPath[] {
    const after = currentRealm?.representation;
    if (after === undefined || after === representation) return [];
    return pathsWithoutEffect(body, this.#parts.edits.idleMembers(after, representation), after);
  }

  /**
   * Reads the resource with the GET of this path, as the caller, before the change. Returns `{}` if there is no GET, or
   * the caller may not use it.
   */
  async #readBefore(
    { method }: Pick<AdminOperation, 'method'>,
    path: string,
    call: Omit<AdminCall, 'setEventDetails'>,
  ): Promise<RedundantValues['resource']> {
    // A new resource has no GET yet.
    if (method === 'POST') return {};
    const match = this.routes.find(path, 'GET');
    if (match === undefined) return {};
    const { value: getOperation, params } = match;
    if (getOperation.roles.length > 0 && !call.admin.can(call.realm.name, ...getOperation.roles)) return {};
    const query = new AdminQuery('', getOperation.query ?? NO_QUERY);
    const answer = await getOperation.handle({ ...call, params, query, body: undefined, setEventDetails: () => {} });
    const { id } = call.body as { readonly id?: unknown };
    const resource = Array.isArray(answer?.body) ? answer.body.find((item) => item?.id === id) : answer?.body;
    return (resource ?? {}) as RedundantValues['resource'];
  }
}

/** Codes of errors from other modules that are answered with Keycloak's bodies. */
const KEYCLOAK_ERRORS = ['realm_invalid', 'realm_exists', LAST_ADMINISTRATOR];

async function withKeycloakErrors<T>(handle: () => Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof HostError && KEYCLOAK_ERRORS.includes(code ?? ''))
      throw new AdminError(error.status, { errorMessage: error.message });
    if (code === 'realm_gone') throw notFoundError('Realm not found.');
    throw error;
  }
}
