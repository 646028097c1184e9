import type { Message } from '@keyhost/spi';

/** The refusal of an action token: Keycloak's event error, and the message for the user. */
export interface ActionTokenRefusal extends Error {
  readonly eventError: string;
  readonly pageMessage: Message;
}

export function createRefusal(eventError: string, key: string, texts: Omit<Message, 'key'> = {}): ActionTokenRefusal {
  return Object.assign(new Error(key), { eventError, pageMessage: { key, ...texts } });
}
