import type { RouteMatcher } from '../../http/route-matcher.js';
import type { AdminAnswer, AdminOperation } from '../operation.js';
import { entityTag } from './entity-tag.js';

/** What is read at a path, and has a tag. */
export interface Tagged {
  /** The GET. */
  readonly operation: AdminOperation;
  readonly params: Readonly<Record<string, string>>;
  /** Below `/admin`. */
  readonly path: string;
}

/** A realm has its tag for itself: what lies in it is changed without regard to its settings. */
const WITHIN_REALM = /^\/realms\/[^/]+\/./;

/**
 * The path of the thing that is changed at a path: what is read there, or else what it belongs to, such as the client of
 * `/clients/{id}/client-secret`.
 */
export function taggedPath(path: string, isTagged: (path: string) => boolean): string | undefined {
  if (isTagged(path)) return path;
  const above = path.slice(0, path.lastIndexOf('/'));
  return WITHIN_REALM.test(above) ? taggedPath(above, isTagged) : undefined;
}

/** The thing that is changed at a path. */
export function taggedAt(routes: RouteMatcher<AdminOperation>, path: string): Tagged | undefined {
  const read = (at: string) => {
    const found = routes.find(at, 'GET');
    return found?.value.tagged === undefined ? undefined : found;
  };
  const at = taggedPath(path, (one) => read(one) !== undefined);
  const found = at === undefined ? undefined : read(at);
  return found && at !== undefined ? { operation: found.value, params: found.params, path: at } : undefined;
}

/** The tag of what a GET answered; undefined where it has none. */
export function tagOf({ tagged }: AdminOperation, answer: AdminAnswer): string | undefined {
  if (tagged === undefined || answer?.body === undefined) return undefined;
  return entityTag(tagged === true ? answer.body : tagged(answer.body));
}

/** True where the tag tells every change of the answer, not of what it says of itself alone. */
export function isWholly({ tagged }: AdminOperation, answer: AdminAnswer): boolean {
  return tagged === true || (typeof tagged === 'function' && tagged(answer?.body) === answer?.body);
}
