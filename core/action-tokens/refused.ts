/** Why a token is refused: Keycloak's event error, and the key of the message that is shown. */
export interface Refused extends Error {
  readonly eventError: string;
  readonly messageKey: string;
  readonly messageParams: readonly string[];
}

export function refused(eventError: string, messageKey: string, messageParams: readonly string[] = []): Refused {
  return Object.assign(new Error(messageKey), { eventError, messageKey, messageParams });
}
