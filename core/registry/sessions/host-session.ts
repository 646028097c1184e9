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
import type { Generation } from '../generations/generation.js';
import { PluginRights } from '../loading/plugin-rights.js';
import { RealmAdministration } from './administration/administered-realm.js';
import type { Caller } from './caller.js';
import { withCause } from './causes.js';
import { findProviders } from './found-providers.js';
import { pluginNamespace, writeInState } from './plugin-namespace.js';
import { pluginStore } from './plugin-store.js';
import type { ProviderCalls } from './provider-calls.js';
import type { SessionFactory } from './session-factory.js';
import type { ActionTokenRequest, CredentialToCheck, LoginLinkToIssue, PluginRequest } from './session-services.js';
import { type AuthenticatedCaller, requireAudience } from './token-audience.js';

/** The current step of a login in a browser. */
export interface LoginStep {
  /** The name of the login. */
  readonly login: string;
  /** Called when a plugin has issued a link during the step, to bind the link to it. */
  onLinkIssued(link: { readonly id: string; readonly plugin: string }): void;
}

/** The user of a login, and the plugin to which the current step, condition or required action belongs. */
export interface LoginSubject {
  readonly userId: string;
  readonly isProven: boolean;
  readonly plugin: string | undefined;
}

/**
 * The host's implementation of a session. Its parts are created on first use, because most sessions need few of them.
 * It is one class, because every member depends on the same state: whether the session has ended, its caller and its
 * fence.
 */
export class HostSession extends RealmAdministration implements Session {
  readonly realm: RealmView;
  readonly caller: Caller;
  readonly #factory: SessionFactory;
  readonly #realm: Realm;
  readonly #plugin: string;
  readonly #closeFunctions: { close: () => unknown; plugin: string }[] = [];
  readonly #endListeners: (() => void)[] = [];
  readonly #readCount = { count: 0 };
  #innerSessions: HostSession[] | undefined;
  #abort: AbortController | undefined;
  #isAborted = false;
  #principal: Principal | undefined;
  #authenticated: AuthenticatedCaller | undefined;
  /** The plugins that may accept the caller's token. */
  readonly #acceptedPlugins = new Set<string>();
  #subject: LoginSubject | undefined;
  #countedUserId: string | undefined;
  #step: LoginStep | undefined;
  #isClosed = false;

  constructor(factory: SessionFactory, realm: Realm, caller: Caller, plugin: string) {
    // The host's own providers get no rights through their session.
    const pluginAccess = { plugin, rights: PluginRights.none.forRealm(realm.name) };
    super({
      request: (...requestArguments) => this.administer({ ...pluginAccess, requestArguments }),
      findClient: (clientId) => this.findClient(clientId),
      verify: (userId, credential) => this.verifyCredential({ ...pluginAccess, userId, credential }),
    });
    this.realm = realm.view;
    this.caller = caller;
    this.#factory = factory;
    this.#realm = realm;
    this.#plugin = plugin;
  }

  /** The realm itself with its secrets, for the host's own providers. */
  get compiledRealm(): Realm {
    return this.#realm;
  }

  /** The generation in which this request or call looks up all providers. */
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
    if (this.#isAborted) this.#abort.abort();
    return this.#abort.signal;
  }

  get remoteAddress(): string {
    return this.caller.ip;
  }

  override get users(): Session['users'] {
    return { ...super.users, ...this.knownUsers };
  }

  /** The methods of `users` that require no right. */
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

  /**
   * Sends a plugin's request to the Admin REST API.
   * @throws HostError as `session.admin.request`
   */
  async administer(request: PluginRequest): Promise<AdminAnswer> {
    return this.#write(() => this.#factory.services.adminRequest(request, this));
  }

  /**
   * Verifies a credential for a plugin.
   * @throws HostError as `session.credentials.verify`
   */
  async verifyCredential(request: CredentialToCheck): Promise<CredentialVerdict> {
    const verdict = await this.#write(() => this.#factory.services.verifyCredential(request, this));
    if (verdict === 'invalid' || verdict === 'locked') this.#countedUserId = request.userId;
    return verdict;
  }

