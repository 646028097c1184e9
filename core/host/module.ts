import { setTimeout as wait } from 'node:timers/promises';
import { ClaimChecks } from '../action-tokens/claim-checks.js';
import { issueActionToken } from '../action-tokens/issue-action-token.js';
import { StreamSlots } from '../admin/events/stream-slots.js';
import { CredentialCheck, PluginAdministration } from '../admin/module.js';
import { Clock, Log, Options, Version } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { OnCallEnded } from '../grpc/module.js';
import { OnAnswered, RootMiddleware } from '../http/module.js';
import { lazyMiddleware } from '../http/mount.js';
import { RequestDurations } from '../http/request-durations.js';
import { KeyRing } from '../keys/key-ring.js';
import { ProvidedKeys } from '../keys/module.js';
import type { OutboundAlarm as OutboundAlarmOf } from '../keys/outbound/plugin-request.js';
import { ConsoleLogins } from '../login/console/console-logins.js';
import { PluginCredentials } from '../login/credentials/plugin-credentials.js';
import { LoginLinks } from '../login/links/login-links.js';
import { MailQueue } from '../mail/plugin-mails/mail-queue.js';
import { PluginMails } from '../mail/plugin-mails/plugin-mails.js';
import { TokenEndpoint } from '../oidc/token-endpoint.js';
import { Pages } from '../pages/pages.js';
import { FileChecks } from '../realm-files/module.js';
import { RealmFiles } from '../realm-files/realm-files.js';
import { listTrialUsers, type TrialUser } from '../realm-files/trial-users.js';
import { PublicAddress } from '../realms/public-address.js';
import { Realms } from '../realms/realms.js';
import { RemoteChanges } from '../realms/remote-changes.js';
import { PluginBackgroundWork } from '../registry/background/background.js';
import { EventDelivery } from '../registry/event-delivery/event-delivery.js';
import { EventCounts } from '../registry/events/event-counts.js';
import { OutboxCapacity } from '../registry/events/outbox-capacity.js';
import { HostPlugins } from '../registry/host-plugins.js';
import { PluginCommands } from '../registry/module.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import type { SessionServices as ServicesOfSessions } from '../registry/sessions/session-services.js';
import { Workers } from '../registry/worker/workers.js';
import { Store } from '../store/module.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { Users } from '../users/users.js';
import { Health } from './health.js';
import { HttpServers } from './http-servers.js';
import { ManagementServer } from './management-server.js';
import { Metrics } from './metrics.js';
import type { Operations as OperationsOf } from './operations.js';
import { createOwnerCommands } from './owner-commands.js';
import type { Telemetry as TelemetryOf } from './telemetry/telemetry.js';
import type { WorkerInfo } from './worker-processes/worker-info.js';

/** The services that a provider's request session uses. */
export const SessionServices = token<ServicesOfSessions>('SessionServices');
/** The OpenTelemetry exporter; undefined if it is off. */
export const Telemetry = token<TelemetryOf | undefined>('Telemetry');
/** The operations that the management port offers. */
export const Operations = token<OperationsOf>('Operations');
/** Describes this worker process; undefined for a host in a single process. */
export const Worker = token<WorkerInfo | undefined>('Worker');
/** Returns the trial users by realm; undefined in production. */
export const Trial = token<(() => Promise<ReadonlyMap<string, readonly TrialUser[]>>) | undefined>('Trial');

/** Waits this number of milliseconds before the host stops, while it still serves requests (`--shutdown-delay`). */
export const ShutdownDelay = token<(milliseconds: number) => Promise<void>>('ShutdownDelay');

/** The timer for timeouts of plugins' outbound requests; undefined for a real one. */
export const OutboundAlarm = token<OutboundAlarmOf | undefined>('OutboundAlarm');

