import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AdminError } from '../admin.js';

/** One tag, or a list of tags, in the syntax of RFC 9110 §8.8.3. */
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
const TAGS = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*$/;

/** The tags in a header as sent, or `*` for any existing resource. */
export type RequestedTags = readonly string[] | '*';

/** Computes the strong tag of a state. */
export function entityTag(state: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 32)}"`;
}

/**
 * Parses a header with tags.
 * @returns undefined if the header is absent
 * @throws AdminError 400 if it is not a list of tags
 */
export function parseRequestedTags(
  headers: IncomingHttpHeaders,
  header: 'If-Match' | 'If-None-Match',
): RequestedTags | undefined {
  const { [header.toLowerCase()]: value } = headers;
  if (value === undefined) return undefined;
  const text = String(value).trim();
  if (text === '*') return '*';
  if (TAGS.test(text)) return text.match(TAG) ?? [];
  throw new AdminError(400, {
    error: 'invalid_request',
    error_description: `${header}: must be an ETag in double quotes, several with commas between them, or *`,
  });
}

/** Strong comparison (RFC 9110 §8.8.3.2): a weak tag never matches. */
export function matchesStrongly(requestedTags: RequestedTags, tag: string): boolean {
  return requestedTags === '*' || requestedTags.includes(tag);
}

/** Weak comparison, for reading requests. */
export function matchesWeakly(requestedTags: RequestedTags, tag: string): boolean {
  return requestedTags === '*' || requestedTags.some((candidate) => candidate.replace(/^W\//, '') === tag);
}
