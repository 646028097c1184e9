import type { EventTotals } from '../registry/events/event-totals.js';
import type { Figure } from './figure.js';

/** Keycloak's counter of user events, with the labels that it has by default: its dashboards ask for these. */
export function userEventFigures(totals: EventTotals): readonly Figure[] {
  return [
    {
      kind: 'counter',
      name: 'keycloak_user_events_total',
      help: 'Number of user events since the start, as Keycloak counts them',
      labels: ['realm', 'event', 'error'],
      values: () =>
        [...totals.all()].map(({ realm, type, error, total }) => [{ realm, event: type.toLowerCase(), error }, total]),
    },
  ];
}
