import { HostError } from '@keyhost/spi';
import { formatPath, type JsonPath } from '../config/json/json-document.js';
import type { RouteMatcher } from '../http/route-matcher.js';
import { realmTurn } from '../model/loop-turns.js';
import type { Realm } from '../model/realm.js';
import { codeOf } from '../model/thrown.js';
import type { RealmEdits } from '../realms/realm-edits.js';
import type { Realms } from '../realms/realms.js';
import type { Events } from '../registry/events/events.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { LAST_ADMINISTRATOR } from '../users/kept-administrators.js';
import { AdminError, notFound } from './admin.js';
import { handleWithEvent } from './admin-event.js';
import { adminRoutes } from './admin-routes.js';
import { idleInBody } from './idle-in-body.js';
import { ignoredMembers, type Known } from './ignored-members.js';
import { requireKnownMembers, requireShortTexts } from './known-members.js';
import type { AdminAnswer, AdminCall, AdminOperation, EventDetails } from './operation.js';
import type { NamedTags } from './preconditions/entity-tag.js';
import { type PreconditionParts, Preconditions } from './preconditions/preconditions.js';
import { AdminQuery } from './query.js';
import type { RealmClients } from './realm-clients.js';
import { refuseAdministration } from './refuse-administration.js';
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

/** A request whose caller may call the operation. Its query and its body were read already. */
export interface PermittedRequest extends Omit<AdminCall, 'tells' | 'realm'> {
  readonly operation: AdminOperation;
  /** Below `/admin`. */
  readonly path: string;
  /** Members of the body that were left out or replaced as it was read. */
  readonly leftOut: readonly JsonPath[];
  readonly ifMatch: NamedTags | undefined;
  /** Reads the current realm of the path, with the address that the request was sent to. */
  readonly realmNow: () => Promise<Realm | undefined>;
}

/** The result of a request. */
export interface AdminOutcome {
  readonly answer: AdminAnswer;
  /** Path of what was created; see `EventDetails`. */
  readonly created: string | undefined;
  /** Members of the body that have no effect. */
  readonly ignored: readonly string[];
  /** The realm that the operation was carried out on. */
  readonly current: Realm;
}

const NO_QUERY = Object.freeze({});

/** Runs requests to the Admin REST API, from HTTP or from a plugin, with their checks, preconditions and events. */
export class AdminRequests {
  readonly routes: RouteMatcher<AdminOperation>;
  readonly #parts: AdminRequestParts;
  readonly #preconditions: Preconditions;

  constructor(parts: AdminRequestParts) {
    this.#parts = parts;
    this.routes = adminRoutes(parts.operations);
    this.#preconditions = new Preconditions(parts.preconditions, this.routes);
  }

  /** @throws AdminError */
  async run({ operation, path, ifMatch, leftOut, realmNow, ...asked }: PermittedRequest): Promise<AdminOutcome> {
    const { realmClients } = this.#parts;
    const { params, query, body } = asked;
    // Reading the body may take long, so read the realm again before checking the request against it.
    const before = await realmNow();
    if (before === undefined) throw notFound('Realm not found.');
    const isOther = await told(() => realmClients.store(before, operation, params, body));
    const stored = isOther ? await realmNow() : before;
    if (stored === undefined) throw notFound('Realm not found.');
    const current = realmClients.seen(stored, operation, params, query);
    refuseAdministration(operation, params, current.representation, () => this.#parts.realms.names());
    const call = { ...asked, realm: current };
    // The realm's representation has members that the API does not show.
    const kept = operation.strict === REALM_MEMBERS ? current.representation : {};
    const shown = async () => ({ ...kept, ...(await this.#shownBefore(operation, path, call)) });
    await requireKnownMembers(operation, body, shown);
    await requireShortTexts(operation, body, shown);
    // Walking the clients, roles and groups of a large realm blocks the event loop, so let other realms run first.
    await realmTurn(current.name);
    const run = () => told(() => handleWithEvent(this.#parts, operation, call, path));
    const { answer, details } = await (ifMatch === undefined
      ? run()
      : this.#preconditions.run(ifMatch, call, path, run));
    return {
      answer,
      created: details.created,
      ignored: [
        ...new Set([
          ...leftOut.map(formatPath),
          ...(await this.#ignored(operation, path, call, details, stored, realmNow)),
        ]),
      ],
      current,
    };
  }

  async #ignored(
    operation: AdminOperation,
    path: string,
    call: Omit<AdminCall, 'tells'>,
    { unread = [], ignored = [] }: EventDetails,
    before: Realm,
    realmNow: PermittedRequest['realmNow'],
  ): Promise<readonly string[]> {
    if (operation.method === 'GET') return ignored.map(formatPath);
    const known = async () => ({ shown: await this.#shownBefore(operation, path, call), params: call.params });
    const unknown = await ignoredMembers(operation, unread, call.body, known);
    const idle = this.#idleInBody(call.body, before, await realmNow());
    return [...unknown, ...ignored, ...idle].map(formatPath);
  }

  /** Members of the body that are stored in the realm and have no effect. */
  #idleInBody(body: unknown, { representation }: Realm, now: Realm | undefined): readonly JsonPath[] {
    const after = now?.representation;
    if (after === undefined || after === representation) return [];
    return idleInBody(body, this.#parts.edits.idleMembers(after, representation), after);
  }

  /**
   * Reads the resource by the caller's own GET of this path, before the change. Returns `{}` if there is no GET, or the
   * caller may not use it.
   */
  async #shownBefore(
    { method }: Pick<AdminOperation, 'method'>,
    path: string,
    call: Omit<AdminCall, 'tells'>,
  ): Promise<Known['shown']> {
    // A new resource has no GET yet.
    if (method === 'POST') return {};
    const found = this.routes.find(path, 'GET');
    if (found === undefined) return {};
    const { value: read, params } = found;
    if (read.roles.length > 0 && !call.admin.can(call.realm.name, ...read.roles)) return {};
    const query = new AdminQuery('', read.query ?? NO_QUERY);
    const answer = await read.handle({ ...call, params, query, body: undefined, tells: () => {} });
    const { id } = call.body as { readonly id?: unknown };
    const shown = Array.isArray(answer?.body) ? answer.body.find((one) => one?.id === id) : answer?.body;
    return (shown ?? {}) as Known['shown'];
  }
}

/** Errors of the layers below that are answered with Keycloak's bodies. */
const TOLD = ['realm_invalid', 'realm_exists', LAST_ADMINISTRATOR];

async function told<T>(handle: () => Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof HostError && TOLD.includes(code ?? ''))
      throw new AdminError(error.status, { errorMessage: error.message });
    if (code === 'realm_gone') throw notFound('Realm not found.');
    throw error;
  }
}
