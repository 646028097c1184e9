import { readFile } from 'node:fs/promises';
import { GrpcService, type Logger } from '@keyhost/spi';
import { ClaimChecks } from './action-tokens/claim-checks.js';
import { actionTokenEndpoint } from './action-tokens/endpoint.js';
import { issueActionToken } from './action-tokens/issue-action-token.js';
import { adminApi } from './admin/admin-api.js';
import { adminOperations } from './admin/admin-operations.js';
import { BootError } from './config/boot-error.js';
import type { HostOptions } from './config/options.js';
import { readPluginsFile } from './config/plugins-file.js';
import { ProtoFiles } from './grpc/proto-files.js';
import { listenGrpc } from './grpc/server.js';
import { createApp } from './http/app.js';
import { createManagementServer } from './http/management.js';
import { realmDispatch } from './http/realm-dispatch.js';
import { realmResources } from './http/realm-resources.js';
import { listen, listenHttp, reachableHost } from './listen.js';
import { createLogger } from './log.js';
import { Background } from './login/action-links/background.js';
import { builtInActionTokens } from './login/action-links/built-in-action-tokens.js';
import { endOfLinkEndpoint } from './login/action-links/end-of-link.js';
import { forgottenPasswordEndpoint } from './login/action-links/forgotten-password.js';
import { LinkLogins } from './login/action-links/link-logins.js';
import { LinkMails } from './login/action-links/link-mails.js';
import { MailedLinks } from './login/action-links/mailed-links.js';
import { AuthenticationSessions } from './login/authentication-sessions.js';
import { BrowserLogin } from './login/browser-login.js';
import { BrowserSessions } from './login/browser-sessions.js';
import { builtInAuthenticators } from './login/built-in-authenticators.js';
import { deviceEndpoints } from './login/device/device-endpoints.js';
import { UserCodeGuesses } from './login/device/user-code-guesses.js';
import { DirectGrantLogin } from './login/direct-grant.js';
import { errorPages } from './login/error-pages.js';
import { frameEndpoints } from './login/frames/frame-endpoints.js';
import { loginActionEndpoints } from './login/login-actions.js';
import { BackchannelLogout } from './login/logout/backchannel-logout.js';
import { logoutEndpoints } from './login/logout/logout-endpoint.js';
import { SessionEnding } from './login/logout/session-ending.js';
import { Mailer, type WrittenMail } from './login/mail/mailer.js';
import { RealmMails } from './login/mail/realm-mails.js';
import { OtpCredentials } from './login/otp/otp-credentials.js';
import { Pages } from './login/pages/pages.js';
import { builtInRequiredActions } from './login/required-actions/built-in-required-actions.js';
import { loginResources } from './login/resources/login-resources.js';
import { createMaster } from './master-realm.js';
import { Metrics } from './metrics.js';
import { type Clock, systemClock } from './model/clock.js';
import type { Realm } from './model/realm.js';
import { RoleGraph } from './model/roles.js';
import { AccessTokens } from './oidc/access-tokens.js';
import { AuthorizationCodes } from './oidc/authorization-codes.js';
import { authorizationEndpoint } from './oidc/authorization-endpoint.js';
import { builtInGrants } from './oidc/built-in-grants.js';
import { ClaimMapping, visibleRoles } from './oidc/claims.js';
import { ClientAuthentication } from './oidc/client-authentication.js';
import { deviceAuthorizationEndpoint } from './oidc/device-authorization.js';
import { DeviceCodes } from './oidc/device-codes.js';
import { introspectionEndpoint } from './oidc/introspection.js';
import { TokenIssuer } from './oidc/issue-tokens.js';
import { protocolMappers } from './oidc/mappers.js';
import { metadataEndpoints } from './oidc/metadata.js';
import { PushedAuthorization } from './oidc/pushed-authorization.js';
import { revocationEndpoint } from './oidc/revocation.js';
import { TokenEndpoint } from './oidc/token-endpoint.js';
import { userinfoEndpoint } from './oidc/userinfo.js';
import { checkProductionOptions } from './production-checks.js';
import { applyRealmFiles } from './realm-folder.js';
import { NewPasswords } from './realms/new-password.js';
import { PasswordHasher } from './realms/password.js';
import { PasswordLogins } from './realms/password-logins.js';
import { RealmEdits } from './realms/realm-edits.js';
import { Realms } from './realms/realms.js';
import { Users } from './realms/users.js';
import { formatBootTree } from './registry/boot-tree.js';
import { Events } from './registry/events.js';
import { LoadGuard } from './registry/load-guard.js';
import { loadPlugins } from './registry/load-plugins.js';
import { logListener } from './registry/log-listener.js';
import { OPEN_LIMIT_MS, ProviderRegistry } from './registry/registry.js';
import { SessionFactory } from './registry/session.js';
import { openStore } from './store/sqlite/open-store.js';
import type { Store } from './store/store.js';
import { startSweeper } from './store/sweeper.js';
import { KeyRing } from './tokens/key-ring.js';

