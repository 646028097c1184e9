/**
 * The `code` of a thrown value. It is read by its member, never by its class: a plugin may bring its own copy of the
 * SPI package.
 */
export function codeOf(thrown: unknown): string | undefined {
  const code = memberOf(thrown, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** A thrown value as a text for a log: the message of an error, or the value itself. */
export function messageOf(thrown: unknown): string {
  const message = memberOf(thrown, 'message');
  return typeof message === 'string' ? message : String(thrown);
}

/** A member of a thrown value, which need not be an error. */
export function memberOf(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null && name in thrown ? Reflect.get(thrown, name) : undefined;
}

/**
 * Copies an error and adds a member: a plugin's error may be frozen. The copy has the error's own members, so it still
 * crosses to a worker.
 */
export function withMember(thrown: object, name: string, member: PropertyDescriptor): object {
  return Object.create(Object.getPrototypeOf(thrown), {
    ...Object.getOwnPropertyDescriptors(thrown),
    [name]: member,
  });
}

/** The error of an event for a request that was answered with 503 (RFC 6749 §4.1.2.1); Keycloak has no such error. */
const UNAVAILABLE = 'temporarily_unavailable';

/** True for a temporary failure: a dependency of the host is unreachable, or there are too many requests. */
export function isUnavailable(thrown: unknown): boolean {
  return memberOf(thrown, 'status') === 503;
}

/**
 * The parts of an OAuth error that an endpoint's event contains. They are read by member, as `codeOf` does. The error
 * of a temporary failure is `temporarily_unavailable`; other failures have no `error`.
 */
export function eventErrorOf(thrown: unknown): {
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
