/** The `code` of whatever was thrown. By its member, never by its class: a plugin may carry a contract package of its own. */
export function codeOf(thrown: unknown): string | undefined {
  const code = memberOf(thrown, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** What was thrown as a text for a log: the message of an error, else the value itself. */
export function messageOf(thrown: unknown): string {
  const message = memberOf(thrown, 'message');
  return typeof message === 'string' ? message : String(thrown);
}

/** A member of whatever was thrown, an error or not. */
export function memberOf(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null && name in thrown ? Reflect.get(thrown, name) : undefined;
}

/**
 * The error with another member, for one that takes none: a plugin's may be frozen. What is the error's own is the copy's own, so that
 * it still crosses to a worker.
 */
export function withMember(thrown: object, name: string, member: PropertyDescriptor): object {
  return Object.create(Object.getPrototypeOf(thrown), {
    ...Object.getOwnPropertyDescriptors(thrown),
    [name]: member,
  });
}

/** What an event says of a request that was answered with 503 (RFC 6749 §4.1.2.1); Keycloak's errors have no word for it. */
const UNAVAILABLE = 'temporarily_unavailable';

/** True for what is over by itself: something that the host depends on is away, or too many want the same. */
export function isUnavailable(thrown: unknown): boolean {
  return memberOf(thrown, 'status') === 503;
}

/**
 * What an endpoint tells of an OAuth error in its event: read by members, as the others. Of what is unavailable it tells that; of
 * any other failure there is no `error`.
 */
export function toldOf(thrown: unknown): {
  readonly error: string | undefined;
  readonly eventError: string | undefined;
  readonly description: string | undefined;
  readonly details: Readonly<Record<string, string>>;
  readonly userId: string | undefined;
} {
  const text = (name: string) => {
    const value = memberOf(thrown, name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    error: text('error') ?? (isUnavailable(thrown) ? UNAVAILABLE : undefined),
    eventError: text('eventError'),
    description: text('errorDescription'),
    details: { ...(memberOf(thrown, 'details') as object | undefined) },
    userId: text('userId'),
  };
}
