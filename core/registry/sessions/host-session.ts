import {
  type AdminAnswer,
  type ClientView,
  type CredentialVerdict,
  type FoundProvider,
  HostError,
  type IssuedActionToken,
  type Logger,
  type LoginLink,
  type MetricDeclarations,
  type MetricLabels,
  type PluginStore,
  type Principal,
  type RealmView,
  type Session,
  type Spi,
  type TokenEndpointResponse,
} from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { messageOf } from '../../model/thrown.js';
import type { Fence } from '../../store/fence.js';
import type { Generation } from '../generations/generation.js';
import { PluginRights } from '../loading/plugin-rights.js';
import { RealmAdministration } from './administration/administered-realm.js';
import { withCause } from './causes.js';
import { findProviders } from './found-providers.js';
import { pluginNamespace, writeInState } from './plugin-namespace.js';
import { pluginStore } from './plugin-store.js';
import type { ProviderCalls } from './provider-calls.js';
import type { SessionFactory } from './session-factory.js';
import type { CredentialToCheck, LoginLinkToIssue, PluginRequest } from './session-services.js';
import { type AuthenticatedCaller, requireAudience } from './token-audience.js';

/** The HTTP request or gRPC call behind a session. */
export interface Caller {
  readonly ip: string;
  readonly secure: boolean;
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  /** All headers of the request, for the host's own steps: values by lower-case name. */
  readonly headers?: () => Readonly<Partial<Record<string, readonly string[]>>>;
  /** The providers of the request or call, leased until it ends. */
  readonly providers: Generation;
  /** The login to which the request belongs. */
  readonly login?: {
    readonly name: string;
    readonly clientId: string;
    readonly userAgent: string;
    /** The browser's existing user session. */
    readonly userSessionId?: string;
    /** The type of the mailed link that continues it. */
    readonly link?: string;
    /** The language that the user has selected on one of its pages. */
    readonly locale?: string;
  };
  /** The chain of plugins whose changes and events led here, in order. */
  readonly causes?: readonly string[];
  /** The fence that the store checks on its writes, for work that runs on one node at a time. */
  readonly fence?: Fence;
}

/** A realm and its caller. */
export interface CalledRealm {
  readonly realm: Realm;
  readonly caller: Caller;
}

/** The current step of a browser's login. */
export interface LoginStep {
  /** The name of the login. */
  readonly login: string;
  /** Binds a link to the step. @param plugin the plugin that issued it */
  issued(link: { readonly id: string; readonly plugin: string }): void;
}

/** The user of a login, and the plugin of the current step, condition or action. */
export interface LoginSubject {
  readonly userId: string;
  readonly isProven: boolean;
  readonly plugin: string | undefined;
}

/** A request for an action token. */
export type ActionTokenRequest = Parameters<Session['actionTokens']['issue']>[0] & {
  /** Called before the token is stored. */
  readonly onSigned?: (token: Pick<IssuedActionToken, 'id' | 'expiresIn'>) => void;
  /** The requesting plugin; undefined for the host. */
  readonly by?: Pick<PluginRequest, 'plugin' | 'rights'>;
};

/** The host's side of a session. Its parts are created on first use, because most sessions need few of them. */
export class HostSession extends RealmAdministration implements Session {
  readonly realm: RealmView;
  readonly caller: Caller;
  readonly #factory: SessionFactory;
  readonly #realm: Realm;
  readonly #plugin: string;
  readonly #closers: { close: () => unknown; plugin: string }[] = [];
  readonly #ended: (() => void)[] = [];
  readonly #reads = { count: 0 };
  #inner: HostSession[] | undefined;
  #abort: AbortController | undefined;
  #principal: Principal | undefined;
  #authenticated: AuthenticatedCaller | undefined;
  /** Plugins for which the caller's token is valid. */
  readonly #acceptedPlugins = new Set<string>();
  #subject: LoginSubject | undefined;
  #countedUserId: string | undefined;
  #step: LoginStep | undefined;
  #closed = false;

