import { createHmac } from 'node:crypto';
import { signJwt } from '../../core/keys/sign.js';
import type { TestHost } from './host.js';

export const encodePart = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A part of a token as JSON. */
export function partOf(token: string, index: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
}

/** The same token with changed header or payload members and its old signature. */
export function edited(token: string, payload: object, header: object = {}): string {
  const signature = token.split('.')[2];
  return `${encodePart({ ...partOf(token, 0), ...header })}.${encodePart({ ...partOf(token, 1), ...payload })}.${signature}`;
}

/** A token with changed claims, signed by the key that signed the given one. */
export async function resigned(
  host: TestHost,
  token: string,
  payload: object,
  realm = host.defaultRealm,
): Promise<string> {
  const key = await (await host.keys.realm(realm)).active(String(partOf(token, 0).alg));
  return signJwt(key, { ...partOf(token, 1), ...payload });
}

/** A payload of this text, signed with the realm's own HS512 key, with any header. */
export async function sealed(
  host: TestHost,
  header: object,
  payload: string,
  realm = host.defaultRealm,
): Promise<string> {
  const { kid, key } = await (await host.keys.realm(realm)).active('HS512');
  const input = `${encodePart({ alg: 'HS512', kid, typ: 'JWT', ...header })}.${encodePart(payload)}`;
  return `${input}.${createHmac('sha512', key).update(input).digest('base64url')}`;
}
