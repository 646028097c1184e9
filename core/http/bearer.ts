import { OAuthError } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';

/** The token of an `Authorization: Bearer` header; the scheme is case-insensitive (RFC 9110 §11.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([^\s]+) *$/i.exec(authorization)?.[1];
}

/** Creates the error of a resource that requires an access token (RFC 6750 §3), with Keycloak's texts. */
export function unauthorized(realm: Pick<Realm, 'name'>, error?: string): OAuthError {
  const challenge = `Bearer realm="${realm.name}"${error === undefined ? '' : `, error="${error}"`}`;
  return new OAuthError(error ?? 'HTTP 401 Unauthorized', undefined, {
    status: 401,
    headers: { 'www-authenticate': challenge },
  });
}
