import { readFile } from 'node:fs/promises';
import type { HostOptions } from '../config/options/options.js';
import { Container, type Use } from '../di/container.js';
import { Clock, Environment, Log, Options, Version } from '../di/given.js';
import { compose, module, type Replacement, service } from '../di/module.js';
import { GrpcOnDemand } from '../grpc/grpc-on-demand.js';
import { Application } from '../http/module.js';
import { KeyRing } from '../keys/key-ring.js';
import { systemClock } from '../model/clock.js';
import { RealmFiles } from '../realm-files/realm-files.js';
import { realmsFit } from '../realm-files/realms-fit.js';
import type { TrialUser } from '../realm-files/trial-users.js';
import { ApplyServices } from '../realms/module.js';
import { PublicAddress } from '../realms/public-address.js';
import { Realms } from '../realms/realms.js';
import { Events } from '../registry/events/events.js';
import { ProviderRegistry } from '../registry/generations/registry.js';
import { HostPlugins } from '../registry/host-plugins.js';
import { formatBootTree } from '../registry/loading/boot-tree.js';
import { BuiltInPlugins } from '../registry/module.js';
import { SessionFactory } from '../registry/sessions/session.js';
import { Store } from '../store/module.js';
import { openStore } from '../store/sqlite/open-store.js';
import { startSweeper } from '../store/sweeper.js';
import { DRAIN_MS, HttpServers } from './http-servers.js';
import { createLogger } from './log.js';
import { writeManagementAccess } from './management-access.js';
import { ManagementServer } from './management-server.js';
import { type MasterRealm, openMaster } from './master-realm.js';
import { SessionServices, Trial } from './module.js';
import { MODULES } from './modules.js';
import { checkProductionOptions } from './production-checks.js';

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
  /** A service of this host, by its class or token. @throws BootError `service_missing` */
  readonly use: Use;
  /** Drains: health turns 503, requests under way finish, everything opened is closed in reverse. */
  close(): Promise<void>;
}

/**
 * Puts a host together from its modules and starts it: plugins → store → realms → listen. Whatever fails closes what was
 * opened.
 * @param env environment variables for realm files and plugins
 * @param replace services of the caller's, in place of those that a module provides under the same name: a clock, or a store
 *   in memory, which is closed with the host
 * @throws BootError
 */
export async function createHost(
  options: HostOptions,
  {
    env = {},
    replace = [],
  }: { env?: Readonly<Record<string, string | undefined>>; replace?: readonly Replacement[] } = {},
): Promise<Host> {
  const container = new Container();
  const { use } = container;
  try {
    checkProductionOptions(options);
    for (const replacement of replace) container.replace(replacement);
    const version = await ownVersion();
    compose(container, [given(options, env, version), ...MODULES]);
    await loadPlugins(container);
    const ownsDataDir = await openOwnStore(container);
    await openPlugins(container);
    const { newAdmin, adminTold } = await openRealms(container);
    const url = await serve(container, ownsDataDir);
    return {
      url,
      get grpcAddress() {
        return use(GrpcOnDemand).address;
      },
      managementUrl: use(ManagementServer).url,
      managementSecret: use(ManagementServer).secret,
      publicUrl: use(PublicAddress).base,
      bootTree: formatBootTree(use(ProviderRegistry).list(), isDebug(options) ? container.made() : []),
      trialUsers: async () => use(Trial)?.() ?? new Map(),
      newAdmin,
      adminTold,
      use,
      close: () => container.close(),
    };
  } catch (error) {
    const logger = container.has(Log) ? use(Log) : createLogger(options.logLevel);
    await container.close().catch((failure: unknown) => logger.error('closing failed', { reason: String(failure) }));
    throw error;
  }
}

/** What a host is started with. */
function given(options: HostOptions, env: Readonly<Record<string, string | undefined>>, version: string) {
  return module('host', [
    service(Options, () => options),
    service(Environment, () => env),
    service(Clock, () => systemClock),
    service(Log, () => createLogger(options.logLevel)),
    service(Version, () => version),
  ]);
}

async function loadPlugins(container: Container): Promise<void> {
  const plugins = container.use(HostPlugins);
  container.onClose('copies of plugins', () => plugins.unload());
  await plugins.load();
}

/**
 * The store in the data directory, where the host was given no other.
 * @returns whether the data directory is this host's
 */
async function openOwnStore(container: Container): Promise<boolean> {
  const isGiven = container.has(Store);
  if (!isGiven) container.value(Store, await openStore({ dataDir: container.use(Options).dataDir }));
  container.onClose('store', () => container.use(Store).close());
  return !isGiven;
}

/** Built-ins and plugins: the first generation. Events are written to the last before the plugins that hear them close. */
async function openPlugins(container: Container): Promise<void> {
  const { use } = container;
  const [plugins, grpc, events] = [use(HostPlugins), use(GrpcOnDemand), use(Events)];
  const fit = { options: use(Options), store: use(Store), realms: use(Realms), logger: use(Log) };
  const context = Object.freeze({ logger: use(Log), clock: use(Clock), version: use(Version) });
  await plugins.open(use.all(BuiltInPlugins), context, grpc.inspections, [
    async (next) => (await grpc.prepare(next)).commit,
    realmsFit(fit),
  ]);
  container.onClose('plugins', () => plugins.close());
  container.onClose('events', () => events.close());
}

/** The realm `master`, the realms folder, and the keys of realms where a master key might not open them. */
async function openRealms({ use }: Container): Promise<MasterRealm> {
  const [options, realms, keys] = [use(Options), use(Realms), use(KeyRing)];
  const master = await openMaster(options, use(ApplyServices));
  if (master.isUnmanned) {
    use(Log).warn(
      'nobody administers this host: start it with --bootstrap-admin-username and --bootstrap-admin-password',
    );
  }
  await use(RealmFiles).open();
  await realms.open();
  if (options.masterKey !== undefined) for (const name of realms.names()) await keys.realm(name);
  return master;
}

/** Listens: for operators first, for gRPC last. @returns the address of the realms */
async function serve(container: Container, ownsDataDir: boolean): Promise<string> {
  const { use } = container;
  use(SessionFactory).provide(use(SessionServices));
  const [management, servers, grpc] = [use(ManagementServer), use(HttpServers), use(GrpcOnDemand)];
  const [registry, plugins] = [use(ProviderRegistry), use(HostPlugins)];
  const application = use(Application).callback();
  container.onClose('management port', () => management.close());
  await management.open();
  if (ownsDataDir) {
    const access = { url: management.url, secret: management.secret };
    container.onClose('management access', await writeManagementAccess(use(Options).dataDir, access));
  }
  container.onClose('HTTP servers', () => servers.close());
  const url = await servers.open(application);
  container.onClose('gRPC server', () => grpc.close(DRAIN_MS));
  registry.onOverdue((generation) => grpc.endCalls(generation));
  (await grpc.prepare(registry.current)).commit();
  container.onClose('sweeper', startSweeper(use(Store), use(Clock), use(Log)));
  plugins.watch();
  container.onClose('watch of plugins', () => plugins.stop());
  return url;
}

function isDebug({ logLevel }: HostOptions): boolean {
  return logLevel === 'debug' || logLevel === 'trace';
}

async function ownVersion(): Promise<string> {
  const manifest = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}
