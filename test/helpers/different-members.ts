/** Members that identify the items of a list, whose order has no meaning in a realm. */
const NAMES = ['clientId', 'client', 'clientScope', 'username', 'alias', 'providerAlias', 'name', 'identityProvider'];

/**
 * The members of a document that are missing or different in another, as paths with `*` for names of data. Lists of
 * named items are compared regardless of their order.
 */
export function differentMembers(before: unknown, after: unknown, path = ''): string[] {
  if (isObject(before) && isObject(after)) {
    return Object.entries(before).flatMap(([key, value]) => {
      const at = path === '' ? key : `${path}.${key}`;
      return Object.hasOwn(after, key) ? differentMembers(value, after[key], at) : [at];
    });
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const one = inOrder(before);
    const other = inOrder(after);
    if (one.length !== other.length) return [`${path}[]`];
    return [...new Set(one.flatMap((item, index) => differentMembers(item, other[index], `${path}[]`)))];
  }
  return before === after ? [] : [path];
}

function inOrder(items: readonly unknown[]): unknown[] {
  const named = items.map((item) => [nameOf(item), item] as const);
  return named.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).map(([, item]) => item);
}

function nameOf(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item);
  return NAMES.map((key) => String(item[key] ?? '')).join(' ');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
