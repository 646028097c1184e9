import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';

/** @throws PageRefusal if the realm does not allow registration */
export function requireRegistration({ settings }: Realm, client: Client): void {
  if (settings.registrationAllowed) return;
  const text = { key: 'registrationNotAllowedMessage' };
  throw new PageRefusal('registration_disabled', text, { client, eventType: 'REGISTER' });
}
