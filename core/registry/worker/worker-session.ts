import type {
  AdminAnswer,
  ClientView,
  CredentialVerdict,
  FoundProvider,
  Logger,
  PluginStore,
  Principal,
  RealmView,
  Session,
  Spi,
  TokenEndpointResponse,
} from '@keyhost/spi';
import { deepFreeze } from '../loading/deep-freeze.js';
import { RealmAdministration } from '../sessions/administration/administered-realm.js';
import type { DescribedFound } from './session-calls.js';

/** The parts of a session in a worker. */
export interface SessionParts {
  readonly realm: RealmView;
  readonly remoteAddress: string;
  readonly logger: Logger;
  readonly clock: Session['clock'];
  readonly signal: AbortSignal;
  /** Calls a method of the host's session. */
  readonly call: (method: string, ...args: unknown[]) => Promise<unknown>;
}

/** A session in a worker: its data is local, its methods call the host's session. */
export class WorkerSession extends RealmAdministration implements Session {
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    super({
      request: (...asked) => parts.call('admin.request', ...asked) as Promise<AdminAnswer>,
      findClient: async (clientId) =>
        deepFreeze((await parts.call('clients.byClientId', clientId)) as ClientView | undefined),
      verify: (...asked) => parts.call('credentials.verify', ...asked) as Promise<CredentialVerdict>,
    });
    this.#parts = parts;
    Object.freeze(this);
  }

  get realm(): RealmView {
    return this.#parts.realm;
  }

  get logger(): Logger {
    return this.#parts.logger;
  }

  get clock(): Session['clock'] {
    return this.#parts.clock;
  }

  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  get remoteAddress(): string {
    return this.#parts.remoteAddress;
  }

  override get users(): Session['users'] {
    return {
      ...super.users,
      byId: (id) => this.#view('users.byId', id),
      byUsername: (username) => this.#view('users.byUsername', username),
      isAdmin: (id) => this.#call('users.isAdmin', id),
    };
  }

  override get clients(): Session['clients'] {
    return { ...super.clients, byClientId: (clientId) => this.#view('clients.byClientId', clientId) };
  }

  get events(): Session['events'] {
    return { emit: (event) => this.#call('events.emit', event) };
  }

  get store(): PluginStore {
    return {
      get: (key) => this.#call('store.get', key),
      put: (...args) => this.#call('store.put', ...args),
      claim: (...args) => this.#call('store.claim', ...args),
      replace: (...args) => this.#call('store.replace', ...args),
      list: (...args) => this.#call('store.list', ...args),
      delete: (key) => this.#call('store.delete', key),
    };
  }

  get mail(): Session['mail'] {
    return { send: (mail) => this.#call('mail.send', mail) };
  }

  get metrics(): Session['metrics'] {
    return {
      add: (...asked) => this.#call('metrics.add', ...asked),
      set: (...asked) => this.#call('metrics.set', ...asked),
      observe: (...asked) => this.#call('metrics.observe', ...asked),
    };
  }

  get outbound(): Session['outbound'] {
    return { request: (request) => this.#call('outbound.request', request) };
  }

  get background(): Session['background'] {
    return { wake: ({ id: spi }, id, part) => this.#call('background.wake', spi, id, part) };
  }

  get actionTokens(): Session['actionTokens'] {
    return { issue: (request) => this.#call('actionTokens.issue', request) };
  }

  get loginLinks(): Session['loginLinks'] {
    return { issue: (request) => this.#call('loginLinks.issue', request) };
  }

  get ownCredentials(): Session['ownCredentials'] {
    return {
      list: (type) => this.#call('ownCredentials.list', type),
      verify: (...asked) => this.#call('ownCredentials.verify', ...asked),
      create: (...asked) => this.#call('ownCredentials.create', ...asked),
      remove: (...asked) => this.#call('ownCredentials.remove', ...asked),
    };
  }

  async providers<D, P>({ id: spi }: Spi<D, P>): Promise<readonly FoundProvider<D, P>[]> {
    const found = await this.#view<readonly DescribedFound[]>('providers', spi);
    return found.map(({ id, declaration, methods }) => {
      const provider = Object.fromEntries(
        methods.map((name) => [name, (...args: unknown[]) => this.#call('providers.call', spi, id, name, args)]),
      );
      return { id, declaration, provider } as FoundProvider<D, P>;
    });
  }

  authenticate(): Promise<Principal> {
    return this.#view('authenticate');
  }

  tokenRequest(form: Readonly<Record<string, string>>): Promise<TokenEndpointResponse> {
    return this.#call('tokenRequest', form);
  }

  #call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#parts.call(method, ...args) as Promise<T>;
  }

  /** Views are frozen, as in the host. */
  async #view<T>(method: string, ...args: unknown[]): Promise<T> {
    return deepFreeze(await this.#call<T>(method, ...args));
  }
}

Object.freeze(WorkerSession);
Object.freeze(WorkerSession.prototype);
