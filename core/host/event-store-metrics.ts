import type { EventDelivery } from '../registry/event-delivery/event-delivery.js';
import type { OutboxCapacity } from '../registry/events/outbox-capacity.js';
import type { Metric } from './metric.js';
import { metricsByRealm } from './metrics-by-realm.js';

/** The sources of the event store metrics. */
export interface EventStoreSource {
  readonly delivery: Pick<EventDelivery, 'listStates' | 'refusedCounts'>;
  readonly capacity: Pick<OutboxCapacity, 'leftOutCounts'>;
}

/** The metrics of plugins' event stores, by realm. A node reports only the stores to which it delivers. */
export function eventStoreMetrics(source: () => EventStoreSource): readonly Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'keyhost_event_store_up',
      help: 'Whether the event store of a realm took the last events: 1 or 0',
      labels: ['realm'],
      aggregate: 'min',
      values: () => {
        const states = [...source().delivery.listStates()].map(
          ({ realm, isUnavailable }) => [realm, isUnavailable ? 0 : 1] as const,
        );
        return metricsByRealm(states, Math.min).map(([realm, value]) => [{ realm }, value]);
      },
    },
    {
      kind: 'gauge',
      name: 'keyhost_event_store_waiting',
      help: 'Number of events that wait for the event store of a realm, as counted with the last try that failed',
      labels: ['realm'],
      aggregate: 'max',
      values: () => {
        const counts = [...source().delivery.listStates()].map(({ realm, waiting }) => [realm, waiting] as const);
        return metricsByRealm(counts).map(([realm, value]) => [{ realm }, value]);
      },
    },
    {
      kind: 'counter',
      name: 'keyhost_event_store_lost_total',
      help: 'Number of events that do not reach the event store of a realm: too many wait (full), or it refused them (refused)',
      labels: ['realm', 'reason'],
      values: () => [
        ...metricsByRealm(source().capacity.leftOutCounts).map(
          ([realm, count]) => [{ realm, reason: 'full' }, count] as const,
        ),
        ...metricsByRealm(source().delivery.refusedCounts).map(
          ([realm, count]) => [{ realm, reason: 'refused' }, count] as const,
        ),
      ],
    },
  ];
}
