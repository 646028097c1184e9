import type { OnLockout } from '../../users/passwords/login-failures.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { SessionFactory } from '../sessions/session-factory.js';
import type { NewEvent } from './complete-events.js';
import type { Events } from './events.js';

/**
 * Returns a handler that sends Keycloak's events, with Keycloak's details, for users who are locked out by failed
 * logins. If the lockout disables the user, the event is stored with that change.
 */
export function lockoutEventHandler(parts: {
  events: Events;
  sessions: SessionFactory;
  registry: ProviderRegistry;
}): OnLockout {
  return (realm, { user, isPermanent, count }, work) => {
    const event: NewEvent = {
      type: isPermanent ? 'USER_DISABLED_BY_PERMANENT_LOCKOUT' : 'USER_DISABLED_BY_TEMPORARY_LOCKOUT',
      userId: user.id,
      ipAddress: count.lastIp,
      details: {
        reason: 'brute_force_attack detected',
        ...(isPermanent ? {} : { not_before: new Date(count.lockedUntil).toISOString().slice(0, 19) }),
        num_failures: String(count.failures),
      },
    };
    const { sessions, registry } = parts;
    const caller = () => ({ ip: count.lastIp, secure: true, providers: registry.current });
    return parts.events.emitWithChange(
      realm,
      (isLocked) => (isLocked === false ? undefined : event),
      () => sessions.create(realm, caller(), 'keyhost'),
      work,
      { of: 'users' },
    );
  };
}
