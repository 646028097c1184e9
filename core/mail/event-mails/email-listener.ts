import { createHash } from 'node:crypto';
import {
  type Event,
  EventListener,
  type EventListenerProvider,
  HostError,
  type JsonSchema,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { User } from '../../model/user.js';
import { chooseLocale } from '../../pages/locale/locale.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { CounterStore } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { MailQueue } from '../plugin-mails/mail-queue.js';
import { fullNameOf, type RealmMails } from '../realm-mails.js';
import type { RealmSenders } from '../senders/realm-senders.js';
import { eventMail, MAILED_BY_DEFAULT, MAILED_TYPES } from './event-mail.js';

/** The name of the sender in the queue, the log and metrics. */
const PLUGIN = 'keyhost-mails';
/** The kind of the mails, for templates and senders. */
const KIND = 'event';
/** Maximum number of mails per hour for a user, because a stranger can cause failed logins. */
const MAILS_AN_HOUR = 30;
const HOUR_MS = 3_600_000;
/** Lifetime of a mail in milliseconds; later it is of no use. */
const KEPT_MS = 24 * HOUR_MS;

const TYPES = { type: 'array', items: { enum: MAILED_TYPES }, uniqueItems: true } as const;
/** Keycloak's options of the provider, by realm. */
const CONFIG: JsonSchema = {
  type: 'object',
  properties: { includeEvents: TYPES, excludeEvents: TYPES },
  additionalProperties: false,
};

interface Config {
  readonly includeEvents?: readonly string[];
  readonly excludeEvents?: readonly string[];
}

export interface EmailListenerParts {
  readonly users: Pick<Users, 'byId'>;
  readonly mails: Pick<RealmMails, 'rendered'>;
  readonly senders: Pick<RealmSenders, 'problem'>;
  readonly queue: Pick<MailQueue, 'add'>;
  readonly counters: Pick<CounterStore, 'bump'>;
  readonly clock: Clock;
}

/**
 * Keycloak's listener `email`: mails users about failed logins and changes to their credentials. As in Keycloak, only
 * to a verified email, because an unverified one may belong to another person.
 * @param parts looked up with the first event, because mails depend on plugins
 */
export function emailListener(parts: () => EmailListenerParts): ProviderDefinition {
  return provide(EventListener, {
    id: 'email',
    realmConfig: CONFIG,
    open: () => ({
      create: (session, config): EventListenerProvider => ({
        async onEvent(event) {
          const { includeEvents = MAILED_BY_DEFAULT, excludeEvents = [] } = config as Config;
          if (!includeEvents.includes(event.type) || excludeEvents.includes(event.type)) return;
          await tell(parts(), session as HostSession, event);
        },
      }),
    }),
  });
}

async function tell(parts: EmailListenerParts, session: HostSession, event: Event): Promise<void> {
  const { compiledRealm: realm } = session;
  const user = event.userId === undefined ? undefined : await parts.users.byId(realm, event.userId);
  const { email, emailVerified, attributes } = user?.view ?? {};
  if (user === undefined || !email || emailVerified !== true) return;
  const problem = parts.senders.problem(session);
  if (problem !== undefined) throw new HostError('mail_server_missing', `no mail can be sent: ${problem}`);
  if (!(await mayTell(parts, session, user))) return;
  const wishes = { uiLocales: undefined, cookie: undefined, acceptLanguage: undefined };
  const locale = chooseLocale(realm, { kcLocale: attributes?.locale?.[0], ...wishes });
  const texts = await parts.mails.rendered(session, eventMail(event, locale), { kind: KIND, locale, user });
  const mail = { to: { name: fullNameOf(user), address: email }, ...texts };
  const kept = { mail, expiresAt: parts.clock.now() + KEPT_MS, userId: user.id, kind: KIND };
  const key = createHash('sha256').update(`event ${event.id}`).digest('base64url');
  await parts.queue.add(realm.name, PLUGIN, kept, key);
}

async function mayTell(parts: EmailListenerParts, session: HostSession, user: User): Promise<boolean> {
  const { name: realm } = session.compiledRealm;
  const counter = { realm, subject: `event mails ${user.id}`, now: parts.clock.now(), windowMs: HOUR_MS };
  const { count } = await parts.counters.bump(counter);
  if (count === MAILS_AN_HOUR + 1) {
    const limit = `${MAILS_AN_HOUR} within an hour`;
    session.logger.warn('a user is not mailed more events', { realm, userId: user.id, limit });
  }
  return count <= MAILS_AN_HOUR;
}
