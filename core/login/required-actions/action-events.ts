import type { RequiredActionStep } from '@keyhost/spi';
import { callerOf } from '../../http/exchange.js';
import type { User } from '../../model/user.js';
import type { Events } from '../../registry/events/events.js';
import type { SessionFactory } from '../../registry/sessions/session.js';
import { emitOfLogin, eventOfLogin } from '../emit-of-login.js';
import type { LoginVisit } from '../login-visit.js';
import type { Action } from './action.js';

export interface Reporting {
  readonly events: Events;
  readonly sessions: SessionFactory;
}

/** What an action changes, such as a password, is written with its event. Where it asks on, nothing has come about. */
export function withActionEvent(
  { events, sessions }: Reporting,
  { authentication, exchange }: LoginVisit,
  user: User,
  action: Action,
  act: () => Promise<RequiredActionStep>,
): Promise<RequiredActionStep> {
  const { realm } = exchange;
  return events.emitWithChange(
    realm,
    (step?: RequiredActionStep) => {
      if (step !== undefined && step.outcome !== 'success') return undefined;
      const details = { custom_required_action: action.alias, ...step?.details };
      return eventOfLogin(exchange, authentication, eventTypeOf(action), { userId: user.id, details });
    },
    () => sessions.create(realm, callerOf(exchange), 'keyhost'),
    act,
    // The event is about a change of users: a mail that the action sends before is written without it.
    { of: 'users' },
  );
}

export function emitActionError(
  reporting: Reporting,
  { authentication, exchange }: LoginVisit,
  user: User,
  action: Action,
  error: string,
): void {
  emitOfLogin(reporting, exchange, authentication, eventTypeOf(action), {
    ...{ userId: user.id, error },
    details: { custom_required_action: action.alias },
  });
}

function eventTypeOf({ enabled }: Action): string {
  return enabled.registered.declaration.eventType ?? 'CUSTOM_REQUIRED_ACTION';
}
