import { EVENT_TAGS, type EventTag } from '../../config/options/event-metrics.js';
import { MAX_REALM_LABELS, OTHER_REALMS } from '../metrics/realm-labels.js';

/**
 * Maximum number of clients, and of identity providers, with labels of their own in a realm. All others share one
 * label.
 */
const MAX_NAMED_PER_REALM = 100;

/** The tags of an event; empty if it has none. */
export type EventTags = Readonly<Record<EventTag, string>>;

export interface EventTotal {
  /** The configured tags. */
  readonly tags: Partial<EventTags>;
  /** The event type, without `_ERROR`. */
  readonly type: string;
  /** The error; empty for a success. */
  readonly error: string;
  total: number;
}

export interface EventTotalsOptions {
  /** Default: `realm` alone, as in Keycloak. More tags create more time series. */
  readonly tags?: readonly EventTag[] | undefined;
  /** The counted event types; default: all. */
  readonly types?: readonly string[] | undefined;
}

/** Counts user events since the process started, for `/metrics`. */
export class EventTotals {
  readonly tags: readonly EventTag[];
  readonly #types: ReadonlySet<string> | undefined;
  readonly #totals = new Map<string, EventTotal>();
  /**
   * The names that have labels of their own. The key is `''` for realms, and the tag and the realm for clients and
   * identity providers.
   */
  readonly #names = new Map<string, Set<string>>();

  constructor({ tags = ['realm'], types }: EventTotalsOptions = {}) {
    this.tags = EVENT_TAGS.filter((tag) => tags.includes(tag));
    this.#types = types === undefined ? undefined : new Set(types);
  }

  add(type: string, error: string, tags: EventTags): void {
    if (this.#types?.has(type) === false) return;
    const realm = this.#nameOrOther('', tags.realm, MAX_REALM_LABELS);
    const labels: Partial<Record<EventTag, string>> = {};
    let key = `${type} ${error}`;
    for (const tag of this.tags) {
      const name = this.#labelFor(tag, tags, realm);
      labels[tag] = name;
      key += `\n${name}`;
    }
    const total = this.#totals.get(key);
    if (total === undefined) this.#totals.set(key, { tags: labels, type, error, total: 1 });
    else total.total += 1;
  }

  all(): Iterable<EventTotal> {
    return this.#totals.values();
  }

  /**
   * Returns the label of a tag. If the realm is aggregated under the label of all other realms, so are its clients and
   * identity providers.
   * @param realm the realm's label
   */
  #labelFor(tag: EventTag, tags: EventTags, realm: string): string {
    if (tag === 'realm') return realm;
    if (tags[tag] === '') return '';
    return realm === OTHER_REALMS ? OTHER_REALMS : this.#nameOrOther(`${tag} ${realm}`, tags[tag], MAX_NAMED_PER_REALM);
  }

  #nameOrOther(namespace: string, name: string, limit: number): string {
    let names = this.#names.get(namespace);
    if (names === undefined) {
      names = new Set();
      this.#names.set(namespace, names);
    }
    if (names.has(name)) return name;
    if (names.size >= limit) return OTHER_REALMS;
    names.add(name);
    return name;
  }
}
