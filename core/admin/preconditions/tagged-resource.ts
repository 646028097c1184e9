import type { RouteMatcher } from '../../http/route-matcher.js';
import type { AdminAnswer, AdminOperation } from '../operation.js';
import { entityTag } from './entity-tag.js';

/** A GET that has an ETag, and its path. */
export interface TaggedResource {
  /** The GET. */
  readonly operation: AdminOperation;
  readonly params: Readonly<Record<string, string>>;
  /** Path below `/admin`. */
  readonly path: string;
}

/** A path within a realm. The realm's own tag covers its settings only, so it does not apply to resources within it. */
const WITHIN_REALM = /^\/realms\/[^/]+\/./;

/**
 * The path of the resource that a request changes: its own path if that has a tag, or else the nearest one above. For
 * `/clients/{id}/client-secret` it is the client.
 */
export function taggedPath(path: string, isTagged: (path: string) => boolean): string | undefined {
  if (isTagged(path)) return path;
  const above = path.slice(0, path.lastIndexOf('/'));
  return WITHIN_REALM.test(above) ? taggedPath(above, isTagged) : undefined;
}

/** The resource that a request at this path changes. */
export function taggedAt(routes: RouteMatcher<AdminOperation>, path: string): TaggedResource | undefined {
  const read = (at: string) => {
    const found = routes.find(at, 'GET');
    return found?.value.etag === undefined ? undefined : found;
  };
  const at = taggedPath(path, (one) => read(one) !== undefined);
  const found = at === undefined ? undefined : read(at);
  return found && at !== undefined ? { operation: found.value, params: found.params, path: at } : undefined;
}

/** The tag of a GET's answer; undefined if it has none. */
export function tagOf({ etag }: AdminOperation, answer: AdminAnswer): string | undefined {
  if (etag === undefined || answer?.body === undefined) return undefined;
  return entityTag(etag === true ? answer.body : etag(answer.body));
}

/** True if the tag covers the whole answer, not a part of it. */
export function coversWholeBody({ etag }: AdminOperation, answer: AdminAnswer): boolean {
  return etag === true || (typeof etag === 'function' && etag(answer?.body) === answer?.body);
}
