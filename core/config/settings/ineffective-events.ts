import type { RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** Event settings of a realm that have no effect without another setting. */
export function ineffectiveEventSettings(realm: RealmRepresentation): SchemaProblem[] {
  return [...ineffectiveMailListener(realm), ...ineffectiveEventStores(realm)];
}

/** Finds the listener that mails users in a realm that cannot send mail. */
function ineffectiveMailListener({
  eventsListeners = [],
  smtpServer,
  providers,
}: RealmRepresentation): SchemaProblem[] {
  const index = eventsListeners.indexOf('email');
  const isSent = Object.entries(providers?.emailSender ?? {}).some(([id, { enabled }]) => id !== 'default' && enabled);
  if (index === -1 || isSent || ((smtpServer as { readonly host?: string } | undefined)?.host ?? '') !== '') return [];
  const message = 'event listener "email" has no effect: the realm has no smtpServer';
  return [{ path: ['eventsListeners', index], message }];
}

/** Finds event stores of plugins in a realm that does not save events. */
function ineffectiveEventStores({
  providers,
  eventsEnabled,
  adminEventsEnabled,
}: RealmRepresentation): SchemaProblem[] {
  if (eventsEnabled === true || adminEventsEnabled === true) return [];
  return Object.entries(providers?.eventsStore ?? {}).flatMap(([id, { enabled }]) => {
    if (enabled !== true || id === 'jpa') return [];
    const message = 'has no effect: the realm saves neither user events nor admin events';
    return [{ path: ['providers', 'eventsStore', id, 'enabled'], message }];
  });
}
