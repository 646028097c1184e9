import { endOfLifeSince } from '../config/node-releases.js';
import type { Container } from '../di/container.js';
import { Clock, Log, Options, StartedAt, Version } from '../di/host-tokens.js';
import { BuiltInPlugins } from '../di/providers.js';
import { GrpcOnDemand } from '../grpc/grpc-on-demand.js';
import { Application } from '../http/module.js';
import { KeyRing } from '../keys/key-ring.js';
import { MailQueue } from '../mail/plugin-mails/mail-queue.js';
import { RealmFiles } from '../realm-files/realm-files.js';
import { checkRealmsFit } from '../realm-files/realms-fit.js';
import { ApplyServices } from '../realms/module.js';
import { PublicAddress } from '../realms/public-address.js';
import { Realms } from '../realms/realms.js';
import { RemoteChanges } from '../realms/remote-changes.js';
import { PluginBackgroundWork } from '../registry/background/background.js';
import { EventDelivery } from '../registry/event-delivery/event-delivery.js';
import { EventCounts } from '../registry/events/event-counts.js';
import { Events } from '../registry/events/events.js';
import { ProviderRegistry } from '../registry/generations/registry.js';
import { HostPlugins } from '../registry/host-plugins.js';
import { TamperingWatch } from '../registry/loading/tampering-watch.js';
import { PluginLog } from '../registry/log/plugin-log.js';
import { NodeList } from '../registry/nodes/node-list.js';
import { NodeMessages } from '../registry/nodes/node-messages.js';
import { RollingUpdates } from '../registry/nodes/rolling-updates.js';
import { Schedules } from '../registry/schedules/schedules.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { PluginStates } from '../registry/updates/plugin-states.js';
import { Store } from '../store/module.js';
import { openStore } from '../store/open-store.js';
import { ownDataDirectory } from '../store/own-data-directory.js';
import { startSweeper } from '../store/sweeper.js';
import { startUserIndexer } from '../store/user-indexer.js';
import { Health } from './health.js';
import { HttpServers } from './http-servers.js';
import { writeManagementAccess } from './management-access.js';
import { ManagementServer } from './management-server.js';
import { type MasterRealm, openMaster } from './master-realm.js';
import { Metrics } from './metrics.js';
import { SessionServices, ShutdownDelay, Telemetry, Worker } from './module.js';
import { NodeClock } from './node-clock.js';
import { withStartupLock } from './startup-lock.js';

/** The result of a start. */
export interface StartResult extends Omit<MasterRealm, 'lacksAdmin'> {
  /** The base URL of the realms. */
  readonly url: string;
}

/**
 * Starts a host in this order: loads plugins, opens the store, opens plugins and realms, and listens. Each step
 * registers its close function with the container, which calls them in reverse order when the host stops.
 * @throws BootError
 */
export async function boot(container: Container): Promise<StartResult> {
  await loadPlugins(container);
  const ownsDataDir = await openStoreOfOptions(container);
  await followStoreClock(container);
  container.value(StartedAt, container.use(Clock).now());
  warnAboutNode(container);
  await openPlugins(container);
  const { newAdmin, onAdminDisplayed } = await openRealms(container);
  return { url: await openServers(container, ownsDataDir), newAdmin, onAdminDisplayed };
}

/**
 * Warns in production if this version of Node.js gets no security fixes. In development any supported version is fine.
 */
function warnAboutNode({ use }: Container): void {
  if (use(Options).mode !== 'start') return;
  const since = endOfLifeSince(process.version, use(Clock).now());
  if (since !== undefined)
    use(Log).warn(`Node.js ${process.version} has had no security fixes since ${since}: use one that is maintained`);
}

async function loadPlugins(container: Container): Promise<void> {
  const plugins = container.use(HostPlugins);
  container.onClose('copies of plugins', () => plugins.unload());
  await plugins.load();
}

/**
 * Opens the store of the options, unless the caller has provided one.
 * @returns true if this host owns the data directory
 */
async function openStoreOfOptions(container: Container): Promise<boolean> {
  const isProvided = container.has(Store);
  // In a worker, the parent process owns the data directory.
  const isOwnedHere = !isProvided && container.use(Worker) === undefined;
  if (!isProvided) {
    const options = container.use(Options);
    // A store that is in the data directory takes the ownership itself.
    if (isOwnedHere && options.postgresql !== undefined)
      container.onClose('data directory', ownDataDirectory(options.dataDir));
    const store = await openStore(options);
    container.value(Store, container.use(Telemetry)?.wrapStore(store) ?? store);
  }
  container.onClose('store', () => container.use(Store).close());
  return isOwnedHere;
}

/**
 * Makes nodes that share a store use its clock, so that they agree on the time. A clock that the caller provides is
 * used unchanged.
 */
async function followStoreClock(container: Container): Promise<void> {
  const { use } = container;
  const nodeClock = use(NodeClock);
  const store = use(Store);
  if (store.isShared && use(Clock) === nodeClock.clock)
    container.onClose('clock', await nodeClock.follow(store.changes, use(Log)));
}

/**
 * Opens the built-in plugins and those of plugins.json. They are the first generation; each update of plugins makes
 * another. On shutdown, pending events are delivered before the plugins with the listeners are closed.
 */