export const hostModule = module('host', [
  service(ShutdownDelay, () => (milliseconds) => wait(milliseconds)),
  service(OutboundAlarm, () => undefined),
  service(SessionServices, (use) => {
    const accessTokens = use(AccessTokens);
    const tokenEndpoint = use(TokenEndpoint);
    const issuingParts = {
      keys: use(KeyRing),
      users: use(Users),
      clock: use(Clock),
      claims: use(ClaimChecks),
      store: use(Store),
    };
    return {
      authenticate: (realm, caller) => accessTokens.authenticate(realm, caller),
      tokenRequest: (realm, form, caller) => tokenEndpoint.inProcess(realm, form, caller),
      issueActionToken: (realm, request, session) => issueActionToken(issuingParts, realm, request, session),
      outboundRequest: async (request, signal) => {
        const { pluginRequest, outboundAlarm } = await import('../keys/outbound/plugin-request.js');
        const { privateNetworks } = use(Options);
        return pluginRequest(request, { signal, privateNetworks, alarm: use(OutboundAlarm) ?? outboundAlarm });
      },
      adminRequest: async (request, session) => (await use(PluginAdministration)()).request(request, session),
      verifyCredential: async (request, session) => (await use(CredentialCheck)()).verify(request, session),
      ownCredentials: use(PluginCredentials),
      sendMail: (request, session) => use(PluginMails).send(request, session),
      issueLoginLink: (request, session) => use(LoginLinks).issue(request, session),
      wake: (work, plugin) => use(PluginBackgroundWork).wake(work, plugin),
    };
  }),
  service(Metrics, (use) => {
    const plugins = use(HostPlugins);
    const workers = use(Workers);
    const { calls, metrics } = use(SessionFactory);
    return new Metrics(
      use(Version),
      use(RequestDurations),
      { calls, workers, metrics, status: () => plugins.updates.status() },
      use(StreamSlots),
      () => use(MailQueue),
      () => ({ delivery: use(EventDelivery), capacity: use(OutboxCapacity) }),
      use(EventCounts).totals,
    );
  }),
  service(OnAnswered, (use) => {
    const { countRequest } = use(Metrics);
    const recordRoute = use(Telemetry)?.recordRoute;
    if (recordRoute === undefined) return countRequest;
    return (ctx, milliseconds) => {
      countRequest(ctx, milliseconds);
      recordRoute(ctx);
    };
  }),
  service(OnCallEnded, (use) => use(Metrics).countGrpc),
  service(Trial, (use) => {
    const { mode, realmsDir } = use(Options);
    if (mode === 'start') return undefined;
    const checks = use(FileChecks);
    return () => listTrialUsers(realmsDir, checks);
  }),
  service(
    HttpServers,
    (use) => new HttpServers({ options: use(Options), logger: use(Log), address: use(PublicAddress) }),
  ),
  service(
    Health,
    (use) =>
      new Health({
        store: use(Store),
        changes: use(RemoteChanges),
        workers: use(Workers),
        servers: use(HttpServers),
        keys: use(ProvidedKeys),
        eventStores: () => use(EventDelivery).listStates(),
      }),
  ),
  service(Operations, (use) => {
    const health = use(Health);
    const metrics = use(Metrics);
    const plugins = use(HostPlugins);
    const files = use(RealmFiles);
    // Resolve this on first use, when the plugins are open.
    const commands = () => use(PluginCommands);
    return {
      get isStarted() {
        return health.isStarted;
      },
      health: async () => ({ checks: await health.runChecks(), plugins: plugins.availability() }),
      metrics: () => metrics.text(),
      realms: (withValues) => files.list(withValues),
      plugins: {
        look: () => commands().look(),
        reload: (module) => commands().reload(module),
        rollback: (module) => commands().rollback(module),
        restart: (module) => commands().restart(module),
      },
      owner: createOwnerCommands({
        consoleLogins: use(ConsoleLogins),
        realms: use(Realms),
        eventCounts: use(EventCounts),
        clock: use(Clock),
        statistics: use(Store).statistics,
      }),
    };
  }),
  service(ManagementServer, (use) => new ManagementServer(use(Options), use(Operations), use(Log))),
  adds(RootMiddleware, (use) => [
    lazyMiddleware(
      (path) => path === '/',
      async () => {
        const { welcomeEndpoint } = await import('../login/welcome/welcome-endpoint.js');
        const { consoleLoginObstacle } = await import('../login/console/console-offer.js');
        const users = use(Trial);
        const worker = use(Worker);
        return welcomeEndpoint({
          pages: use(Pages),
          address: use(PublicAddress),
          proxyHeaders: use(Options).proxyHeaders,
          trial: users && {
            realms: use(Realms),
            version: use(Version),
            managementUrl: () => worker?.managementUrl ?? use(ManagementServer).url,
            users,
            hasConsole: consoleLoginObstacle(use(Options)) === undefined,
          },
        });
      },
    ),
  ]),
]);
