import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Authenticator, type Logger, ProtocolMapper } from '@keyhost/spi';
import { accountOnDemand } from '../account/account-on-demand.js';
import { ClaimChecks } from '../action-tokens/claim-checks.js';
import { actionTokenEndpoint } from '../action-tokens/endpoint.js';
import { issueActionToken } from '../action-tokens/issue-action-token.js';
import { LinkMails } from '../action-tokens/link-mails.js';
import { MailedLinks } from '../action-tokens/mailed-links.js';
import { adminApi } from '../admin/admin-api.js';
import { operationsOnDemand } from '../admin/operations-on-demand.js';
import { clientRegistrations } from '../admin/registration/registration-endpoint.js';
import { brokerEndpoints } from '../broker/broker-endpoints.js';
import { brokerLogout } from '../broker/broker-logout.js';
import { Brokering } from '../broker/brokering.js';
import { FederatedIdentities } from '../broker/federated-identities.js';
import { VerifiedAccounts } from '../broker/first-login/verified-accounts.js';
import { logoutByProviderEndpoint } from '../broker/logout-by-provider.js';
import { ProviderRequests } from '../broker/provider-requests.js';
import { ProviderTokens } from '../broker/provider-tokens.js';
import { BootError } from '../config/boot-error.js';
import type { HostOptions } from '../config/options/options.js';
import { newOpenRedirects } from '../config/realm-file/open-redirects.js';
import { brokenPromises, newPromises } from '../config/realm-file/unbuilt-locks.js';
import { GrpcOnDemand } from '../grpc/grpc-on-demand.js';
import { createApp } from '../http/app.js';
import { createManagementServer } from '../http/management.js';
import { pluginEndpoints } from '../http/plugin-endpoints.js';
import { realmDispatch } from '../http/realm-dispatch.js';
import { realmResources } from '../http/realm-resources.js';
import { KeyRing } from '../keys/key-ring.js';
import { AuthenticationSessions } from '../login/authentication-sessions.js';
import { BrowserLogin } from '../login/browser-login.js';
import { deviceEndpoints } from '../login/device/device-endpoints.js';
import { UserCodeGuesses } from '../login/device/user-code-guesses.js';
import { DirectGrantLogin } from '../login/direct-grant.js';
import { frameEndpoints } from '../login/frames/frame-endpoints.js';
import { Impersonation } from '../login/impersonation.js';
import { AdminMails } from '../login/links/admin-mails.js';
import { Background } from '../login/links/background.js';
import { endOfLinkEndpoint } from '../login/links/end-of-link.js';
import { forgottenPasswordEndpoint } from '../login/links/forgotten-password.js';
import { LinkLogins } from '../login/links/link-logins.js';
import { OutstandingLinks } from '../login/links/outstanding-links.js';
import { loginActionEndpoints } from '../login/login-actions.js';
import { BackchannelLogout } from '../login/logout/backchannel-logout.js';
import { logoutEndpoints } from '../login/logout/logout-endpoint.js';
import { SessionEnding } from '../login/logout/session-ending.js';
import { registrationEndpoint } from '../login/registration/registration-endpoints.js';
import { RegistrationLimit } from '../login/registration/registration-limit.js';
import { OtpCredentials } from '../login/steps/otp/otp-credentials.js';
import { RecoveryCodes } from '../login/steps/recovery/recovery-codes.js';
import { WebAuthnCredentials } from '../login/steps/webauthn/webauthn-credentials.js';
import { welcomeEndpoint } from '../login/welcome/welcome-endpoint.js';
import { Mailer, type WrittenMail } from '../mail/mailer.js';
import { RealmMails } from '../mail/realm-mails.js';
import { TestMails } from '../mail/test-mails.js';
import { type Clock, systemClock } from '../model/clock.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import { RoleGraph } from '../model/roles.js';
import { AuthorizationCodes } from '../oidc/authorization/authorization-codes.js';
import { authorizationEndpoints } from '../oidc/authorization/authorization-endpoint.js';
import { PushedAuthorization } from '../oidc/authorization/pushed-authorization.js';
import { ClientAuthentication } from '../oidc/client-authentication.js';
import { deviceAuthorizationEndpoint } from '../oidc/devices/device-authorization.js';
import { DeviceCodes } from '../oidc/devices/device-codes.js';
import { ANY_CLIENT_INTROSPECTS, introspectionEndpoint, letsAnyClientIntrospect } from '../oidc/introspection.js';
import { metadataEndpoints } from '../oidc/metadata.js';
import { revocationEndpoint } from '../oidc/revocation.js';
import { TokenEndpoint } from '../oidc/token-endpoint.js';
import { userinfoEndpoint } from '../oidc/userinfo.js';
import { errorPages } from '../pages/error-pages.js';
import { OWN_LOCALES } from '../pages/messages/texts.js';
import { Pages } from '../pages/pages.js';
import { loginResources } from '../pages/resources/login-resources.js';
import type { FileChecks } from '../realm-files/checked-file.js';
import { productionProblems } from '../realm-files/production-realm.js';
import { RealmFiles } from '../realm-files/realm-files.js';
import { type TrialUser, trialUsers } from '../realm-files/trial-users.js';
import { flowProblems } from '../realms/flows/flow-checks.js';
import { PublicAddress } from '../realms/public-address.js';
import { RealmEdits } from '../realms/realm-edits.js';
import { Realms } from '../realms/realms.js';
import { Events } from '../registry/events/events.js';
import type { ProviderRegistry } from '../registry/generations/registry.js';
import { formatBootTree } from '../registry/loading/boot-tree.js';
import type { ImportedPlugin } from '../registry/loading/load-plugins.js';
import { SessionFactory } from '../registry/sessions/session.js';
import type { PluginUpdates } from '../registry/updates/plugin-updates.js';
import { Workers } from '../registry/worker/workers.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';
import { openStore } from '../store/sqlite/open-store.js';
import type { Store } from '../store/store.js';
import { startSweeper } from '../store/sweeper.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { ClaimMapping, visibleRoles } from '../tokens/claims.js';
import { exampleClaims } from '../tokens/example-claims.js';
import { TokenIssuer } from '../tokens/issue-tokens.js';
import { LoginFailures } from '../users/passwords/login-failures.js';
import { PasswordHasher } from '../users/passwords/password.js';
import { PasswordLogins } from '../users/passwords/password-logins.js';
import { Users } from '../users/users.js';
import { builtInPlugins } from './built-in-plugins.js';
import { HostPlugins } from './host-plugins.js';
import { isLoopbackOrAll, listen, listenHttp, reachableHost } from './listen.js';
import { createLogger } from './log.js';
import { writeManagementAccess } from './management-access.js';
import { openMaster } from './master-realm.js';
import { Metrics } from './metrics.js';
import { checkProductionOptions } from './production-checks.js';
import { realmsFit } from './realms-fit.js';

