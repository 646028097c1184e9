/**
 * Returns the `code` of a thrown value. It reads the member instead of using `instanceof`, because a plugin may contain
 * its own copy of the SPI package.
 */
export function codeOf(thrown: unknown): string | undefined {
  const code = memberOf(thrown, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** The text of a thrown value for a log: the message of an error, or the value itself. */
export function messageOf(thrown: unknown): string {
  const message = memberOf(thrown, 'message');
  return typeof message === 'string' ? message : String(thrown);
}

/** A member of a thrown value, which need not be an error. */
export function memberOf(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null && name in thrown ? Reflect.get(thrown, name) : undefined;
}

/**
 * Returns a copy of an error with an additional member, since a plugin's error may be frozen. The copy has all own
 * members of the error, so it can still be sent to a worker.
 */
export function withMember(thrown: object, name: string, member: PropertyDescriptor): object {
  return Object.create(Object.getPrototypeOf(thrown), {
    ...Object.getOwnPropertyDescriptors(thrown),
    [name]: member,
  });
}

/**
 * The `error` of the event for a response with the status 503 (RFC 6749 §4.1.2.1). Keycloak does not have this error.
 */
const UNAVAILABLE = 'temporarily_unavailable';

/** True for a temporary failure: a dependency of the host is unreachable, or there are too many requests. */
export function isUnavailable(thrown: unknown): boolean {
  return memberOf(thrown, 'status') === 503;
}

/**
 * Returns the members of a thrown OAuth error for an event, by their names, as `codeOf` does. For a thrown value
 * without `error`, a temporary failure gets `temporarily_unavailable`, and any other failure none.
 */
export function eventErrorOf(thrown: unknown): {
  readonly error: string | undefined;
  readonly eventError: string | undefined;
  readonly description: string | undefined;
  readonly details: Readonly<Record<string, string>>;
  readonly userId: string | undefined;
} {
  const stringMember = (name: string) => {
    const value = memberOf(thrown, name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    error: stringMember('error') ?? (isUnavailable(thrown) ? UNAVAILABLE : undefined),
    eventError: stringMember('eventError'),
    description: stringMember('errorDescription'),
    details: { ...(memberOf(thrown, 'details') as object | undefined) },
    userId: stringMember('userId'),
  };
}