/** How long requests under way may take once the host stops, in milliseconds. */
const DRAIN_MS = 8_000;

export interface HostParts {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** A store of the caller's, such as one in memory. It is closed with the host. */
  readonly store?: Store;
  /** Limit of a plugin's import and open, in milliseconds. */
  readonly pluginTimeoutMs?: number;
  /** Limit of a provider's answer to one request, in milliseconds. */
  readonly callTimeoutMs?: number;
  /** Told of mails that became files. */
  readonly onMailWritten?: (written: WrittenMail) => void;
}

/** A host that listens. */
export interface Host {
  /** The address listened on with the relative path, such as `http://127.0.0.1:8080/auth`. */
  readonly url: string;
  /** `host:port` of the gRPC server; undefined when no plugin provides a gRPC service. */
  readonly grpcAddress: string | undefined;
  readonly managementUrl: string;
  /** The public address: what issuers start with. */
  readonly publicUrl: string;
  /** What was loaded, as text. */
  readonly bootTree: string;
  /** A bootstrap admin that came into being with this start, and whose password nobody has seen yet. */
  readonly newAdmin: { username: string; password: string } | undefined;
  readonly realms: Realms;
  readonly users: Users;
  readonly store: Store;
  readonly keys: KeyRing;
  readonly events: Events;
  readonly registry: ProviderRegistry;
  readonly sessions: SessionFactory;
  /** Mails users links, as an admin may ask for. */
  readonly mails: LinkMails;
  /** Drains: health turns 503, requests under way finish, everything opened is closed in reverse. */
  close(): Promise<void>;
}

