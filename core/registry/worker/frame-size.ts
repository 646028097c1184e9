import { HostError } from '@keyhost/spi';

/**
 * Maximum size of a frame's content from a worker, in bytes. The host's main thread deserialises a frame at once. This
 * takes about 10 ms for text of this size, and several times as long for many small objects.
 */
export const MOST_BYTES = 16 * 1024 * 1024;
/** The overhead of a member, in bytes. */
const MEMBER = 16;

/** True if a value takes more than a number of bytes as a frame's content. */
export function isLarger(value: unknown, bytes: number): boolean {
  return leftOf(bytes, value, new Set()) < 0;
}

/** @throws HostError `provider_shape` (500) for a value of more than `MOST_BYTES` */
export function refuseLarge(value: unknown, what: string): void {
  if (!isLarger(value, MOST_BYTES)) return;
  const message = `${what}: at most ${MOST_BYTES / 1024 / 1024} MiB go from a worker to the host at once`;
  throw new HostError('provider_shape', message, { status: 500 });
}

/** Returns the rest of a number of bytes after a value; below 0 if the value takes more. A cycle counts once. */
function leftOf(bytes: number, value: unknown, seen: Set<object>): number {
  if (typeof value === 'string') return bytes - MEMBER - 2 * value.length;
  if (typeof value !== 'object' || value === null) return bytes - MEMBER;
  if (seen.has(value)) return bytes - MEMBER;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return bytes - MEMBER - value.buffer.byteLength;
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return bytes - MEMBER - value.byteLength;
  return leftOfMembers(bytes - MEMBER, value, seen);
}

/** Plain loops for speed: an answer may have hundreds of thousands of members. */
function leftOfMembers(bytes: number, value: object, seen: Set<object>): number {
  let left = bytes;
  if (Array.isArray(value) || value instanceof Set) {
    for (const member of value) {
      left = leftOf(left, member, seen);
      if (left < 0) return left;
    }
  } else if (value instanceof Map) {
    for (const [key, member] of value) {
      left = leftOf(leftOf(left, key, seen), member, seen);
      if (left < 0) return left;
    }
  } else {
    for (const name in value) {
      left = leftOf(left - MEMBER - 2 * name.length, (value as Record<string, unknown>)[name], seen);
      if (left < 0) return left;
    }
  }
  return left;
}
