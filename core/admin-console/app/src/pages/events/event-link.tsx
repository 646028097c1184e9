import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';

/** An event as a sentence that links to the event, above its code. */
export function EventLink({
  href,
  sentence,
  code,
  isFailure,
}: {
  href: string;
  sentence: string;
  code: string;
  isFailure: boolean;
}) {
  return (
    <>
      <Link href={href} className={isFailure ? 'event-bad' : undefined}>
        {sentence}
      </Link>
      <br />
      <small className="event-code">{code}</small>
    </>
  );
}

/** The code of an event of a user or a client: its type and error. */
export function userEventCode({ type, error }: { type: string; error?: string }): string {
  return error === undefined ? type : `${type} ${error}`;
}

/** The code of a change by an admin: its operation, resource type and path. */
export function adminEventCode({
  operationType,
  resourceType,
  resourcePath,
}: {
  operationType: string;
  resourceType: string;
  resourcePath: string;
}): string {
  return [operationType, resourceType, resourcePath].join(' ').trim();
}

/** The page with all events of one user. */
export function userEventsPath(realm: string, userId: string): string {
  return `/realms/${encodeSegment(realm)}/events/user/${encodeSegment(userId)}`;
}
