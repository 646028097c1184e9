import type { RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** What of events a realm has switched on and leaves without what it needs. */
export function idleEvents(realm: RealmRepresentation): SchemaProblem[] {
  return [...idleMails(realm), ...idleStores(realm)];
}

/** The listener that mails users, where no mail can be sent. */
function idleMails({ eventsListeners = [], smtpServer, providers }: RealmRepresentation): SchemaProblem[] {
  const index = eventsListeners.indexOf('email');
  const isSent = Object.entries(providers?.emailSender ?? {}).some(([id, { enabled }]) => id !== 'default' && enabled);
  if (index === -1 || isSent || ((smtpServer as { readonly host?: string } | undefined)?.host ?? '') !== '') return [];
  const message = 'event listener "email" has no effect: the realm has no smtpServer';
  return [{ path: ['eventsListeners', index], message }];
}

/** A store of a plugin for events that the realm does not save. */
function idleStores({ providers, eventsEnabled, adminEventsEnabled }: RealmRepresentation): SchemaProblem[] {
  if (eventsEnabled === true || adminEventsEnabled === true) return [];
  return Object.entries(providers?.eventsStore ?? {}).flatMap(([id, { enabled }]) => {
    if (enabled !== true || id === 'jpa') return [];
    const message = 'has no effect: the realm saves neither user events nor admin events';
    return [{ path: ['providers', 'eventsStore', id, 'enabled'], message }];
  });
}
