/**
 * Describes why a value would not arrive unchanged in another thread.
 * @param path the name of the value in the message, such as `answer.body`
 * @returns a sentence with the path; undefined if structured clone can copy the value
 */
export function uncloneableReason(
  value: unknown,
  path: string,
  seen: ReadonlySet<unknown> = new Set(),
): string | undefined {
  if (typeof value === 'function') return `${path} is a function`;
  if (typeof value === 'symbol') return `${path} is a symbol`;
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Date) return undefined;
  if (value instanceof Promise) return `${path} is a promise`;
  if (value instanceof Error) return `${path} is an error: throw it instead`;
  const visited = new Set(seen).add(value);
  const firstReason = (parts: Iterable<[path: string, part: unknown]>) => {
    for (const [name, part] of parts) {
      const reason = uncloneableReason(part, name, visited);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
  if (Array.isArray(value)) return firstReason(value.map((item, index) => [`${path}[${index}]`, item]));
  if (value instanceof Map) return firstReason([...value].map(([key, item]) => [`${path}.get(${String(key)})`, item]));
  if (value instanceof Set) return firstReason([...value].map((item) => [`${path} (a member)`, item]));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const { name = 'a class' } = (value.constructor ?? {}) as { name?: string };
    return `${path} is an instance of ${name}: what arrives is a plain object without its methods`;
  }
  if (Object.getOwnPropertySymbols(value).length > 0) return `${path} has a key that is a symbol`;
  return firstReason(Object.entries(value).map(([key, part]) => [`${path}.${key}`, part]));
}

/**
 * Returns an argument as it would arrive in another thread: plain data is copied, and frozen so that a change throws.
 * Other values (a session, a stream, a signal) are passed on.
 */
export function asReceived<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(asReceived)) as T;
  if (value instanceof Uint8Array) return structuredClone(value);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, asReceived(part)]));
  return Object.freeze(copy) as T;
}
