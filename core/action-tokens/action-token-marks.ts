import type { TicketKey } from '../store/store.js';

/** Keycloak's record of a used action token (DefaultActionTokenKey), by realm and kind. @param token times in seconds */
export function usedActionToken(
  realm: string,
  token: { readonly subject: string; readonly expiresAt: number; readonly nonce: string; readonly type: string },
): TicketKey {
  const subject = Buffer.from(token.subject).toString('base64');
  return { realm, kind: 'action-token', keyHash: `${subject}.${token.expiresAt}.${token.nonce}.${token.type}` };
}

/** The mark of an action token that an admin has revoked, however often it could be used. */
export function revokedActionToken(realm: string, id: string): TicketKey {
  return { realm, kind: 'revoked-action-token', keyHash: id };
}