/** How long requests under way may take once the host stops, in milliseconds. */
const DRAIN_MS = 8_000;

/** How long an identity provider may take to answer one request, in milliseconds. */
const IDENTITY_PROVIDER_MS = 5_000;

export interface HostParts {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** A store of the caller's, such as one in memory. It is closed with the host. */
  readonly store?: Store;
  /** Plugins that are at hand, by their names in plugins.json. */
  readonly imported?: ReadonlyMap<string, ImportedPlugin>;
  /** Limit of a plugin's import and open, in milliseconds. */
  readonly pluginTimeoutMs?: number;
  /** Limit of a provider's answer to one request, in milliseconds. */
  readonly callTimeoutMs?: number;
  /** How many passwords may wait to be hashed. */
  readonly passwordQueueLimit?: number;
  /** Told of mails that became files. */
  readonly onMailWritten?: (written: WrittenMail) => void;
  /** How long calls may stay with plugins that were replaced, in milliseconds. */
  readonly drainTimeoutMs?: number;
  /** How long an identity provider may take to answer one request, in milliseconds. */
  readonly providerTimeoutMs?: number;
  /** Called with the number of plugins' threads that hang in native code, where only the end of the process ends them. */
  readonly onStuck?: (threads: number) => void;
}

/** A host that listens. */
export interface Host {
  /** The address listened on with the relative path, such as `http://127.0.0.1:8080/auth`. */
  readonly url: string;
  /** `host:port` of the gRPC server; undefined while no plugin has provided a gRPC service. */
  readonly grpcAddress: string | undefined;
  readonly managementUrl: string;
  /** What the management port takes commands with, and tells values for. */
  readonly managementSecret: string;
  /** The public address: what issuers start with. */
  readonly publicUrl: string;
  /** What was loaded, as text. */
  readonly bootTree: string;
  /** Users to try things with, by realm: none in production. */
  trialUsers(): Promise<ReadonlyMap<string, readonly TrialUser[]>>;
  /** A bootstrap admin whose password nobody has seen yet: of this start, or of one that was interrupted. */
  readonly newAdmin: { username: string; password: string } | undefined;
  /** Called once somebody was told the password of `newAdmin`: else the next start makes another one. */
  adminTold(): Promise<void>;
  readonly realms: Realms;
  readonly users: Users;
  readonly store: Store;
  readonly keys: KeyRing;
  readonly events: Events;
  readonly registry: ProviderRegistry;
  readonly sessions: SessionFactory;
  /** Mails users links, as an admin may ask for. */
  readonly mails: LinkMails;
  readonly plugins: PluginUpdates;
  /** Drains: health turns 503, requests under way finish, everything opened is closed in reverse. */
  close(): Promise<void>;
}

