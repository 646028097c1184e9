import type { Message } from '@keyhost/spi';

/** The reason why a token is refused: Keycloak's event error, and the message for the user. */
export interface Refused extends Error {
  readonly eventError: string;
  readonly shown: Message;
}

export function refused(eventError: string, key: string, words: Omit<Message, 'key'> = {}): Refused {
  return Object.assign(new Error(key), { eventError, shown: { key, ...words } });
}
