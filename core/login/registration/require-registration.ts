import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';

/**
 * Checks that the realm allows registration.
 * @throws PageRefusal if it does not
 */
export function requireRegistration({ settings }: Realm, client: Client): void {
  if (settings.registrationAllowed) return;
  const text = { key: 'registrationNotAllowedMessage' };
  throw new PageRefusal('registration_disabled', text, { client, eventType: 'REGISTER' });
}
