/**
 * A member of a thrown value. It may be no error, or an error of another class, since the host and a plugin have
 * different classes.
 */
export function memberOf(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null && name in thrown ? Reflect.get(thrown, name) : undefined;
}
