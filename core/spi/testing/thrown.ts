/** A member of a thrown value, an error or not: the host and a plugin have different classes. */
export function memberOf(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null && name in thrown ? Reflect.get(thrown, name) : undefined;
}
