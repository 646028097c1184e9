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
import { DEFAULT_EVENT_TYPES, eventMail, SUPPORTED_EVENT_TYPES } from './event-mail.js';

/** The name that mails of this listener have in the queue, the log and metrics. */
const PLUGIN_NAME = 'keyhost-mails';
/** The kind of the mails, for templates and senders. */
const MAIL_KIND = 'event';
/** Maximum number of mails per hour to a user. Without a limit, strangers could flood users by failed logins. */
const MAX_MAILS_PER_HOUR = 30;
const HOUR_MS = 3_600_000;
/** Mails that could not be sent within this time, in milliseconds, are dropped, because users no longer need them. */
const MAIL_LIFETIME_MS = 24 * HOUR_MS;

const TYPES_SCHEMA = { type: 'array', items: { enum: SUPPORTED_EVENT_TYPES }, uniqueItems: true } as const;
/** Schema of the provider's realm configuration, with Keycloak's options. */
const CONFIG_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { includeEvents: TYPES_SCHEMA, excludeEvents: TYPES_SCHEMA },
  additionalProperties: false,
};

interface Config {
  readonly includeEvents?: readonly string[];
  readonly excludeEvents?: readonly string[];
}

export interface EmailListenerParts {
  readonly users: Pick<Users, 'byId'>;
  readonly mails: Pick<RealmMails, 'render'>;
  readonly senders: Pick<RealmSenders, 'problem'>;
  readonly queue: Pick<MailQueue, 'add'>;
  readonly counters: Pick<CounterStore, 'bump'>;
  readonly clock: Clock;
}

/**
 * Keycloak's listener `email`, which mails users about failed logins and changes to their credentials. As in Keycloak,
 * it mails only verified addresses, because an unverified one may belong to another person.
 * @param parts returns services that depend on plugins, so it is called with each event
 */
export function emailListener(parts: () => EmailListenerParts): ProviderDefinition {
  return provide(EventListener, {
    id: 'email',
    realmConfig: CONFIG_SCHEMA,
    open: () => ({
      create: (session, config): EventListenerProvider => ({
        async onEvent(event) {
          const { includeEvents = DEFAULT_EVENT_TYPES, excludeEvents = [] } = config as Config;
          if (!includeEvents.includes(event.type) || excludeEvents.includes(event.type)) return;
          await queueEventMail(parts(), session as HostSession, event);
        },
      }),
    }),
  });
}

async function queueEventMail(parts: EmailListenerParts, session: HostSession, event: Event): Promise<void> {
  const { compiledRealm: realm } = session;
  const user = event.userId === undefined ? undefined : await parts.users.byId(realm, event.userId);
  const { email, emailVerified, attributes } = user?.view ?? {};
  if (user === undefined || !email || emailVerified !== true) return;
  const problem = parts.senders.problem(session);
  if (problem !== undefined) throw new HostError('mail_server_missing', `no mail can be sent: ${problem}`);
  if (!(await isWithinLimit(parts, session, user))) return;
  const noPreferences = { uiLocales: undefined, cookie: undefined, acceptLanguage: undefined };
  const locale = chooseLocale(realm, { kcLocale: attributes?.locale?.[0], ...noPreferences });
  const content = await parts.mails.render(session, eventMail(event, locale), { kind: MAIL_KIND, locale, user });
  const mail = { to: { name: fullNameOf(user), address: email }, ...content };
  const queuedMail = { mail, expiresAt: parts.clock.now() + MAIL_LIFETIME_MS, userId: user.id, kind: MAIL_KIND };
  const key = createHash('sha256').update(`event ${event.id}`).digest('base64url');
  await parts.queue.add(realm.name, PLUGIN_NAME, queuedMail, key);
}

async function isWithinLimit(parts: EmailListenerParts, session: HostSession, user: User): Promise<boolean> {
  const { name: realm } = session.compiledRealm;
  const counter = { realm, subject: `event mails ${user.id}`, now: parts.clock.now(), windowMs: HOUR_MS };
  const { count } = await parts.counters.bump(counter);
  if (count === MAX_MAILS_PER_HOUR + 1) {
    const limit = `${MAX_MAILS_PER_HOUR} within an hour`;
    session.logger.warn('a user is not mailed more events', { realm, userId: user.id, limit });
  }
  return count <= MAX_MAILS_PER_HOUR;
}
