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
import { matches, type NamedTags } from './entity-tag.js';
import { type LastChangeParts, lastChange } from './last-change.js';
import { type TaggedResource, taggedAt, tagOf } from './tagged-resource.js';

export interface PreconditionParts extends LastChangeParts {
  readonly store: Pick<Store, 'events' | 'realms'>;
  readonly conditions: WriteConditions;
  readonly realmClients: RealmClients;
  readonly clock: Clock;
}

type Call = Omit<AdminCall, 'setEventDetails'>;

/**
 * `If-Match` (RFC 9110 §13.1.1): a change is made only if the resource is as the caller saw it. The tag is a hash of
 * the caller's own GET, so nothing must be stored and all nodes agree. It is compared before the change runs, and again
 * with the record that the first write replaces.
 */
export class Preconditions {
  readonly #parts: PreconditionParts;
  readonly #routes: RouteMatcher<AdminOperation>;

  constructor(parts: PreconditionParts, routes: RouteMatcher<AdminOperation>) {
    this.#parts = parts;
    this.#routes = routes;
  }

  /**
   * @param path of the request, below `/admin`
   * @throws AdminError 412 if the resource has none of the sent tags, 400 if the path has no tag
   */
  async run<T>(named: NamedTags, call: Call, path: string, work: () => Promise<T>): Promise<T> {
    const { conditions, store } = this.#parts;
    const thing = taggedAt(this.#routes, path);
    if (thing === undefined) {
      throw new AdminError(400, {
        error: 'invalid_request',
        error_description: 'If-Match: this path has no ETag',
      });
    }
    const check = async (record?: RealmRecord) => {
      const realm = record?.name === call.realm.name ? stateOf(call.realm, record) : call.realm;
      const tag = await this.#tagNow(thing, call, realm);
      if (tag === undefined || !matches(named, tag)) throw await this.#failed(thing, call, tag);
    };
    // Another node may have changed the realm since, so read it again.
    await check(await store.realms.get(call.realm.name));
    return conditions.run(check, work);
  }

  /** The tag of the caller's own GET. @throws AdminError 404 if the resource does not exist */
  async #tagNow({ operation, params }: TaggedResource, call: Call, state: Realm): Promise<string | undefined> {
    const query = new AdminQuery('', operation.query ?? {});
    const realm = this.#parts.realmClients.withReferredClients(state, operation, params, query);
    const asked = { ...call, realm, params, query, body: undefined };
    return tagOf(operation, await operation.handle({ ...asked, setEventDetails: () => {} }));
  }

  async #failed({ path }: TaggedResource, { realm, admin }: Call, etag: string | undefined): Promise<AdminError> {
    const below = path.replace(/^\/realms\/[^/]+\/?/, '');
    const changed = await lastChange(this.#parts, { realm, admin, path: below, now: this.#parts.clock.now() });
    return new AdminError(412, {
      error: 'precondition_failed',
      error_description: 'Changed since you read it: read it again, then repeat your change',
      ...defined({ etag, changed }),
    });
  }
}

/** The realm of a record, with the address of the request. */
function stateOf(seen: Realm, record: RealmRecord): Realm {
  return seen.version === record.version ? seen : new Realm(record, seen.baseUrl, seen.adminUrl);
}
