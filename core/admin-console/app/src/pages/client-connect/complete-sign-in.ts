import type { UserEvent } from '../../api/events.ts';

/**
 * Events after which the app has the tokens of a login. After the login alone it may not: a wrong secret, for example,
 * prevents that.
 */
const CODE_EVENTS = ['CODE_TO_TOKEN', 'OAUTH2_DEVICE_CODE_TO_TOKEN'];

/**
 * True if the app has the tokens of that sign-in.
 * @param types the events that complete sign-ins to the client, from its instructions
 */
export function isComplete({ type, details }: UserEvent, types: readonly string[]): boolean {
  if (!types.includes(type)) return false;
  // A login at the token endpoint, as with the password grant, gets its tokens at once.
  return type !== 'LOGIN' || details?.grant_type !== undefined || !types.some((one) => CODE_EVENTS.includes(one));
}
