import { memberOf, messageOf } from '../model/thrown.js';
import type { Admin } from './admin.js';

/**
 * The reason why an email was not sent, for the admin who requested it. Only admins of the host get the text of the
 * mail server, since it could reveal a server that only this host can reach.
 * @param error HostError `email_send_failed`
 */
export function mailFailureReason(admin: Admin, error: unknown): string | undefined {
  const cause = memberOf(error, 'cause');
  if (cause === undefined) return undefined;
  const reason = admin.isSuperAdmin ? messageOf(cause) : memberOf(cause, 'brief');
  return typeof reason === 'string' ? reason : undefined;
}