async function openPlugins(container: Container): Promise<void> {
  const { use } = container;
  const plugins = use(HostPlugins);
  const grpc = use(GrpcOnDemand);
  const events = use(Events);
  const store = use(Store);
  const realmCheckParts = {
    options: use(Options),
    store,
    realms: use(Realms),
    logger: use(Log),
    files: () => use(RealmFiles),
    mayApplyFiles: () => !store.isShared || use(NodeList).listAlive().length <= 1,
    retry: () => plugins.retryFailedUpdate(),
  };
  const context = Object.freeze({ logger: use(PluginLog), clock: use(Clock), version: use(Version) });
  await plugins.open(
    use.all(BuiltInPlugins),
    context,
    grpc.inspections,
    [
      async (next) => (await grpc.prepare(next)).commit,
      checkRealmsFit(realmCheckParts),
      async () => () => use(PluginBackgroundWork).pluginsChanged(),
      async () => () => use(Schedules).pluginsChanged(),
      async () => () => use(EventDelivery).pluginsChanged(),
    ],
    use(PluginStates),
    store.isShared,
  );
  container.onClose('statistics', () => use(EventCounts).close());
  container.onClose('plugins', () => plugins.close());
  container.onClose('events', () => events.close());
}

/** Opens the realm `master` and the realms folder. If there is a master key, checks that it can decrypt all keys. */
async function openRealms({ use }: Container): Promise<MasterRealm> {
  const options = use(Options);
  const realms = use(Realms);
  const keys = use(KeyRing);
  await use(RemoteChanges).open();
  const services = use(ApplyServices);
  const master = await withStartupLock(services, () => openMaster(options, services));
  if (master.lacksAdmin) {
    use(Log).warn(
      'the realm master has no admin: start with --bootstrap-admin-username and --bootstrap-admin-password',
    );
  }
  // Worker 1 starts before the others, and watches the folder for all of them.
  if ((use(Worker)?.number ?? 1) === 1) await use(RealmFiles).open();
  await realms.open();
  if (options.masterKey !== undefined) for (const name of realms.names()) await keys.requireReadable(name);
  return master;
}

/**
 * Opens the servers (the management port first, gRPC last), and starts the background work.
 * @returns the base URL of the realms
 */
async function openServers(container: Container, ownsDataDir: boolean): Promise<string> {
  const { use } = container;
  use(SessionFactory).provide(use(SessionServices));
  const servers = use(HttpServers);
  const grpc = use(GrpcOnDemand);
  const registry = use(ProviderRegistry);
  const plugins = use(HostPlugins);
  const { shutdownDelay, shutdownTimeout } = use(Options);
  const delay = use(ShutdownDelay);
  const application = use(Application).callback();
  if (use(Worker) === undefined) await openManagement(container);
  container.onClose('HTTP servers', () => servers.close());
  const telemetry = use(Telemetry);
  const url = await servers.open(telemetry?.wrapListener(application) ?? application);
  if (ownsDataDir) await writeAccessFile(container);
  telemetry?.exportMetrics(use(Metrics).metrics());
  if (telemetry !== undefined) use(SessionFactory).metrics.onFamily(telemetry.exportPluginMetric);
  container.onClose('gRPC server', () => grpc.close(shutdownTimeout));
  registry.onOverdue((generation) => grpc.endCalls(generation));
  (await grpc.prepare(registry.current)).commit();
  if (use(Store).isShared) await openNodes(container);
  container.onClose('sweeper', startSweeper(use(Store), use(Clock), use(Log)));
  container.onClose('index of users', startUserIndexer(use(Store), use(Clock), use(Log)));
  const background = use(PluginBackgroundWork);
  container.onClose('background work', () => background.close());
  background.open(use(Realms));
  const delivery = use(EventDelivery);
  container.onClose('delivery of events', () => delivery.close());
  delivery.open(use(Realms));
  const schedules = use(Schedules);
  container.onClose('scheduled work', () => schedules.close());
  schedules.open(use(Realms));
  // Send mails that an earlier run has left in the queue.
  void use(MailQueue).open();
  const tampering = use(TamperingWatch);
  container.onClose('watch of built-ins', () => tampering.close());
  tampering.open();
  plugins.watch();
  container.onClose('watch of plugins', () => plugins.stop());
  // Registered last, so it runs first on shutdown: it reports the host as not ready and waits for `shutdownDelay`, so
  // that load balancers stop sending requests.
  container.onClose('health', async () => {
    servers.drain();
    grpc.drain();
    if (shutdownDelay > 0) await delay(shutdownDelay);
  });
  use(Health).markStarted();
  return url;
}

/** Opens the management port. */
async function openManagement(container: Container): Promise<void> {
  const management = container.use(ManagementServer);
  container.onClose('management port', () => management.close());
  await management.open();
}

/** Writes the file by which commands of the data directory's owner reach this host, once all of its URLs are known. */
async function writeAccessFile(container: Container): Promise<void> {
  const { use } = container;
  const { url, secret } = use(ManagementServer);
  const access = { url, secret, server: use(PublicAddress).base };
  container.onClose('management access', await writeManagementAccess(use(Options).dataDir, access));
}

/** Adds this node to the list of the nodes that share its store, and handles their requests. */
async function openNodes(container: Container): Promise<void> {
  const { use } = container;
  const nodes = use(NodeList);
  const messages = use(NodeMessages);
  container.onClose('list of nodes', () => nodes.close());
  await nodes.open();
  container.onClose('mail of nodes', () => messages.close());
  use(RollingUpdates).open();
}
