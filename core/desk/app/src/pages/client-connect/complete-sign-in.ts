import type { UserEvent } from '../../api/events.ts';

/** With one of these the app has the tokens of a login. Before, a wrong secret may still keep it from them. */
const OF_CODE = ['CODE_TO_TOKEN', 'OAUTH2_DEVICE_CODE_TO_TOKEN'];

/**
 * True: the app has the tokens of that sign-in.
 * @param types of the events that complete sign-ins to the client, as its instructions have them
 */
export function isComplete({ type, details }: UserEvent, types: readonly string[]): boolean {
  if (!types.includes(type)) return false;
  // A login at the token endpoint, such as that of the password grant, gets its tokens at once.
  return type !== 'LOGIN' || details?.grant_type !== undefined || !types.some((one) => OF_CODE.includes(one));
}
