import { HostError } from '@keyhost/spi';

/**
 * Maximum size of a frame's content from a worker, in bytes. The host's main thread deserialises a frame in one go. For
 * text of this size it takes about 10 ms, for many small objects several times as long.
 */
export const MAX_BYTES = 16 * 1024 * 1024;
/** The assumed overhead of each member, in bytes. */
const MEMBER_BYTES = 16;

/** True if a value takes more than this number of bytes as the content of a frame. */
export function isLarger(value: unknown, bytes: number): boolean {
  return remainingAfter(bytes, value, new Set()) < 0;
}

/**
 * Checks the size of a value.
 * @throws HostError `provider_shape` (500) if it takes more than `MAX_BYTES`
 */
export function checkSize(value: unknown, description: string): void {
  if (!isLarger(value, MAX_BYTES)) return;
  const message = `${description}: at most ${MAX_BYTES / 1024 / 1024} MiB go from a worker to the host at once`;
  throw new HostError('provider_shape', message, { status: 500 });
}

/**
 * Subtracts the size of a value from a number of bytes; the result is below 0 if the value is larger. An object that
 * occurs several times counts once.
 */
function remainingAfter(bytes: number, value: unknown, seen: Set<object>): number {
  if (typeof value === 'string') return bytes - MEMBER_BYTES - 2 * value.length;
  if (typeof value !== 'object' || value === null) return bytes - MEMBER_BYTES;
  if (seen.has(value)) return bytes - MEMBER_BYTES;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return bytes - MEMBER_BYTES - value.buffer.byteLength;
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer)
    return bytes - MEMBER_BYTES - value.byteLength;
  return remainingAfterMembers(bytes - MEMBER_BYTES, value, seen);
}

/** Uses plain loops for speed, because a value may have hundreds of thousands of members. */
function remainingAfterMembers(bytes: number, value: object, seen: Set<object>): number {
  let remainingBytes = bytes;
  if (Array.isArray(value) || value instanceof Set) {
    for (const member of value) {
      remainingBytes = remainingAfter(remainingBytes, member, seen);
      if (remainingBytes < 0) return remainingBytes;
    }
  } else if (value instanceof Map) {
    for (const [key, member] of value) {
      remainingBytes = remainingAfter(remainingAfter(remainingBytes, key, seen), member, seen);
      if (remainingBytes < 0) return remainingBytes;
    }
  } else {
    for (const name in value) {
      remainingBytes = remainingAfter(
        remainingBytes - MEMBER_BYTES - 2 * name.length,
        (value as Record<string, unknown>)[name],
        seen,
      );
      if (remainingBytes < 0) return remainingBytes;
    }
  }
  return remainingBytes;
}
