import { HostError, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import type { Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { Events } from '../events/events.js';
import { PluginMetricValues } from '../metrics/plugin-metric-values.js';
import { CallLimit } from './call-limit.js';
import type { Caller } from './caller.js';
import { HostSession } from './host-session.js';
import { type ObserveCall, type OnFailedCall, ProviderCalls } from './provider-calls.js';
import type { SessionServices } from './session-services.js';

/** Time limit of a provider's call, in milliseconds. */
export const CALL_LIMIT_MS = 30_000;

/** Creates sessions. There is one factory per host. */
export class SessionFactory {
  readonly users: Users;
  readonly events: Events;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly callLimit: CallLimit;
  readonly calls: ProviderCalls;
  /** The metrics of plugins. */
  readonly metrics = new PluginMetricValues();
  #services: SessionServices | undefined;

  constructor(parts: {
    users: Users;
    events: Events;
    store: Store;
    clock: Clock;
    logger: Logger;
    callLimitMs?: number;
    /** Wraps the calls of providers, for tracing. */
    observeCall?: ObserveCall | undefined;
    onFailedCall?: OnFailedCall;
  }) {
    this.users = parts.users;
    this.events = parts.events;
    this.store = parts.store;
    this.clock = parts.clock;
    this.logger = parts.logger;
    const { callLimitMs = CALL_LIMIT_MS, observeCall, onFailedCall } = parts;
    this.callLimit = new CallLimit(callLimitMs);
    this.calls = new ProviderCalls(callLimitMs, observeCall, onFailedCall);
  }

  /** Sets the services of higher modules. Called once, before the first session. */
  provide(services: SessionServices): void {
    this.#services = services;
  }

  get services(): SessionServices {
    if (this.#services === undefined) throw new HostError('session_services_missing', 'the host is not complete yet');
    return this.#services;
  }

  /**
   * @param plugin the plugin that gets the session, which determines the namespace in the store and the name in log
   * lines
   */
  create(realm: Realm, caller: Caller, plugin: string): HostSession {
    return new HostSession(this, realm, caller, plugin);
  }
}