  get ownCredentials(): Session['ownCredentials'] {
    return this.ownCredentialsOf(this.#plugin);
  }

  /** Returns the members for credentials of a plugin's own types. */
  ownCredentialsOf(plugin: string): Session['ownCredentials'] {
    const { services } = this.#factory;
    const queryFor = (type: string) => ({ session: this, plugin, type });
    return {
      list: (type) => this.#write(() => services.ownCredentials.list(queryFor(type))),
      verify: async (type, ...rest) => {
        const userId = this.#subject?.userId;
        const verdict = await this.#write(() => services.ownCredentials.verify(queryFor(type), ...rest));
        if (!verdict.valid) this.#countedUserId = userId;
        return verdict;
      },
      create: (type, ...rest) => this.#write(() => services.ownCredentials.create(queryFor(type), ...rest)),
      remove: (type, id) => this.#write(() => services.ownCredentials.remove(queryFor(type), id)),
    };
  }

  /** The user of the login, if one is known. */
  get subject(): LoginSubject | undefined {
    return this.#subject;
  }

  /**
   * Sets the user of the login.
   * @param userId the user of the next step or required action
   * @param isProven true if the login has authenticated this user
   * @param owner.plugin the plugin to which that step or action belongs
   * @param owner.step the step, if it belongs to a login in a browser
   */
  setSubject(
    userId: string | undefined,
    isProven: boolean,
    { plugin, step }: { readonly plugin?: string | undefined; readonly step?: LoginStep | undefined } = {},
  ): void {
    this.#subject = userId === undefined ? undefined : { userId, isProven, plugin };
    this.#step = step;
  }

  /** The user for whom the host has counted a wrong credential since `clearCountedUser`. */
  get countedUserId(): string | undefined {
    return this.#countedUserId;
  }

  clearCountedUser(): void {
    this.#countedUserId = undefined;
  }

  /** True during a step of a login in a browser. Links that are issued now can be bound to this step. */
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

  /** Returns the member for events of a plugin. */
  eventsOf(plugin: string): Session['events'] {
    return {
      emit: async (event) => {
        this.#requireOpen();
        const { events } = this.#factory;
        const caller = withCause(plugin, this.caller);
        const createSession = () => this.#factory.create(this.#realm, caller, 'keyhost');
        const completeEvent = { ...event, ipAddress: this.caller.ip, counted: undefined };
        // Store a success, or an event of fenced work, before this resolves: it reports what the plugin has done, such
        // as issuing a token.
        if (event.error === undefined || this.caller.fence !== undefined) {
          await this.#write(() => events.emitStored(this.#realm, completeEvent, createSession));
        } else events.emit(this.#realm, completeEvent, createSession);
      },
    };
  }

  get store(): PluginStore {
    return this.storeOf(this.#plugin);
  }

  /**
   * Returns a plugin's namespace in the store of this realm.
   * @param version the version of its state; undefined if it declares none
   */
  storeOf(plugin: string, version?: number): PluginStore {
    const { store, clock } = this.#factory;
    const namespace = pluginNamespace(plugin, version);
    const requireNamespace = () => {
      this.#requireOpen();
      return { realm: this.#realm.name, namespace };
    };
    const isFenced = this.caller.fence !== undefined;
    const runWrite = <T>(write: () => Promise<T>): Promise<T> =>
      this.#write(() =>
        version === undefined ? write() : writeInState(store, { plugin, version, isFenced }, clock.now(), write),
      );
    return pluginStore(store.entries, clock, requireNamespace, runWrite, this.#readCount);
  }

  get mail(): Session['mail'] {
    return this.mailOf(this.#plugin, PluginRights.none.forRealm(this.#realm.name));
  }

  /** Returns the member for mails of a plugin with these rights. */
  mailOf(plugin: string, rights: PluginRequest['rights']): Session['mail'] {
    return {
      send: (mail) => this.#write(() => this.#factory.services.sendMail({ plugin, rights, mail }, this)),
    };
  }

  get metrics(): Session['metrics'] {
    return this.metricsOf(this.#plugin, {});
  }

  /** Returns the member for the metrics that a plugin declares. */
  metricsOf(plugin: string, declarations: MetricDeclarations): Session['metrics'] {
    const change = async (kind: 'add' | 'set' | 'observe', name: string, value: number, labels: MetricLabels) => {
      this.#requireOpen();
      this.#factory.metrics.change({
        plugin,
        declared: declarations,
        change: kind,
        name,
        value,
        labels: { ...labels },
      });
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

  /** Returns the member for background work of a plugin in this realm. */
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

  /**
   * Issues an action token for a plugin. If the request names the login of the current step, the token is bound to that
   * step.
   */
  issueActionToken(
    request: ActionTokenRequest & Required<Pick<ActionTokenRequest, 'requestedBy'>>,
  ): Promise<IssuedActionToken> {
    return this.#bindToStep(request.requestedBy.plugin, request.login, () => this.actionTokens.issue(request));
  }

  get loginLinks(): Session['loginLinks'] {
    const pluginAccess = { plugin: this.#plugin, rights: PluginRights.none.forRealm(this.#realm.name) };
    return { issue: (request) => this.issueLoginLink({ ...pluginAccess, request }) };
  }

  /**
   * Issues a login link for a plugin, which signs a user in.
   * @throws HostError as `session.loginLinks.issue`
   */
  async issueLoginLink(request: LoginLinkToIssue): Promise<LoginLink> {
    const issue = () => this.#write(() => this.#factory.services.issueLoginLink(request, this));
    return this.#bindToStep(request.plugin, request.request?.login, issue);
  }

  /** Issues a link, and binds it to the step that was active when the plugin requested it. */
  async #bindToStep<T extends { readonly id: string }>(
    plugin: string,
    login: string | undefined,
    issue: () => Promise<T>,
  ): Promise<T> {
    const step = this.#step;
    const issued = await issue();
    if (login !== undefined && login === step?.login) step.onLinkIssued({ id: issued.id, plugin });
    return issued;
  }

  async providers<D, P>(spi: Spi<D, P>): Promise<readonly FoundProvider<D, P>[]> {
    return this.providersOf(spi);
  }

  /**
   * Returns the providers of an SPI that plugins declare.
   * @param plugin the calling plugin; undefined for the host
   * @throws HostError `spi_not_declared`, `session_closed`
   */
  providersOf<D, P>(spi: Pick<Spi<D, P>, 'id'>, plugin?: string): readonly FoundProvider<D, P>[] {
    this.#requireOpen();
    return findProviders(this, spi, plugin);
  }

  /** Creates a nested session for a provider that another plugin calls. It ends with this session, or earlier. */
  createInner(plugin: string): HostSession {
    this.#requireOpen();
    const session = this.#factory.create(this.#realm, this.caller, plugin);
    this.#innerSessions ??= [];
    this.#innerSessions.push(session);
    this.onClose(() => session.close(), plugin);
    return session;
  }

  authenticate(): Promise<Principal> {
    return this.authenticateFor(this.#plugin);
  }

  /**
   * Like `authenticate`, for a provider of that plugin.
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

  /** The caller that `authenticate` has found; undefined before, or if it found none. */
  get principal(): Principal | undefined {
    return this.#principal;
  }

  tokenRequest(form: Readonly<Record<string, string>>): Promise<TokenEndpointResponse> {
    return this.#write(() => this.#factory.services.tokenRequest(this.#realm, form, this.caller));
  }

  /**
   * Checks that the session has not ended.
   * @throws HostError `session_closed`
   */
  requireOpen(): void {
    this.#requireOpen();
  }

  /**
   * Returns a provider's result. If it takes too long, this session is aborted.
   * @throws HostError `provider_timeout` (504) if it takes longer than the time limit
   */
  withTimeLimit<T>(answer: Promise<T> | T): Promise<T> {
    return this.#factory.callLimit.watch(Promise.resolve(answer), () => this.abort());
  }

  /** Aborts the signal of this session and of nested ones, because their results are no longer needed. */
  abort(): void {
    this.#isAborted = true;
    this.#abort?.abort();
    for (const inner of this.#innerSessions ?? []) inner.abort();
  }

  /** Adds a listener that is called when the session ends, or at once if it has already ended. */
  onEnd(listener: () => void): void {
    if (this.#isClosed) listener();
    else this.#endListeners.push(listener);
  }

  /** Adds a function that is called when the session is closed. */
  onClose(close: () => unknown, plugin: string): void {
    this.#closeFunctions.push({ close, plugin });
  }

  /** Ends the session. References to it that a provider has stored no longer work. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.abort();
    for (const listener of this.#endListeners) listener();
    for (const { close, plugin } of this.#closeFunctions.reverse()) {
      try {
        await this.withTimeLimit(close());
      } catch (error) {
        const reason = messageOf(error);
        this.logger.error('closing a provider failed', { plugin, reason });
      }
    }
  }

  /**
   * Runs a write of a provider. It fails if the session has ended, or if another node has taken over the provider's
   * work.
   */
  async #write<T>(write: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    const { fence } = this.caller;
    return fence === undefined ? write() : this.#factory.store.fenced(fence, write);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new HostError('session_closed', 'the session has ended');
  }
}