/**
 * The composition root: options → plugins → store → realms → listen. Whatever fails closes what was opened.
 * @throws BootError
 */
export async function createHost(options: HostOptions, parts: HostParts = {}): Promise<Host> {
  const env = parts.env ?? {};
  const clock = parts.clock ?? systemClock;
  const logger = parts.logger ?? createLogger(options.logLevel);
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    const failures: unknown[] = [];
    for (const close of opened.splice(0).reverse()) await close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'some parts of the host did not close');
  };
  try {
    checkProductionOptions(options);
    const version = await ownVersion();
    const { imported, pluginTimeoutMs: timeoutMs, drainTimeoutMs: drainLimitMs } = parts;
    const workers = new Workers({ logger, clock, env, onStuck: (threads) => parts.onStuck?.(threads) });
    const plugins = new HostPlugins({ options, logger, workers, imported, timeoutMs, drainLimitMs });
    opened.push(() => plugins.unload());
    await plugins.load();
    const { registry } = plugins;

    const store = parts.store ?? (await openStore({ dataDir: options.dataDir }));
    opened.push(() => store.close());
    const address = new PublicAddress(options.hostname);
    const realms = new Realms(store, address, (realm) => {
      if (letsAnyClientIntrospect(realm)) logger.warn(`realm ${realm.name}: ${ANY_CLIENT_INTROSPECTS}`);
    });
    const users = new Users(store);
    const keys = new KeyRing({
      store: store.keys,
      clock,
      ...(options.masterKey === undefined ? {} : { masterKey: options.masterKey }),
    });
    const passwords = new PasswordHasher({
      ...(parts.passwordQueueLimit === undefined ? {} : { queueLimit: parts.passwordQueueLimit }),
      onWarning: ({ message, credentialId = '' }) => logger.warn(message, { credentialId }),
    });
    const events = new Events({ store, clock, logger });
    const sessions = new SessionFactory({
      users,
      events,
      store,
      clock,
      logger,
      ...(parts.callTimeoutMs === undefined ? {} : { callLimitMs: parts.callTimeoutMs }),
    });
    const mapping = new ClaimMapping();
    const { privateNetworks } = options;
    const clients = new ClientAuthentication({ store, clock, privateNetworks });
    const accessTokens = new AccessTokens({ keys, users, store, clock, clients });
    const issuer = new TokenIssuer({ keys, mapping, clock });
    const logins = { store, clock };
    const codes = new AuthorizationCodes({ store, clock });
    const devices = new DeviceCodes({ store, clock });
    const failures = new LoginFailures({ users, store, clock });
    const passwordLogins = new PasswordLogins({ users, passwords, failures });
    const otps = new OtpCredentials({ users, store, clock, passwordLogins, logger });
    const passkeys = new WebAuthnCredentials({ users, clock, passwordLogins, logger });
    const recovery = new RecoveryCodes({ users, clock, passwordLogins, logger });
    const directGrant = new DirectGrantLogin({ sessions, users });
    const mailer = new Mailer({ mailDir: options.mailDir, privateNetworks, onWritten: parts.onMailWritten });
    const links = new MailedLinks({ store, clock });
    const mails = new LinkMails({ links, mails: new RealmMails(mailer), store, clock, events, sessions });
    const background = new Background(logger);
    const identities = new FederatedIdentities({ users, clock });
    const verified = new VerifiedAccounts({ store, clock });
    const backchannel = new BackchannelLogout({ keys, clock, logger, privateNetworks });
    const ending = new SessionEnding({ store, backchannel, logger });
    const builtIns = builtInPlugins({
      ...{ store, users, keys, passwords, passwordLogins, directGrant, accessTokens, logins, codes, devices, clock },
      ...{ otps, passkeys, recovery, mails, links, identities, verified, ending, events, sessions },
      registrations: new RegistrationLimit({ store, clock }),
    });
    const host = Object.freeze({ logger, clock, version });
    const metrics = new Metrics(version, { calls: sessions.calls, workers, plugins: plugins.serving });
    const grpc = new GrpcOnDemand({ options, sessions, realms, logger, onEnded: metrics.countGrpc });
    await plugins.open(builtIns, host, grpc.inspections, [
      async (next) => (await grpc.prepare(next)).commit,
      realmsFit({ options, store, realms, logger }),
    ]);
    opened.push(() => plugins.close());
    opened.push(() => events.close());

    const apply = { store, realms, users, keys, passwords, clock };
    const { newAdmin, adminTold, isUnmanned } = await openMaster(options, apply);
    if (isUnmanned) {
      logger.warn(
        'nobody administers this host: start it with --bootstrap-admin-username and --bootstrap-admin-password',
      );
    }
    const fileChecks: FileChecks = {
      env,
      production: options.mode === 'start' ? options : undefined,
      get providers() {
        return plugins.providers;
      },
      get someLeftOut() {
        return plugins.someLeftOut;
      },
    };
    const realmFiles = new RealmFiles({ dir: options.realmsDir, version, apply, logger, checks: fileChecks });
    opened.push(() => realmFiles.close());
    await realmFiles.open();
    await realms.open();
    if (options.masterKey !== undefined) for (const name of realms.names()) await keys.realm(name);

    const edits = new RealmEdits(
      apply,
      {
        get providers() {
          return plugins.providers;
        },
        get someLeftOut() {
          return plugins.someLeftOut;
        },
        inspect: (realm) => [
          ...productionProblems(realm, plugins.providers, options),
          ...(options.mode === 'start' ? brokenPromises(realm) : []),
        ],
        inspectEdit: (realm) => flowProblems(realm, (id) => registry.find(Authenticator, id) !== undefined),
      },
      (before, after) => {
        const sentences = [...newPromises(before, after), ...newOpenRedirects(before, after)];
        for (const sentence of sentences) logger.warn(`realm ${after.realm}: ${sentence}`);
      },
    );
    const claims = new ClaimChecks();
    const tokenEndpoint = new TokenEndpoint({
      sessions,
      clients,
      issuer,
      events,
      users,
      logins,
    });
    sessions.provide({
      authenticate: (realm, caller) => accessTokens.authenticate(realm, caller),
      tokenRequest: (realm, form, caller) => tokenEndpoint.inProcess(realm, form, caller),
      issueActionToken: (realm, request, session) =>
        issueActionToken({ keys, users, clock, claims, store }, realm, request, session),
    });
    const pages = new Pages({ sessions, baseUrl: () => address.base, production: options.mode === 'start' });
    const browsers = new BrowserSessions({ keys, store, users, clock });
    const authenticationSessions = new AuthenticationSessions();
    const pushed = new PushedAuthorization({ clients, events, sessions, store, keys, clock });
    const brokering = new Brokering({
      ...{ users, identities, browsers, events, sessions, clock },
      logins: authenticationSessions,
    });
    const login = new BrowserLogin({
      ...{ sessions, users, store, clock, events, pages, codes, devices, browsers, ending, links, brokering },
      logins: authenticationSessions,
    });
    const { providerTimeoutMs = IDENTITY_PROVIDER_MS } = parts;
    const providerTokens = new ProviderTokens({ clock, privateNetworks, timeoutMs: providerTimeoutMs });
    const actionParts = { pages, events, sessions, login, browsers, logins: authenticationSessions };
    const authenticateAdmin = (realm: Realm, token: string) => adminOf(accessTokens, realm, token);
    const administration = { realms, edits, users, store, keys, clock };
    const usersToTry = () => trialUsers(options.realmsDir, fileChecks);
    let managementUrl = '';
    const trial =
      options.mode === 'start' ? undefined : { realms, version, managementUrl: () => managementUrl, users: usersToTry };
    const app = createApp({
      relativePath: options.httpRelativePath,
      ...(options.hostname === undefined ? {} : { publicPath: pathOf(options.hostname) }),
      https: options.hostname?.startsWith('https:') ?? false,
      logger,
      registry,
      onAnswered: metrics.count,
      errorPage: errorPages({ pages, realms, proxyHeaders: options.proxyHeaders }),
      middleware: [
        realmDispatch({
          realms,
          proxyHeaders: options.proxyHeaders,
          fallback: brokerEndpoints(
            {
              ...{ ...actionParts, brokering, logger, clock, tokens: providerTokens },
              requests: new ProviderRequests({ keys, clock, privateNetworks, timeoutMs: providerTimeoutMs }),
            },
            clientRegistrations(
              { ...administration, privateNetworks, events, sessions, authenticate: authenticateAdmin },
              accountOnDemand(
                { users, store, clock, events, sessions, pages, browsers, codes, ending, accessTokens },
                realmResources(sessions),
              ),
            ),
          ),
          endpoints: [
            ...metadataEndpoints({ keys }),
            ...authorizationEndpoints({ pages, events, sessions, login, pushed, keys }),
            pushed.endpoint(),
            deviceAuthorizationEndpoint({ clients, events, sessions, devices, clock }),
            ...deviceEndpoints({
              ...{ pages, events, sessions, login, devices, clock },
              guesses: new UserCodeGuesses({ store, clock }),
            }),
            ...loginActionEndpoints(actionParts),
            registrationEndpoint(actionParts),
            forgottenPasswordEndpoint({ ...actionParts, users, mails, background, clock }),
            endOfLinkEndpoint({ pages }),
            ...logoutEndpoints({
              ...{ clients, keys, store, clock, events, sessions, ending, browsers, pages },
              elsewhere: brokerLogout({ browsers, clock }),
            }),
            logoutByProviderEndpoint({ users, store, clock, ending, events, sessions, tokens: providerTokens }),
            ...frameEndpoints(),
            tokenEndpoint.endpoint(),
            introspectionEndpoint({ clients, accessTokens, mapping, keys, users, store, clock, events, sessions }),
            userinfoEndpoint({ accessTokens, mapping, keys, events, sessions }),
            revocationEndpoint({ clients, keys, store, clock, events, sessions }),
            actionTokenEndpoint({
              ...{ sessions, keys, users, store, events, clock, claims, pages },
              logins: new LinkLogins(actionParts),
            }),
          ],
        }),
        loginResources(),
        welcomeEndpoint({ pages, address, proxyHeaders: options.proxyHeaders, trial }),
        adminApi({
          ...{ realms, events, sessions, address, version, proxyHeaders: options.proxyHeaders },
          operations: operationsOnDemand({
            ...{
              ...administration,
              registry,
              leftOut: plugins.leftOut,
              workers,
              calls: sessions.calls,
              events,
              version,
              locales: OWN_LOCALES,
            },
            ...{ passwords, failures, ending, privateNetworks },
            adminMails: new AdminMails({ mails, sessions }),
            testMails: new TestMails(mailer),
            actionTokens: new OutstandingLinks({ store, clock, links, sessions }),
            impersonation: new Impersonation({ store, clock, browsers, events, sessions }),
            mapperIds: () => registry.all(ProtocolMapper).map(({ id }) => id),
            exampleClaims: ({ exchange }, kind, whose) =>
              exampleClaims({ mapping, sessions, clock }, exchange, kind, whose),
          }),
          authenticate: authenticateAdmin,
        }),
      ],
    });

    let draining = false;
    const secret = randomBytes(32).toString('base64url');
    const callback = app.callback();
    const listener: typeof callback = (request, response) => {
      if (draining) response.setHeader('connection', 'close');
      return callback(request, response);
    };
    const management = await listen(
      createManagementServer({
        checks: async () => ({ host: !draining, store: await isUp(store), threads: workers.stuck < 2 }),
        serving: plugins.serving,
        metrics: () => metrics.text(plugins.updates.status()),
        plugins: pluginEndpoints(plugins.updates, secret),
        realms: (withValues) => realmFiles.list(withValues),
        secret,
      }),
      options.managementHost,
      options.managementPort,
      '--management-port',
    );
    opened.push(() => management.close(0));
    managementUrl = `http://${reachableHost(options.managementHost)}:${management.port}`;
    if (parts.store === undefined) {
      opened.push(await writeManagementAccess(options.dataDir, { url: managementUrl, secret }));
    }
    const servers = await listenHttp(options, listener, logger);
    opened.push(async () => {
      draining = true;
      await Promise.all(servers.map(({ listening }) => listening.close(DRAIN_MS)));
    });
    const main = servers.at(-1);
    if (main === undefined)
      throw new BootError('listen_failed', 'nothing to listen on', { hint: 'give --http-port or --https-port' });
    const url = `${main.scheme}://${reachableHost(options.httpHost)}:${main.listening.port}${options.httpRelativePath}`;
    address.listensAt(url);
    if (followsHost(options)) address.alsoByLoopback();
    opened.push(() => grpc.close(DRAIN_MS));
    registry.onOverdue((generation) => grpc.endCalls(generation));
    (await grpc.prepare(registry.current)).commit();

    opened.push(() => background.close());
    opened.push(startSweeper(store, clock, logger));
    plugins.watch();
    opened.push(async () => plugins.stop());
    return {
      url,
      get grpcAddress() {
        return grpc.port === undefined ? undefined : `${reachableHost(options.grpcHost)}:${grpc.port}`;
      },
      managementUrl,
      managementSecret: secret,
      publicUrl: address.base,
      bootTree: formatBootTree(registry.list()),
      trialUsers: async () => trial?.users() ?? new Map(),
      newAdmin,
      adminTold,
      realms,
      users,
      store,
      keys,
      events,
      registry,
      sessions,
      mails,
      plugins: plugins.updates,
      close: closeAll,
    };
  } catch (error) {
    await closeAll().catch((failure: unknown) => logger.error('closing failed', { reason: String(failure) }));
    throw error;
  }
}

/** Impersonation tokens carry no role, whoever they are about: they administer nothing. */
async function adminOf(accessTokens: AccessTokens, realm: Realm, token: string) {
  const { payload, client, user, session } = await accessTokens.check(realm, token);
  const roles =
    payload.act === undefined
      ? visibleRoles({ realm, client, user, selection: client.selectScope(payload.scope) })
      : RoleGraph.names([]);
  return { client, user, roles, sessionId: session?.id };
}

/**
 * True for trying things out: without `--hostname` a developer calls the host by any name of the machine, and browsers and
 * libraries compare what they called with the issuer.
 */
function followsHost({ mode, hostname, httpHost }: HostOptions): boolean {
  return mode === 'start-dev' && hostname === undefined && isLoopbackOrAll(httpHost);
}

/** The path of the public address, without a slash at its end. */
function pathOf(hostname: string): string {
  return new URL(hostname).pathname.replace(/\/$/, '');
}

async function isUp(store: Store): Promise<boolean> {
  return store.realms.get(MASTER_REALM).then(
    () => true,
    () => false,
  );
}

async function ownVersion(): Promise<string> {
  const manifest = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}
