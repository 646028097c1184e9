import type {
  FoundProvider,
  MetricDeclarations,
  PluginStore,
  Principal,
  RealmView,
  Session,
  Spi,
  TokenEndpointResponse,
} from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { PluginRights } from '../loading/plugin-rights.js';
import { loggerWith } from '../log/logger-with.js';
import { RealmAdministration } from './administration/administered-realm.js';
import type { HostSession } from './host-session.js';

/**
 * The session that a plugin's provider gets, with only the members of `Session`. The host's own session also gives
 * access to the compiled realm with its secrets, and to the credentials of the request.
 */
export class PluginSession extends RealmAdministration implements Session {
  readonly #session: HostSession;
  readonly #plugin: string;
  readonly #rights: PluginRights;
  readonly #metrics: MetricDeclarations;
  readonly #stateVersion: number | undefined;
  #foundProviders: Map<string, readonly FoundProvider<unknown, unknown>[]> | undefined;

  /**
   * @param plugin the plugin's name, which determines its namespace in the store
   * @param rights the rights of the plugin
   * @param declarations the metrics and the state version that the plugin declares
   */
  constructor(
    session: HostSession,
    plugin: string,
    rights: PluginRights,
    {
      metrics = {},
      stateVersion,
    }: { metrics?: MetricDeclarations | undefined; stateVersion?: number | undefined } = {},
  ) {
    const pluginAccess = () => ({ plugin, rights: rights.forRealm(session.realm.name) });
    super({
      request: (...requestArguments) => session.administer({ ...pluginAccess(), requestArguments }),
      findClient: (clientId) => session.findClient(clientId),
      verify: (userId, credential) => session.verifyCredential({ ...pluginAccess(), userId, credential }),
    });
    this.#session = session;
    this.#plugin = plugin;
    this.#rights = rights;
    this.#metrics = metrics;
    this.#stateVersion = stateVersion;
    Object.freeze(this);
  }

  get realm(): RealmView {
    return this.#session.realm;
  }

  get logger(): Session['logger'] {
    return loggerWith(this.#session.logger, { plugin: this.#plugin, realm: this.#session.realm.name });
  }

  get clock(): Session['clock'] {
    return this.#session.clock;
  }

  get signal(): AbortSignal {
    return this.#session.signal;
  }

  get remoteAddress(): string {
    return this.#session.remoteAddress;
  }

  override get users(): Session['users'] {
    return { ...super.users, ...this.#session.knownUsers };
  }

  override get clients(): Session['clients'] {
    return { ...super.clients, byClientId: (clientId) => this.#session.findClient(clientId) };
  }

  get events(): Session['events'] {
    return this.#session.eventsOf(this.#plugin);
  }

  get store(): PluginStore {
    return this.#session.storeOf(this.#plugin, this.#stateVersion);
  }

  get mail(): Session['mail'] {
    return this.#session.mailOf(this.#plugin, this.#rights.forRealm(this.#session.realm.name));
  }

  get metrics(): Session['metrics'] {
    return this.#session.metricsOf(this.#plugin, this.#metrics);
  }

  get outbound(): Session['outbound'] {
    return this.#session.outbound;
  }

  get background(): Session['background'] {
    return this.#session.backgroundOf(this.#plugin);
  }

  get actionTokens(): Session['actionTokens'] {
    const requestedBy = { plugin: this.#plugin, rights: this.#rights.forRealm(this.#session.realm.name) };
    return {
      issue: async ({ type, userId, claims, clientId, expiresIn, login }) =>
        this.#session.issueActionToken({
          type,
          userId,
          ...defined({ claims, clientId, expiresIn, login }),
          requestedBy,
        }),
    };
  }

  get loginLinks(): Session['loginLinks'] {
    const pluginAccess = { plugin: this.#plugin, rights: this.#rights.forRealm(this.#session.realm.name) };
    return { issue: (request) => this.#session.issueLoginLink({ ...pluginAccess, request }) };
  }

  get ownCredentials(): Session['ownCredentials'] {
    return this.#session.ownCredentialsOf(this.#plugin);
  }

  async providers<D, P>({ id }: Spi<D, P>): Promise<readonly FoundProvider<D, P>[]> {
    this.#foundProviders ??= new Map();
    const providers = this.#foundProviders.get(id) ?? this.#session.providersOf({ id }, this.#plugin);
    this.#foundProviders.set(id, providers);
    return providers as readonly FoundProvider<D, P>[];
  }

  authenticate(): Promise<Principal> {
    return this.#session.authenticateFor(this.#plugin);
  }

  tokenRequest(form: Readonly<Record<string, string>>): Promise<TokenEndpointResponse> {
    return this.#session.tokenRequest(form);
  }
}

Object.freeze(PluginSession);
Object.freeze(PluginSession.prototype);
