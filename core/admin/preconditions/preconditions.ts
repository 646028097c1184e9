import type { RouteMatcher } from '../../http/route-matcher.js';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { Realm } from '../../model/realm.js';
import type { RealmRecord, Store } from '../../store/store.js';
import type { WriteConditions } from '../../store/write-conditions.js';
import { AdminError } from '../admin.js';
import type { AdminCall, AdminOperation } from '../operation.js';
import { AdminQuery } from '../query.js';
import type { RealmClients } from '../realm-clients.js';
import { matchesStrongly, type RequestedTags } from './entity-tag.js';
import { findLastChange, type LastChangeParts } from './last-change.js';
import { findTaggedResource, type TaggedResource, tagOf } from './tagged-resource.js';

export interface PreconditionParts extends LastChangeParts {
  readonly store: Pick<Store, 'events' | 'realms'>;
  readonly conditions: WriteConditions;
  readonly realmClients: RealmClients;
  readonly clock: Clock;
}

type Call = Omit<AdminCall, 'setEventDetails'>;

/**
 * Implements `If-Match` (RFC 9110 §13.1.1): a change is made only if the resource is as the caller last saw it. The tag
 * is a hash of the caller's own GET, so nothing is stored and all nodes compute the same tag. It is compared before the
 * change runs, and again with the record that the first write replaces.
 */
export class Preconditions {
  readonly #parts: PreconditionParts;
  readonly #routes: RouteMatcher<AdminOperation>;

  constructor(parts: PreconditionParts, routes: RouteMatcher<AdminOperation>) {
    this.#parts = parts;
    this.#routes = routes;
  }

  /**
   * Runs a change if the resource has one of the tags.
   * @param path the path of the request below `/admin`
   * @throws AdminError 412 if the resource has none of the tags, 400 if the path has no tag
   */
  async run<T>(requestedTags: RequestedTags, call: Call, path: string, change: () => Promise<T>): Promise<T> {
    const { conditions, store } = this.#parts;
    const resource = findTaggedResource(this.#routes, path);
    if (resource === undefined) {
      throw new AdminError(400, {
        error: 'invalid_request',
        error_description: 'If-Match: this path has no ETag',
      });
    }
    const check = async (record?: RealmRecord) => {
      const realm = record?.name === call.realm.name ? realmOfRecord(call.realm, record) : call.realm;
      const tag = await this.#currentTag(resource, call, realm);
      if (tag === undefined || !matchesStrongly(requestedTags, tag))
        throw await this.#preconditionError(resource, call, tag);
    };
    // Another node may have changed the realm in the meantime, so read it again.
    await check(await store.realms.get(call.realm.name));
    return conditions.run(check, change);
  }

  /** Computes the tag of the caller's own GET. @throws AdminError 404 if the resource does not exist */
  async #currentTag({ operation, params }: TaggedResource, call: Call, state: Realm): Promise<string | undefined> {
    const query = new AdminQuery('', operation.query ?? {});
    const realm = this.#parts.realmClients.withReferredClients(state, operation, params, query);
    const getCall = { ...call, realm, params, query, body: undefined };
    return tagOf(operation, await operation.handle({ ...getCall, setEventDetails: () => {} }));
  }

  async #preconditionError(
    { path }: TaggedResource,
    { realm, admin }: Call,
    etag: string | undefined,
  ): Promise<AdminError> {
    const resourcePath = path.replace(/^\/realms\/[^/]+\/?/, '');
    const changed = await findLastChange(this.#parts, {
      realm,
      admin,
      path: resourcePath,
      now: this.#parts.clock.now(),
    });
    return new AdminError(412, {
      error: 'precondition_failed',
      error_description: 'Changed since you read it: read it again, then repeat your change',
      ...defined({ etag, changed }),
    });
  }
}

/** The realm of a record, with the address that the request was sent to. */
function realmOfRecord(currentRealm: Realm, record: RealmRecord): Realm {
  return currentRealm.version === record.version
    ? currentRealm
    : new Realm(record, currentRealm.baseUrl, currentRealm.adminUrl);
}
