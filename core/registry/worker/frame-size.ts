import { HostError } from '@keyhost/spi';

/**
 * Largest content of a frame from a worker, in bytes. The host's main thread reads a frame in one piece, which takes about a
 * hundredth of a second for as many bytes of text and several times as long for as many of small objects.
 */
export const MOST_BYTES = 16 * 1024 * 1024;
/** Bytes that a member takes besides its content. */
const MEMBER = 16;

/** Whether a value takes more than a number of bytes as a frame's content. */
export function isLarger(value: unknown, bytes: number): boolean {
  return leftOf(bytes, value, new Set()) < 0;
}

/** @throws HostError `provider_shape` (500) for a value of more than `MOST_BYTES` */
export function refuseLarge(value: unknown, what: string): void {
  if (!isLarger(value, MOST_BYTES)) return;
  const message = `${what}: at most ${MOST_BYTES / 1024 / 1024} MiB go from a worker to the host at once`;
  throw new HostError('provider_shape', message, { status: 500 });
}

/** Bytes that are left of a number of them; below 0 if the value takes more. A cycle counts once. */
function leftOf(bytes: number, value: unknown, seen: Set<object>): number {
  if (typeof value === 'string') return bytes - MEMBER - 2 * value.length;
  if (typeof value !== 'object' || value === null) return bytes - MEMBER;
  if (seen.has(value)) return bytes - MEMBER;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return bytes - MEMBER - value.buffer.byteLength;
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return bytes - MEMBER - value.byteLength;
  return leftOfMembers(bytes - MEMBER, value, seen);
}

/** Plain loops: an answer may have hundreds of thousands of members, and each is looked at. */
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
