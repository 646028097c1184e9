import type { Clock } from '../../model/clock.js';
import { countClientSignIns } from '../../registry/events/client-sign-ins.js';
import type { EventCounts } from '../../registry/events/event-counts.js';
import type { StatisticsStore } from '../../store/store.js';
import { type AdminOperation, ok } from '../operation.js';
import { requireClient } from './find-client.js';

export interface SignInParts {
  readonly eventCounts: EventCounts;
  readonly clock: Clock;
  readonly store: { readonly statistics: StatisticsStore };
}

/** Keyhost's own API: whether users have signed in to a client. It also works if the realm saves no events. */
export function signInOperation({ eventCounts, clock, store: { statistics } }: SignInParts): AdminOperation {
  return {
    method: 'GET',
    path: '/clients/{clientUuid}/sign-ins',
    tag: 'Apps',
    summary: 'Sign-ins to a client in the last 24 hours, and why others failed; also requires view-events',
    roles: ['view-clients'],
    answers: {
      status: 200,
      body: {
        type: 'object',
        properties: {
          signIns: { type: 'integer', description: 'LOGIN and CLIENT_LOGIN.' },
          connected: {
            type: 'integer',
            description:
              'Sign-ins of which the app has the tokens: CODE_TO_TOKEN, OAUTH2_DEVICE_CODE_TO_TOKEN, CLIENT_LOGIN, and LOGIN by the password grant. One: the app is connected.',
          },
          failures: {
            type: 'array',
            items: { type: 'object', properties: { error: { type: 'string' }, count: { type: 'integer' } } },
          },
        },
      },
    },
    async handle({ realm, admin, params }) {
      const { clientId } = requireClient(realm.representation, params.clientUuid);
      admin.require(realm.name, 'view-events');
      return ok(await countClientSignIns({ eventCounts, clock, statistics }, realm.name, clientId));
    },
  };
}
