import type { IssuedActionToken, Session } from '@keyhost/spi';

/** A path and scope segment: what `*` of a dynamic scope stands for. */
export const APPLICATION_ID = '^[A-Za-z0-9._-]{1,64}$';
/** What the pattern asks for, in words. */
export const IS_APPLICATION_ID = 'letters, digits and . _ -, at most 64 of them';

/** The event of every link that is made or refused. */
export const EVENT_TYPE = 'NEWSLETTER_TOKEN';

/** How long after its end the page of the desk lists a link. */
export const LISTED_DAYS = {
  type: 'integer',
  minimum: 0,
  maximum: 3650,
  description: 'Number of days that the page lists a link after it expires.',
} as const;

/** A link for one application's item, as one user. @throws HostError as `actionTokens.issue` */
export function mint(
  { actionTokens }: Session,
  type: string,
  userId: string,
  applicationId: string,
): Promise<IssuedActionToken> {
  return actionTokens.issue({ type, userId, claims: { 'app-id': applicationId } });
}
