import { HostError } from '@keyhost/spi';

/** Maximum depth of a value. Structured clone or JSON might fail for deeper ones. */
const MAX_DEPTH = 500;

/**
 * Finds a part that structured clone cannot copy, or would silently copy as a different value. For example, a `URL`
 * becomes `{}`, and an instance of a class loses its methods.
 * @returns the position and type of the first such part, such as `body.next, a URL`; undefined if the value can be
 * copied unchanged
 */
export function findUncloneable(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return findInPrimitive(value, '');
  return findInObject(value, '', new Set(), 0);
}

function findInObject(value: object, path: string, visited: Set<object>, depth: number): string | undefined {
  if (visited.has(value)) return undefined;
  visited.add(value);
  if (depth > MAX_DEPTH) return `${path}, nested too deeply`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const problem = findInMember(value[index], path, index, visited, depth);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return findInInstance(value, path, visited, depth);
  for (const name in value) {
    const problem = findInMember((value as Record<string, unknown>)[name], path, name, visited, depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findInMember(
  member: unknown,
  path: string,
  name: string | number,
  visited: Set<object>,
  depth: number,
): string | undefined {
  if (typeof member === 'object' && member !== null)
    return findInObject(member, memberPath(path, name), visited, depth + 1);
  if (typeof member === 'function' || typeof member === 'symbol')
    return findInPrimitive(member, memberPath(path, name));
  return undefined;
}

function findInInstance(value: object, path: string, visited: Set<object>, depth: number): string | undefined {
  if (value instanceof Map || value instanceof Set) {
    for (const member of value instanceof Map ? [...value].flat() : value) {
      const problem = findInMember(member, path, value.constructor.name, visited, depth);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Date) return undefined;
  return `${path}, ${withArticle((value.constructor as { name?: string } | undefined)?.name || 'object of its own kind')}`;
}

function findInPrimitive(value: unknown, path: string): string | undefined {
  return typeof value === 'function' || typeof value === 'symbol' ? `${path}, a ${typeof value}` : undefined;
}

function memberPath(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function withArticle(name: string): string {
  return /^[AEIOaeio]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** @param description the value, and the part of it that `findUncloneable` returned */
export function notCloneableError(description: string): HostError {
  return new HostError('not_cloneable', `${description}: only plain data crosses between the host and a plugin`);
}
