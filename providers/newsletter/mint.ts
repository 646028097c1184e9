import type { IssuedActionToken, Session } from '@keyhost/spi';

/** The pattern of a path and scope segment, which replaces `*` of a dynamic scope. */
export const APPLICATION_ID = '^[A-Za-z0-9._-]{1,64}$';
/** A description of the pattern. */
export const IS_APPLICATION_ID = 'letters, digits and . _ -, at most 64 of them';

/** The event of every link that is created or refused. */
export const EVENT_TYPE = 'NEWSLETTER_TOKEN';

/** The setting of the type of the links' tokens. */
export const TOKEN_TYPE = {
  type: 'string',
  title: 'Token type',
  minLength: 1,
  default: 'external-app-notification',
  description: 'The type of the action tokens. A provider of this realm must handle it.',
} as const;

/** The number of days that the admin console's page lists a link after its expiry. */
export const LISTED_DAYS = {
  type: 'integer',
  title: 'Listed days',
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
