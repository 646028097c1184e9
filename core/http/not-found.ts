import { OAuthError } from '@keyhost/spi';

/** Keycloak's response body for an unknown path. */
export const NOT_FOUND = { error: 'HTTP 404 Not Found' } as const;

export function notFound(): OAuthError {
  return new OAuthError(NOT_FOUND.error, undefined, { status: 404 });
}
