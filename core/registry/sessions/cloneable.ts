import { HostError } from '@keyhost/spi';

/** Deeper values are refused: structured clone or JSON might fail for them. */
const DEPTH_LIMIT = 500;

/**
 * Finds a part that structured clone cannot copy, or would silently copy as a different value. For example, `URL`
 * becomes `{}`, and an instance of a class loses its methods.
 * @returns the position and type of the first such part, such as `body.next, a URL`; undefined if the value arrives
 * unchanged
 */
export function uncloneable(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return primitive(value, '');
  return inObject(value, '', new Set(), 0);
}

function inObject(value: object, path: string, seen: Set<object>, depth: number): string | undefined {
  if (seen.has(value)) return undefined;
  seen.add(value);
  if (depth > DEPTH_LIMIT) return `${path}, nested too deeply`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = inMember(value[index], path, index, seen, depth);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return inInstance(value, path, seen, depth);
  for (const name in value) {
    const found = inMember((value as Record<string, unknown>)[name], path, name, seen, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inMember(
  member: unknown,
  path: string,
  name: string | number,
  seen: Set<object>,
  depth: number,
): string | undefined {
  if (typeof member === 'object' && member !== null) return inObject(member, at(path, name), seen, depth + 1);
  if (typeof member === 'function' || typeof member === 'symbol') return primitive(member, at(path, name));
  return undefined;
}

function inInstance(value: object, path: string, seen: Set<object>, depth: number): string | undefined {
  if (value instanceof Map || value instanceof Set) {
    for (const part of value instanceof Map ? [...value].flat() : value) {
      const found = inMember(part, path, value.constructor.name, seen, depth);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Date) return undefined;
  return `${path}, ${withArticle((value.constructor as { name?: string } | undefined)?.name || 'object of its own kind')}`;
}

function primitive(value: unknown, path: string): string | undefined {
  return typeof value === 'function' || typeof value === 'symbol' ? `${path}, a ${typeof value}` : undefined;
}

function at(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function withArticle(name: string): string {
  return /^[AEIOaeio]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** @param what a description of the value, with the part as named by `uncloneable` */
export function notCloneable(what: string): HostError {
  return new HostError('not_cloneable', `${what}: only plain data crosses between the host and a plugin`);
}
