import { Container } from '../di/container.js';
import { Clock, Environment, Log, Options, Version } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins, RealmProviders } from '../di/providers.js';
import { token } from '../di/token.js';
import { Store } from '../store/module.js';
import { OnLockout } from '../users/module.js';
import { Users } from '../users/users.js';
import { PluginBackgroundWork } from './background/background.js';
import { DeliveryLeases } from './event-delivery/delivery-lease.js';
import { EventDelivery } from './event-delivery/event-delivery.js';
import { builtInEventStore } from './events/built-in-event-store.js';
import { EventCounts } from './events/event-counts.js';
import { EventTotals } from './events/event-totals.js';
import { EventWriter } from './events/event-writer.js';
import { Events } from './events/events.js';
import { lockoutEventHandler } from './events/lockout-events.js';
import { logListener } from './events/log-listener.js';
import { OutboxCapacity } from './events/outbox-capacity.js';
import { StoredEvents } from './events/stored-events.js';
import { DRAIN_LIMIT_MS, ProviderRegistry } from './generations/registry.js';
import { HostPlugins } from './host-plugins.js';
import type { ImportedPlugin } from './loading/load-plugins.js';
import { OPEN_LIMIT_MS } from './loading/open-provider.js';
import { TamperingWatch } from './loading/tampering-watch.js';
import { PluginLog } from './log/plugin-log.js';
import { NodeList } from './nodes/node-list.js';
import { NodeMessages } from './nodes/node-messages.js';
import { RollingUpdates } from './nodes/rolling-updates.js';
import { Schedules } from './schedules/schedules.js';
import type { ObserveCall } from './sessions/provider-calls.js';
import { RealmProviderCalls } from './sessions/realm-provider-calls.js';
import { RightRefusals } from './sessions/right-refusals.js';
import { CALL_LIMIT_MS, SessionFactory } from './sessions/session-factory.js';
import type { PluginCommands as PluginCommandsOf } from './updates/plugin-commands.js';
import { PluginStates } from './updates/plugin-states.js';
import { Workers } from './worker/workers.js';

/** Plugins that are already imported, by their names in plugins.json; undefined if all must be imported. */
export const ImportedPlugins = token<ReadonlyMap<string, ImportedPlugin> | undefined>('ImportedPlugins');
/** Updates of plugins, on this host or on all nodes. Resolve it only when the plugins are open. */
export const PluginCommands = token<PluginCommandsOf>('PluginCommands');
/** Time limit of a plugin's import, and of each `open` of its providers, in milliseconds. */
export const PluginTimeout = token<number>('PluginTimeout');
/** Time limit of a provider's call, in milliseconds. */
export const CallTimeout = token<number>('CallTimeout');
/** Wraps the calls of providers, for tracing; undefined if it is off. */
export const CallObserver = token<ObserveCall | undefined>('CallObserver');
/** How long calls may use plugins that were replaced, in milliseconds. */
export const DrainTimeout = token<number>('DrainTimeout');
/** Called with the number of plugins' threads that hang in native code, which only the end of the process can stop. */
export const OnStuck = token<(threads: number) => void>('OnStuck');

/**
 * Maximum number of a realm's events that may wait for a plugin's event store. Events that are stored together with a
 * change exceed it if necessary.
 */
export const OutboxLimit = token<number>('OutboxLimit');
const OUTBOX_LIMIT = 100_000;

