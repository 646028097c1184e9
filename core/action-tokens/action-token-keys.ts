import type { OneTimeTokenKey } from '../store/store.js';

/**
 * The key of the record of a used action token, in the format of Keycloak's DefaultActionTokenKey.
 * @param token `expiresAt` is in seconds since the epoch
 */
export function usedTokenKey(
  realm: string,
  token: { readonly subject: string; readonly expiresAt: number; readonly nonce: string; readonly type: string },
): OneTimeTokenKey {
  const subject = Buffer.from(token.subject).toString('base64');
  return { realm, kind: 'action-token', keyHash: `${subject}.${token.expiresAt}.${token.nonce}.${token.type}` };
}

/** The key of the record of an action token that an admin has revoked. Reusable tokens can be revoked too. */
export function revokedTokenKey(realm: string, id: string): OneTimeTokenKey {
  return { realm, kind: 'revoked-action-token', keyHash: id };
}
