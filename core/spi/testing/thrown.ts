/** A member of whatever was thrown, an error or not: the host and a plugin each have classes of their own. */
export function memberOf(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null && name in thrown ? Reflect.get(thrown, name) : undefined;
}
