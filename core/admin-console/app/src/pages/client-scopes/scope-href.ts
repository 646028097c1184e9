import { encodeSegment } from '../../address.ts';

/** The path of a client scope, or of the list of them. */
export function scopeHref(realm: string, id?: string): string {
  const list = `/realms/${encodeSegment(realm)}/client-scopes`;
  return id === undefined ? list : `${list}/${encodeSegment(id)}`;
}