  constructor(factory: SessionFactory, realm: Realm, caller: Caller, plugin: string) {
    // The host's own providers have no rights through their session.
    const own = { plugin, rights: PluginRights.none.in(realm.name) };
    super({
      request: (...asked) => this.administer({ ...own, asked }),
      findClient: (clientId) => this.findClient(clientId),
      verify: (userId, credential) => this.verifyCredential({ ...own, userId, credential }),
    });
    this.realm = realm.view;
    this.caller = caller;
    this.#factory = factory;
    this.#realm = realm;
    this.#plugin = plugin;
  }

  /** The realm itself, for the host's own providers. */
  get compiledRealm(): Realm {
    return this.#realm;
  }

  /** The generation through which everything in this request or call is resolved. */
  get generation(): Generation {
    return this.caller.providers;
  }

  get calls(): ProviderCalls {
    return this.#factory.calls;
  }

  get clock(): Clock {
    return this.#factory.clock;
  }

  get logger(): Logger {
    return this.#factory.logger;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#closed) this.#abort.abort();
    return this.#abort.signal;
  }

  get remoteAddress(): string {
    return this.caller.ip;
  }

  override get users(): Session['users'] {
    return { ...super.users, ...this.knownUsers };
  }

  /** The methods that need no right. */
  get knownUsers(): Pick<Session['users'], 'byId' | 'byUsername' | 'isAdmin'> {
    const { users } = this.#factory;
    const realm = this.#realm;
    const byId = async (id: string) => {
      this.#requireOpen();
      return users.byId(realm, id);
    };
    return {
      byId: async (id) => (await byId(id))?.view,
      byUsername: async (username) => {
        this.#requireOpen();
        return (await users.byUsername(realm, username))?.view;
      },
      isAdmin: async (id) => (await byId(id))?.isAdmin(realm) ?? false,
    };
  }

  override get clients(): Session['clients'] {
    return { ...super.clients, byClientId: (clientId) => this.findClient(clientId) };
  }

  /** Calls the Admin REST API for a plugin. @throws HostError as `session.admin.request` */
  async administer(request: PluginRequest): Promise<AdminAnswer> {
    return this.#write(() => this.#factory.services.adminRequest(request, this));
  }

  /** Checks a credential for a plugin. @throws HostError as `session.credentials.verify` */
  async verifyCredential(request: CredentialToCheck): Promise<CredentialVerdict> {
    const verdict = await this.#write(() => this.#factory.services.verifyCredential(request, this));
    if (verdict === 'invalid' || verdict === 'locked') this.#countedUserId = request.userId;
    return verdict;
  }

