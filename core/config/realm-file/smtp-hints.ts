import type { RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** What of a realm's mail server can be kept and cannot work yet, as Keycloak keeps it. */
export function smtpHints({ smtpServer }: RealmRepresentation): SchemaProblem[] {
  const { auth, user } = (smtpServer ?? {}) as { auth?: unknown; user?: unknown };
  if (String(auth) !== 'true' || String(user ?? '').trim() !== '') return [];
  return [{ path: ['smtpServer', 'auth'], message: 'requires "user": without it, no email can be sent' }];
}
