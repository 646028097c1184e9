import type { RequiredActionStep } from '@keyhost/spi';
import type { RequestEvents } from '../../http/request-events.js';
import type { User } from '../../model/user.js';
import { emitLoginEvent, loginEvent } from '../login-events.js';
import type { LoginRequestContext } from '../login-request-context.js';
import type { Action } from './action.js';

/** The event type of actions that declare none, or that did not run. */
export const CUSTOM_ACTION = 'CUSTOM_REQUIRED_ACTION';

/**
 * Runs an action so that its changes, such as a new password, are stored together with its event. There is no event if
 * the action only shows another page.
 */
export function withActionEvent(
  events: RequestEvents,
  { authentication, exchange }: LoginRequestContext,
  user: User,
  action: Action,
  run: () => Promise<RequiredActionStep>,
): Promise<RequiredActionStep> {
  return events.emitWithChange(
    exchange,
    (step?: RequiredActionStep) => {
      if (step !== undefined && step.outcome !== 'success') return undefined;
      const details = { custom_required_action: action.alias, ...step?.details };
      return loginEvent(authentication, eventTypeOf(action), { userId: user.id, details });
    },
    run,
    // The event belongs to the change of the user. A mail that the action sends before is stored without it.
    { of: 'users' },
  );
}

export function emitActionError(
  events: RequestEvents,
  { authentication, exchange }: LoginRequestContext,
  user: User,
  action: Action,
  error: string,
  type = eventTypeOf(action),
): void {
  emitLoginEvent(events, exchange, authentication, type, {
    userId: user.id,
    error,
    details: { custom_required_action: action.alias },
  });
}

function eventTypeOf({ enabled }: Action): string {
  return enabled.registered.declaration.eventType ?? CUSTOM_ACTION;
}