  get ownCredentials(): Session['ownCredentials'] {
    return this.ownCredentialsOf(this.#plugin);
  }

  /** Credentials of a plugin's own types. */
  ownCredentialsOf(plugin: string): Session['ownCredentials'] {
    const { services } = this.#factory;
    const asked = (type: string) => ({ session: this, plugin, type });
    return {
      list: (type) => this.#write(() => services.ownCredentials.list(asked(type))),
      verify: async (type, ...rest) => {
        const userId = this.#subject?.userId;
        const verdict = await this.#write(() => services.ownCredentials.verify(asked(type), ...rest));
        if (!verdict.valid) this.#countedUserId = userId;
        return verdict;
      },
      create: (type, ...rest) => this.#write(() => services.ownCredentials.create(asked(type), ...rest)),
      remove: (type, id) => this.#write(() => services.ownCredentials.remove(asked(type), id)),
    };
  }

  /** The current user of the login. */
  get subject(): LoginSubject | undefined {
    return this.#subject;
  }

  /**
   * @param userId the user of the next step or action
   * @param isProven true if the login has verified this user
   * @param asked the plugin of that step or action, and the step if it belongs to a browser's login
   */
  setSubject(
    userId: string | undefined,
    isProven: boolean,
    { plugin, step }: { readonly plugin?: string | undefined; readonly step?: LoginStep | undefined } = {},
  ): void {
    this.#subject = userId === undefined ? undefined : { userId, isProven, plugin };
    this.#step = step;
  }

  /** The user for whom the host has counted a wrong credential for a plugin, since `clearCountedUser`. */
  get counted(): string | undefined {
    return this.#countedUserId;
  }

  clearCountedUser(): void {
    this.#countedUserId = undefined;
  }

  /** True during a step of a login: then links can be issued that only this step accepts. */
  get isAtStep(): boolean {
    return this.#step !== undefined;
  }

  async findClient(clientId: string): Promise<ClientView | undefined> {
    this.#requireOpen();
    return this.#realm.clients.get(clientId)?.view;
  }

  get events(): Session['events'] {
    return this.eventsOf(this.#plugin);
  }

  /** Events of a plugin. */
  eventsOf(plugin: string): Session['events'] {
    return {
      emit: async (event) => {
        this.#requireOpen();
        const { events } = this.#factory;
        const caller = withCause(plugin, this.caller);
        const own = () => this.#factory.create(this.#realm, caller, 'keyhost');
        const whole = { ...event, ipAddress: this.caller.ip, counted: undefined };
        // Store the event of a plugin's action, such as issuing a token, before the result is returned.
        if (event.error === undefined || this.caller.fence !== undefined) {
          await this.#write(() => events.emitStored(this.#realm, whole, own));
        } else events.emit(this.#realm, whole, own);
      },
    };
  }

  get store(): PluginStore {
    return this.storeOf(this.#plugin);
  }

  /**
   * A plugin's namespace in the store of this realm. @param version the version of its state; undefined if it declares
   * none
   */
  storeOf(plugin: string, version?: number): PluginStore {
    const { store, clock } = this.#factory;
    const namespace = pluginNamespace(plugin, version);
    const place = () => {
      this.#requireOpen();
      return { realm: this.#realm.name, namespace };
    };
    const isFenced = this.caller.fence !== undefined;
    const writing = <T>(write: () => Promise<T>): Promise<T> =>
      this.#write(() =>
        version === undefined ? write() : writeInState(store, { plugin, version, isFenced }, clock.now(), write),
      );
    return pluginStore(store.entries, clock, place, writing, this.#reads);
  }

  get mail(): Session['mail'] {
    return this.mailOf(this.#plugin, PluginRights.none.in(this.#realm.name));
  }

  /** The mails of a plugin with these rights. */
  mailOf(plugin: string, rights: PluginRequest['rights']): Session['mail'] {
    return {
      send: (mail) => this.#write(() => this.#factory.services.sendMail({ plugin, rights, mail }, this)),
    };
  }

  get metrics(): Session['metrics'] {
    return this.metricsOf(this.#plugin, {});
  }

  /** The metrics that a plugin declares. */
  metricsOf(plugin: string, declared: MetricDeclarations): Session['metrics'] {
    const change = async (what: 'add' | 'set' | 'observe', name: string, value: number, labels: MetricLabels) => {
      this.#requireOpen();
      this.#factory.metrics.change({ plugin, declared, change: what, name, value, labels: { ...labels } });
    };
    return {
      add: (name, by = 1, labels = {}) => change('add', name, by, labels),
      set: (name, value, labels = {}) => change('set', name, value, labels),
      observe: (name, value, labels = {}) => change('observe', name, value, labels),
    };
  }

  get outbound(): Session['outbound'] {
    return {
      request: async (request) => {
        this.#requireOpen();
        return this.#factory.services.outboundRequest(request, this.signal);
      },
    };
  }

  get background(): Session['background'] {
    return this.backgroundOf(this.#plugin);
  }

  /** The background work of a plugin in this realm. */
  backgroundOf(plugin: string): Session['background'] {
    return {
      wake: async ({ id: spi }, id, part) => {
        this.#requireOpen();
        this.#factory.services.wake({ realm: this.#realm.name, provider: `${spi}/${id}`, part }, plugin);
      },
    };
  }

  get actionTokens(): { issue(request: ActionTokenRequest): Promise<IssuedActionToken> } {
    return {
      issue: (request) => this.#write(() => this.#factory.services.issueActionToken(this.#realm, request, this)),
    };
  }

  /** Issues an action token for a plugin. With the login of a step, it belongs to that step. */
  issueActionToken(request: ActionTokenRequest & Required<Pick<ActionTokenRequest, 'by'>>): Promise<IssuedActionToken> {
    return this.#bindToStep(request.by.plugin, request.login, () => this.actionTokens.issue(request));
  }

  get loginLinks(): Session['loginLinks'] {
    const own = { plugin: this.#plugin, rights: PluginRights.none.in(this.#realm.name) };
    return { issue: (request) => this.issueLoginLink({ ...own, request }) };
  }

  /** Issues a link that signs a user in, for a plugin. @throws HostError as `session.loginLinks.issue` */
  async issueLoginLink(request: LoginLinkToIssue): Promise<LoginLink> {
    const issue = () => this.#write(() => this.#factory.services.issueLoginLink(request, this));
    return this.#bindToStep(request.plugin, request.request?.login, issue);
  }

  /** Issues a link and binds it to the step that was active when the plugin called. */
  async #bindToStep<T extends { readonly id: string }>(
    plugin: string,
    login: string | undefined,
    issue: () => Promise<T>,
  ): Promise<T> {
    const step = this.#step;
    const issued = await issue();
    if (login !== undefined && login === step?.login) step.issued({ id: issued.id, plugin });
    return issued;
  }

  async providers<D, P>(spi: Spi<D, P>): Promise<readonly FoundProvider<D, P>[]> {
    return this.providersOf(spi);
  }

  /** @param plugin the calling plugin; undefined for the host @throws HostError `spi_not_declared`, `session_closed` */
  providersOf<D, P>(spi: Pick<Spi<D, P>, 'id'>, plugin?: string): readonly FoundProvider<D, P>[] {
    this.#requireOpen();
    return findProviders(this, spi, plugin);
  }

  /** Creates a nested session for a provider that its plugin calls. It ends with this session, or earlier. */
  inner(plugin: string): HostSession {
    this.#requireOpen();
    const inner = this.#factory.create(this.#realm, this.caller, plugin);
    this.#inner ??= [];
    this.#inner.push(inner);
    this.onClose(() => inner.close(), plugin);
    return inner;
  }

  authenticate(): Promise<Principal> {
    return this.authenticateFor(this.#plugin);
  }

  /**
   * As `authenticate`, for a provider of that plugin.
   * @param scope a scope that the route or method requires
   */
  async authenticateFor(plugin: string, scope?: string): Promise<Principal> {
    this.#requireOpen();
    this.#authenticated ??= await this.#factory.services.authenticate(this.#realm, this.caller);
    if (!this.#acceptedPlugins.has(plugin)) requireAudience(this, plugin, this.#authenticated, scope);
    this.#acceptedPlugins.add(plugin);
    this.#principal = this.#authenticated.principal;
    return this.#principal;
  }

  /** The caller that `authenticate` has found; undefined before, or if there was none. */
  get principal(): Principal | undefined {
    return this.#principal;
  }

  tokenRequest(form: Readonly<Record<string, string>>): Promise<TokenEndpointResponse> {
    return this.#write(() => this.#factory.services.tokenRequest(this.#realm, form, this.caller));
  }

  /** @throws HostError `session_closed` if it has ended */
  requireOpen(): void {
    this.#requireOpen();
  }

  /** Returns the provider's result. @throws HostError (504) if it takes longer than the limit */
  withTimeLimit<T>(answer: Promise<T> | T): Promise<T> {
    return this.#factory.callLimit.watch(Promise.resolve(answer), () => this.abort());
  }

  /** Aborts the signal of the session's providers, because their results are no longer needed. */
  abort(): void {
    this.#abort?.abort();
    for (const inner of this.#inner ?? []) inner.abort();
  }

  /** Adds a listener that is called once when the session ends, or at once if it has ended. */
  onEnd(ended: () => void): void {
    if (this.#closed) ended();
    else this.#ended.push(ended);
  }

  /** Adds a function that is called when the session ends. */
  onClose(close: () => unknown, plugin: string): void {
    this.#closers.push({ close, plugin });
  }

  /** Ends the session: references to it that a provider has stored no longer work. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.abort();
    for (const ended of this.#ended) ended();
    for (const { close, plugin } of this.#closers.reverse()) {
      try {
        await this.withTimeLimit(close());
      } catch (error) {
        const reason = messageOf(error);
        this.logger.error('closing a provider failed', { plugin, reason });
      }
    }
  }

  /**
   * Wraps all writes of a provider: they fail when the session has ended, or if another node has taken over its work.
   */
  async #write<T>(write: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    const { fence } = this.caller;
    return fence === undefined ? write() : this.#factory.store.fenced(fence, write);
  }

  #requireOpen(): void {
    if (this.#closed) throw new HostError('session_closed', 'the session has ended');
  }
}
