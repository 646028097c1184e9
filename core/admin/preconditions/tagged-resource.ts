import type { RouteMatcher } from '../../http/route-matcher.js';
import type { AdminAnswer, AdminOperation } from '../operation.js';
import { entityTag } from './entity-tag.js';

/** A resource whose GET has an ETag. */
export interface TaggedResource {
  /** The GET operation of the resource. */
  readonly operation: AdminOperation;
  readonly params: Readonly<Record<string, string>>;
  /** The resource's path below `/admin`. */
  readonly path: string;
}

/**
 * A path within a realm. The realm's own tag only covers its settings, so it does not apply to resources within the
 * realm.
 */
const WITHIN_REALM = /^\/realms\/[^/]+\/./;

/**
 * Returns the path of the resource that a request changes. It is the request's own path if that has a tag, or else the
 * nearest parent with one. For `/clients/{id}/client-secret` it is the client.
 */
export function taggedPath(path: string, isTagged: (path: string) => boolean): string | undefined {
  if (isTagged(path)) return path;
  const parentPath = path.slice(0, path.lastIndexOf('/'));
  return WITHIN_REALM.test(parentPath) ? taggedPath(parentPath, isTagged) : undefined;
}

/** Finds the resource that a request at this path changes. */
export function findTaggedResource(routes: RouteMatcher<AdminOperation>, path: string): TaggedResource | undefined {
  const findTaggedGet = (candidate: string) => {
    const match = routes.find(candidate, 'GET');
    return match?.value.etag === undefined ? undefined : match;
  };
  const resourcePath = taggedPath(path, (candidate) => findTaggedGet(candidate) !== undefined);
  const match = resourcePath === undefined ? undefined : findTaggedGet(resourcePath);
  return match && resourcePath !== undefined
    ? { operation: match.value, params: match.params, path: resourcePath }
    : undefined;
}

/** Computes the tag of a GET's response; undefined if it has none. */
export function tagOf({ etag }: AdminOperation, answer: AdminAnswer): string | undefined {
  if (etag === undefined || answer?.body === undefined) return undefined;
  return entityTag(etag === true ? answer.body : etag(answer.body));
}

/** True if the tag is computed from the whole response. */
export function coversWholeBody({ etag }: AdminOperation, answer: AdminAnswer): boolean {
  return etag === true || (typeof etag === 'function' && etag(answer?.body) === answer?.body);
}
