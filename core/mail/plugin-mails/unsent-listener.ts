import type { Events } from '../../registry/events/events.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { MailQueueParts } from './mail-queue.js';

/** Creates a listener that emits the `_ERROR` events of mails that were not sent. */
export function createUnsentListener(parts: {
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly registry: ProviderRegistry;
}): MailQueueParts['onUnsent'] {
  const { events, sessions, registry } = parts;
  return (realm, _location, { event: type, userId, mail: { to } }) => {
    if (type === undefined) return;
    const details = { email: to.address };
    const event = {
      type,
      error: 'email_send_failed',
      ipAddress: '',
      details,
      ...(userId === undefined ? {} : { userId }),
    };
    const caller = { ip: '', secure: true, providers: registry.current };
    events.emit(realm, event, () => sessions.create(realm, caller, 'keyhost'));
  };
}
