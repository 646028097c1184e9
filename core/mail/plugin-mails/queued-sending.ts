import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { RealmSenders } from '../senders/realm-senders.js';
import type { MailQueueParts } from './mail-queue.js';

/** Sends a mail that waited, in a session of its own: nobody waits for it any more. */
export function queuedSending(parts: {
  readonly senders: Pick<RealmSenders, 'send'>;
  readonly sessions: SessionFactory;
  readonly registry: ProviderRegistry;
}): MailQueueParts['send'] {
  const { senders, sessions, registry } = parts;
  return async (realm, mail, sending) => {
    const providers = registry.current.lease();
    const session = sessions.create(realm, { ip: '', secure: true, providers }, 'keyhost');
    try {
      await senders.send(session, mail, sending);
    } finally {
      await session.close();
      providers.release();
    }
  };
}