/**
 * The composition root: options → plugins → store → realms → freeze → listen. Whatever fails closes what was opened.
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
    const timeout = parts.pluginTimeoutMs ?? OPEN_LIMIT_MS;
    const pluginsFile = await readPluginsFile(options.pluginsFile);
    const guard = pluginsFile.plugins.length > 0 ? new LoadGuard(timeout) : undefined;
    if (guard !== undefined) opened.push(() => guard.close());
    const found = await loadPlugins({
      pluginsFile,
      providersDir: options.providersDir,
      importTimeoutMs: timeout,
      ...(guard === undefined ? {} : { onImporting: guard.enter }),
    });
    for (const name of found.unlisted) {
      logger.info(
        `${name} lies in ${options.providersDir} but is not loaded: add {"module": "${name}"} to ${options.pluginsFile}`,
      );
    }

    const registry = new ProviderRegistry();
    const store = parts.store ?? (await openStore({ dataDir: options.dataDir }));
    opened.push(() => store.close());
    let publicUrl = options.hostname;
    const baseUrl = () => {
      if (publicUrl === undefined) throw new Error('a realm was asked for before the address of the host is known');
      return publicUrl;
    };
    const realms = new Realms(store, baseUrl);
    const users = new Users(store);
    const keys = new KeyRing({
      store: store.keys,
      clock,
      ...(options.masterKey === undefined ? {} : { masterKey: options.masterKey }),
    });
    const passwords = new PasswordHasher({
      onWarning: ({ message, credentialId = '' }) => logger.warn(message, { credentialId }),
    });
    const events = new Events({ store, registry, clock, logger });
    opened.push(() => events.close());
    const sessions = new SessionFactory({
      users,
      events,
      store,
      clock,
      logger,
      ...(parts.callTimeoutMs === undefined ? {} : { callLimitMs: parts.callTimeoutMs }),
    });
    const mapping = new ClaimMapping(registry);
    const { privateNetworks } = options;
    const clients = new ClientAuthentication({ store, clock, privateNetworks });
    const accessTokens = new AccessTokens({ keys, users, store, clock, clients });
    const issuer = new TokenIssuer({ keys, mapping, clock });
    const logins = { store, clock };
    const codes = new AuthorizationCodes({ store, clock });
    const devices = new DeviceCodes({ store, clock });
    const passwordLogins = new PasswordLogins({ users, passwords, store, clock });
    const directGrant = new DirectGrantLogin({ registry, sessions, users });
    const grants = builtInGrants({ store, users, keys, directGrant, accessTokens, logins, codes, devices, clock });
    const otps = new OtpCredentials({ users, store, clock, passwordLogins, logger });
    const authenticators = builtInAuthenticators({ passwordLogins, users, otps });
    const host = Object.freeze({ logger, clock, version });
    const protos = new ProtoFiles(options.protoDir, (id) => registry.find(GrpcService, id) !== undefined);
    const newPasswords = new NewPasswords({ users, passwords, clock });
    const mailer = new Mailer({ mailDir: options.mailDir, onWritten: parts.onMailWritten });
    const links = new MailedLinks({ store, clock });
    const realmMails = new RealmMails({ registry, mailer });
    const mails = new LinkMails({ links, mails: realmMails, store, clock, events, sessions });
    const background = new Background(logger);
    const requiredActions = builtInRequiredActions({ users, newPasswords, mails, otps });
    const actionTokens = builtInActionTokens({ registry, users, links });
    const builtIns = [protocolMappers, logListener, grants, authenticators, requiredActions, actionTokens];
    const failed = await registry.openAll(builtIns, found.loaded, host, {
      openTimeoutMs: timeout,
      inspections: new Map([[GrpcService.id, protos.inspect]]),
      ...(guard === undefined ? {} : { onOpening: guard.enter }),
    });
    opened.push(() => registry.close());
    const leftOut = [...found.failed, ...failed];
    for (const { error } of leftOut) logger.error(`an optional plugin is left out: ${error.report()}`);
    if (guard !== undefined) await guard.close();
    registry.freeze();

    const apply = { store, realms, keys, passwords, clock };
    const newAdmin = await createMaster(options, apply);
    await applyRealmFiles(options, env, registry, apply, logger, leftOut.length > 0);
    await realms.open();
    if (options.masterKey !== undefined) for (const name of realms.names()) await keys.realm(name);

    const providers = registry.list().map(({ spi, id, realmConfig }) => ({
      ...{ spi: spi.id, id, enabledBy: spi.enabledBy, realmConfig },
    }));
    const edits = new RealmEdits({ ...apply, users }, { providers, someLeftOut: leftOut.length > 0 });
    const claims = new ClaimChecks();
    const tokenEndpoint = new TokenEndpoint({
      registry,
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
      issueActionToken: (realm, request) => issueActionToken({ registry, keys, users, clock, claims }, realm, request),
    });
    const metrics = new Metrics(version);
    const pages = new Pages({ registry, sessions, baseUrl });
    const browsers = new BrowserSessions({ keys, store, users, clock });
    const authenticationSessions = new AuthenticationSessions();
    const pushed = new PushedAuthorization({ clients, events, sessions, store, keys, clock });
    const backchannel = new BackchannelLogout({ keys, clock, logger, privateNetworks });
    const ending = new SessionEnding({ store, backchannel });
    const login = new BrowserLogin({
      ...{ registry, sessions, users, store, clock, events, pages, codes, devices, browsers, ending, links },
      logins: authenticationSessions,
    });
    const actionParts = { pages, events, sessions, login, browsers, logins: authenticationSessions };
    const app = createApp({
      relativePath: options.httpRelativePath,
      https: options.hostname?.startsWith('https:') ?? false,
      logger,
      onAnswered: metrics.count,
      errorPage: errorPages({ pages, realms, proxyHeaders: options.proxyHeaders }),
      middleware: [
        realmDispatch({
          realms,
          proxyHeaders: options.proxyHeaders,
          fallback: realmResources(registry, sessions),
          endpoints: [
            ...metadataEndpoints({ registry, keys }),
            authorizationEndpoint({ pages, events, sessions, login, pushed, keys }),
            pushed.endpoint(),
            deviceAuthorizationEndpoint({ registry, clients, events, sessions, devices }),
            ...deviceEndpoints({
              ...{ pages, events, sessions, login, devices, clock },
              guesses: new UserCodeGuesses({ store, clock }),
            }),
            ...loginActionEndpoints(actionParts),
            forgottenPasswordEndpoint({ ...actionParts, users, mails, background, clock }),
            endOfLinkEndpoint({ pages }),
            ...logoutEndpoints({ clients, keys, store, clock, events, sessions, ending, browsers, pages }),
            ...frameEndpoints(),
            tokenEndpoint.endpoint(),
            introspectionEndpoint({ clients, accessTokens, mapping, keys, users, store, clock, events, sessions }),
            userinfoEndpoint({ accessTokens, mapping, keys, events, sessions }),
            revocationEndpoint({ clients, keys, store, clock, events, sessions }),
            actionTokenEndpoint({
              ...{ registry, sessions, keys, users, store, events, clock, claims, pages },
              logins: new LinkLogins(actionParts),
            }),
          ],
        }),
        loginResources(),
        adminApi({
          ...{ realms, events, sessions, baseUrl, version, proxyHeaders: options.proxyHeaders },
          operations: adminOperations({ realms, edits }),
          authenticate: (realm, token) => adminOf(accessTokens, realm, token),
        }),
      ],
    });

    let draining = false;
    const callback = app.callback();
    const listener: typeof callback = (request, response) => {
      if (draining) response.setHeader('connection', 'close');
      return callback(request, response);
    };
    const management = await listen(
      createManagementServer({
        checks: async () => ({ host: !draining, store: await isUp(store) }),
        metrics: () => metrics.text(),
      }),
      options.managementHost,
      options.managementPort,
      '--management-port',
    );
    opened.push(() => management.close(0));
    const servers = await listenHttp(options, listener, logger);
    opened.push(async () => {
      draining = true;
      await Promise.all(servers.map(({ listening }) => listening.close(DRAIN_MS)));
    });
    const main = servers.at(-1);
    if (main === undefined)
      throw new BootError('listen_failed', 'nothing to listen on', { hint: 'give --http-port or --https-port' });
    const url = `${main.scheme}://${reachableHost(options.httpHost)}:${main.listening.port}${options.httpRelativePath}`;
    if (options.hostname === undefined) publicUrl = url;
    const grpc = await listenGrpc({
      options,
      registry,
      protos,
      sessions,
      realms,
      logger,
      onEnded: metrics.countGrpc,
    });
    if (grpc !== undefined) opened.push(() => grpc.close(DRAIN_MS));

    opened.push(() => background.close());
    opened.push(startSweeper(store, clock, logger));
    return {
      url,
      grpcAddress: grpc && `${reachableHost(options.grpcHost)}:${grpc.port}`,
      managementUrl: `http://${reachableHost(options.managementHost)}:${management.port}`,
      publicUrl: baseUrl(),
      bootTree: formatBootTree(registry.list()),
      newAdmin,
      realms,
      users,
      store,
      keys,
      events,
      registry,
      sessions,
      mails,
      close: closeAll,
    };
  } catch (error) {
    await closeAll().catch((failure: unknown) => logger.error('closing failed', { reason: String(failure) }));
    throw error;
  }
}

/** Impersonation tokens carry no role, whoever they are about: they administer nothing. */
async function adminOf(accessTokens: AccessTokens, realm: Realm, token: string) {
  const { payload, client, user } = await accessTokens.check(realm, token);
  const roles =
    payload.act === undefined
      ? visibleRoles({ realm, client, user, selection: client.selectScope(payload.scope) })
      : RoleGraph.names([]);
  return { client, user, roles };
}

async function isUp(store: Store): Promise<boolean> {
  return store.realms.list().then(
    () => true,
    () => false,
  );
}

async function ownVersion(): Promise<string> {
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}