export const registry = module('registry', [
  service(ImportedPlugins, () => undefined),
  service(PluginTimeout, () => OPEN_LIMIT_MS),
  service(CallTimeout, () => CALL_LIMIT_MS),
  service(DrainTimeout, () => DRAIN_LIMIT_MS),
  service(CallObserver, () => undefined),
  service(OnStuck, () => () => {}),
  service(PluginLog, (use) => new PluginLog({ log: use(Log), clock: use(Clock), level: use(Options).logLevel })),
  service(
    Workers,
    (use) => new Workers({ logger: use(PluginLog), clock: use(Clock), env: use(Environment), onStuck: use(OnStuck) }),
  ),
  service(
    HostPlugins,
    (use) =>
      new HostPlugins({
        options: use(Options),
        logger: use(Log),
        workers: use(Workers),
        imported: use(ImportedPlugins),
        registry: use(ProviderRegistry),
        timeoutMs: use(PluginTimeout),
      }),
  ),
  service(
    PluginStates,
    (use) =>
      new PluginStates({
        store: use(Store),
        clock: use(Clock),
        logger: use(PluginLog),
        entryTimeoutMs: use(PluginTimeout),
      }),
  ),
  service(
    NodeList,
    (use) =>
      new NodeList({
        entries: use(Store).entries,
        clock: use(Clock),
        logger: use(Log),
        version: use(Version),
        plugins: use(HostPlugins).versions,
      }),
  ),
  service(
    NodeMessages,
    (use) => new NodeMessages({ entries: use(Store).entries, clock: use(Clock), nodes: use(NodeList) }),
  ),
  service(
    RollingUpdates,
    (use) =>
      new RollingUpdates({ updates: use(HostPlugins).updates, nodes: use(NodeList), messages: use(NodeMessages) }),
  ),
  service(PluginCommands, (use) => (use(Store).isShared ? use(RollingUpdates) : use(HostPlugins).updates)),
  service(ProviderRegistry, (use) => {
    const host = use(Container);
    return new ProviderRegistry(use(Log), { drainLimitMs: use(DrainTimeout), newContainer: () => host.child() });
  }),
  service(EventCounts, (use) => {
    const { eventMetricsUserTags: tags, eventMetricsUserEvents: types } = use(Options);
    const totals = new EventTotals({ tags, types });
    return new EventCounts({ store: use(Store), clock: use(Clock), logger: use(Log), totals });
  }),
  service(OutboxLimit, () => OUTBOX_LIMIT),
  service(OutboxCapacity, (use) => new OutboxCapacity(use(Store).eventOutbox, use(OutboxLimit), use(Clock))),
  service(Events, (use) => {
    const parts = { store: use(Store), clock: use(Clock), logger: use(Log) };
    // Resolved with the first waiting event, because delivery calls providers, which emit events.
    const onWaiting = (realm: string) => use(EventDelivery).wake(realm);
    const writer = new EventWriter({ ...parts, capacity: use(OutboxCapacity), onWaiting });
    return new Events({ ...parts, counts: use(EventCounts), writer });
  }),
  service(
    StoredEvents,
    (use) =>
      new StoredEvents({
        providers: use(RealmProviders),
        events: use(Events),
        store: use(Store),
        logger: use(PluginLog),
      }),
  ),
  service(EventDelivery, (use) => {
    const store = use(Store);
    const clock = use(Clock);
    return new EventDelivery({
      registry: use(ProviderRegistry),
      sessions: use(SessionFactory),
      store,
      clock,
      logger: use(PluginLog),
      flushEvents: () => use(Events).flushStored(),
      capacity: use(OutboxCapacity),
      leases: store.isShared ? new DeliveryLeases({ entries: store.entries, clock }) : undefined,
    });
  }),
  service(
    SessionFactory,
    (use) =>
      new SessionFactory({
        users: use(Users),
        events: use(Events),
        store: use(Store),
        clock: use(Clock),
        logger: use(PluginLog),
        callLimitMs: use(CallTimeout),
        observeCall: use(CallObserver),
        onFailedCall: use(PluginLog).storeFailure,
      }),
  ),
  service(
    RealmProviders,
    (use) => new RealmProviderCalls({ registry: use(ProviderRegistry), sessions: () => use(SessionFactory) }),
  ),
  service(RightRefusals, (use) => {
    const { calls } = use(SessionFactory);
    return new RightRefusals({ calls, logger: use(PluginLog) });
  }),
  service(OnLockout, (use) =>
    lockoutEventHandler({ events: use(Events), sessions: use(SessionFactory), registry: use(ProviderRegistry) }),
  ),
  service(
    TamperingWatch,
    (use) =>
      new TamperingWatch({
        current: () => use(ProviderRegistry).current,
        calledPlugins: use(SessionFactory).calls.calledPlugins,
        logger: use(Log),
      }),
  ),
  service(
    PluginBackgroundWork,
    (use) =>
      new PluginBackgroundWork({
        registry: use(ProviderRegistry),
        sessions: use(SessionFactory),
        clock: use(Clock),
        logger: use(Log),
      }),
  ),
  service(
    Schedules,
    (use) =>
      new Schedules({
        registry: use(ProviderRegistry),
        sessions: use(SessionFactory),
        entries: use(Store).entries,
        clock: use(Clock),
        logger: use(PluginLog),
        node: () => (use(Store).isShared ? use(NodeList).name : undefined),
      }),
  ),
  adds(BuiltInPlugins, (use) => [logListener, builtInEventStore(() => use(Store).events)]),
]);
