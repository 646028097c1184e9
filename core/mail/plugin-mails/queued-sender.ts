import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { withHostSession } from '../../registry/sessions/with-host-session.js';
import type { RealmSenders } from '../senders/realm-senders.js';
import type { MailQueueParts } from './mail-queue.js';

/**
 * Creates the function that sends a queued mail. Each mail gets a new session, because the original request has ended.
 */
export function createQueuedSender(parts: {
  readonly senders: Pick<RealmSenders, 'send'>;
  readonly sessions: SessionFactory;
  readonly registry: ProviderRegistry;
}): MailQueueParts['send'] {
  return (realm, mail, options) =>
    withHostSession(parts, realm, 'keyhost', (session) => parts.senders.send(session, mail, options));
}
