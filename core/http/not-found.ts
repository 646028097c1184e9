import { OAuthError } from '@keyhost/spi';

/** What Keycloak says of a path below which there is nothing. */
export const NOT_FOUND = { error: 'HTTP 404 Not Found' } as const;

/** The same as an error. */
export function notFound(): OAuthError {
  return new OAuthError(NOT_FOUND.error, undefined, { status: 404 });
}
