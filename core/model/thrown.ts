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

/** What an endpoint tells of an OAuth error in its event: read by members, as the others. */
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
    error: text('error'),
    eventError: text('eventError'),
    description: text('errorDescription'),
    details: { ...(memberOf(thrown, 'details') as object | undefined) },
    userId: text('userId'),
  };
}
