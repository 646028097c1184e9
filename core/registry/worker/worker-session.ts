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
import type { FoundProviderDescription } from './session-calls.js';

/** The data of a session in a worker, and the function that calls the host. */
export interface SessionParts {
  readonly realm: RealmView;
  readonly remoteAddress: string;
  readonly logger: Logger;
  readonly clock: Session['clock'];
  readonly signal: AbortSignal;
  /** Calls a method of the host's session. */
  readonly call: (method: string, ...args: unknown[]) => Promise<unknown>;
}

/** A session in a worker. Its data is here, and its methods call the host's session. */
export class WorkerSession extends RealmAdministration implements Session {
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    super({
      request: (...callArguments) => parts.call('admin.request', ...callArguments) as Promise<AdminAnswer>,
      findClient: async (clientId) =>
        deepFreeze((await parts.call('clients.byClientId', clientId)) as ClientView | undefined),
      verify: (...callArguments) => parts.call('credentials.verify', ...callArguments) as Promise<CredentialVerdict>,
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
      byId: (id) => this.#callFrozen('users.byId', id),
      byUsername: (username) => this.#callFrozen('users.byUsername', username),
      isAdmin: (id) => this.#call('users.isAdmin', id),
    };
  }

  override get clients(): Session['clients'] {
    return { ...super.clients, byClientId: (clientId) => this.#callFrozen('clients.byClientId', clientId) };
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
      add: (...callArguments) => this.#call('metrics.add', ...callArguments),
      set: (...callArguments) => this.#call('metrics.set', ...callArguments),
      observe: (...callArguments) => this.#call('metrics.observe', ...callArguments),
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
      verify: (...callArguments) => this.#call('ownCredentials.verify', ...callArguments),
      create: (...callArguments) => this.#call('ownCredentials.create', ...callArguments),
      remove: (...callArguments) => this.#call('ownCredentials.remove', ...callArguments),
    };
  }

  async providers<D, P>({ id: spi }: Spi<D, P>): Promise<readonly FoundProvider<D, P>[]> {
    const descriptions = await this.#callFrozen<readonly FoundProviderDescription[]>('providers', spi);
    return descriptions.map(({ id, declaration, methods }) => {
      const provider = Object.fromEntries(
        methods.map((name) => [name, (...args: unknown[]) => this.#call('providers.call', spi, id, name, args)]),
      );
      return { id, declaration, provider } as FoundProvider<D, P>;
    });
  }

  authenticate(): Promise<Principal> {
    return this.#callFrozen('authenticate');
  }

  tokenRequest(form: Readonly<Record<string, string>>): Promise<TokenEndpointResponse> {
    return this.#call('tokenRequest', form);
  }

  #call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#parts.call(method, ...args) as Promise<T>;
  }

  /** Calls the host and freezes the result, as the host does for sessions in its own thread. */
  async #callFrozen<T>(method: string, ...args: unknown[]): Promise<T> {
    return deepFreeze(await this.#call<T>(method, ...args));
  }
}

Object.freeze(WorkerSession);
Object.freeze(WorkerSession.prototype);
