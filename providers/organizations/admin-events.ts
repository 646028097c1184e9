import type { Session } from '@keyhost/spi';

type Operation = 'CREATE' | 'UPDATE' | 'DELETE';
/** The resource types of admin events in keycloak-orgs. */
type Resource =
  | 'ORGANIZATION'
  | 'ORGANIZATION_MEMBERSHIP'
  | 'ORGANIZATION_ROLE'
  | 'ORGANIZATION_ROLE_MAPPING'
  | 'INVITATION';

/** The author of a change: a user, with the client that was used. */
export interface Actor {
  readonly userId: string;
  readonly clientId?: string;
}

/** Records a change as an event of the realm, such as `CREATE_ORGANIZATION`. */
export function recordAdminEvent(
  { events }: Session,
  type: `${Operation}_${Resource}`,
  { userId, clientId }: Actor,
  details: Readonly<Record<string, string>>,
): Promise<void> {
  return events.emit({ type, userId, ...(clientId === undefined ? {} : { clientId }), details });
}
