import type { RealmRepresentation } from '../../model/representation.js';
import { isTokenUrl } from '../../model/smtp-settings.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** Finds settings of the mail server that are valid, as in Keycloak, but incomplete, so that no email can be sent. */
export function smtpHints({ smtpServer }: RealmRepresentation): SchemaProblem[] {
  const { auth, user, authType, authTokenUrl } = (smtpServer ?? {}) as Readonly<Record<string, unknown>>;
  if (String(auth) !== 'true') return [];
  const hints: SchemaProblem[] = [];
  if (String(user ?? '').trim() === '') {
    hints.push({ path: ['smtpServer', 'auth'], message: 'requires "user": without it, no email can be sent' });
  }
  if (authType === 'token' && !isTokenUrl(String(authTokenUrl ?? '').trim())) {
    const message = 'is not the http(s) address of a token endpoint: no email can be sent';
    hints.push({ path: ['smtpServer', 'authTokenUrl'], message });
  }
  return hints;
}
