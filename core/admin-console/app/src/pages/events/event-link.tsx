import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';

/** An event as a sentence that links to the event, above its code. */
export function EventLink({
  href,
  sentence,
  code,
  path,
  isFailure,
}: {
  href: string;
  sentence: string;
  code: string;
  /** The path of the changed resource. */
  path?: string;
  isFailure: boolean;
}) {
  return (
    <>
      <Link href={href} className={isFailure ? 'event-bad' : undefined}>
        {sentence}
      </Link>
      <br />
      <small className="event-code">
        {code}
        {path !== undefined && <span className="event-path"> {path}</span>}
      </small>
    </>
  );
}

/** The code of an event of a user or a client: its type and error. */
export function userEventCode({ type, error }: { type: string; error?: string }): string {
  return error === undefined ? type : `${type} ${error}`;
}

/** The code of a change by an admin: its operation and resource type. */
export function adminEventCode(event: { operationType: string; resourceType: string }): string {
  return `${event.operationType} ${event.resourceType}`;
}

/** The page with all events of one user. */
export function userEventsPath(realm: string, userId: string): string {
  return `/realms/${encodeSegment(realm)}/events/user/${encodeSegment(userId)}`;
}
