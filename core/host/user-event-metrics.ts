import type { EventTag } from '../config/options/event-metrics.js';
import type { EventTotals } from '../registry/events/event-totals.js';
import type { Metric } from './metric.js';

/** Keycloak's names of the labels. */
const LABELS: Readonly<Record<EventTag, string>> = { realm: 'realm', idp: 'idp', clientId: 'client_id' };

/**
 * Returns Keycloak's counter of user events, with the labels that `--event-metrics-user-tags` names. Keycloak's
 * dashboards use this metric.
 */
export function userEventMetrics(totals: EventTotals): readonly Metric[] {
  const labelledTags = totals.tags.map((tag) => [tag, LABELS[tag]] as const);
  return [
    {
      kind: 'counter',
      name: 'keycloak_user_events_total',
      help: 'Number of user events since the start, as Keycloak counts them',
      labels: [...labelledTags.map(([, label]) => label), 'event', 'error'],
      values: () =>
        [...totals.all()].map(({ tags, type, error, total }) => {
          const labels = labelledTags.map(([tag, label]) => [label, tags[tag] ?? '']);
          return [{ ...Object.fromEntries(labels), event: type.toLowerCase(), error }, total];
        }),
    },
  ];
}
