import type { Logger } from '@keyhost/spi';
import { type DescribedChange, describeChange, nameOf } from '../realms/comparison/describe.js';
import { editsOf } from '../realms/plan-realm.js';
import type { Realms } from '../realms/realms.js';
import type { KnownProvider } from '../registry/loading/known-providers.js';
import type { RealmSourceRecord, Store } from '../store/store.js';

/** Edits of a realm are collected for this long before it is compared with its file, in milliseconds. */
const COLLECT_MS = 500;
/** The maximum number of sentences that are cached for one realm. */
const MAX_SENTENCES = 50;

/** Finds which live realms differ from their files, and by which edits. Computed once per version of a realm. */
export class DriftedRealms {
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #builtIns: ReadonlySet<string>;
  readonly #pathOf: (realm: string) => string | undefined;
  readonly #editsByRealm = new Map<string, { version: number; edits: readonly DescribedChange[] }>();
  /** Realms that wait to be compared. */
  readonly #changedRealms = new Set<string>();
  /** The sentence that was last logged about each realm that differs. */
  readonly #lastLogged = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param pathOf returns the file of a realm */
  constructor(options: {
    store: Store;
    realms: Realms;
    providers: readonly KnownProvider[];
    logger: Logger;
    pathOf: (realm: string) => string | undefined;
  }) {
    this.#store = options.store;
    this.#logger = options.logger;
    this.#pathOf = options.pathOf;
    this.#builtIns = new Set(options.providers.filter(({ builtin }) => builtin).map(({ spi, id }) => `${spi}/${id}`));
    options.realms.onChanged((realm) => this.#compareSoon(realm));
  }

  /** @param record the stored realm; undefined if there is none */
  async edits(
    realm: string,
    record: { version: number; source?: RealmSourceRecord } | undefined,
  ): Promise<readonly DescribedChange[]> {
    if (record === undefined) return [REMOVED];
    const { version, source } = record;
    if (version === source?.version && source.drifted !== true) return [];
    const cached = this.#editsByRealm.get(realm);
    if (cached?.version === version) return cached.edits;
    const stored = await this.#store.realms.withDeclaration(realm);
    if (stored === undefined) return [REMOVED];
    const changes = editsOf(stored);
    const onByDefault = (spi: string, id: string) => this.#builtIns.has(`${spi}/${id}`);
    const secrets = new Set(stored.declared?.references.map(([path]) => textAt(stored.declared?.representation, path)));
    const edits = changes.slice(0, MAX_SENTENCES).map((change) => ({
      name: nameOf(change),
      sentence: describeChange(change, { onByDefault, secrets }),
    }));
    if (changes.length > MAX_SENTENCES) edits.push(describedChange(`and ${changes.length - MAX_SENTENCES} more`));
    this.#editsByRealm.set(realm, { version: stored.version, edits });
    return edits;
  }

  /** Records that the realm equals its file. */
  markInSync(realm: string): void {
    this.#changedRealms.delete(realm);
    this.#lastLogged.delete(realm);
    this.#editsByRealm.delete(realm);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #compareSoon(realm: string): void {
    if (this.#isClosed || this.#pathOf(realm) === undefined) return;
    this.#changedRealms.add(realm);
    this.#timer ??= setTimeout(() => void this.#compare(), COLLECT_MS).unref();
  }

  async #compare(): Promise<void> {
    this.#timer = undefined;
    const realms = [...this.#changedRealms];
    this.#changedRealms.clear();
    for (const realm of realms) {
      if (this.#isClosed) return;
      try {
        await this.#logEdits(realm);
      } catch (error) {
        this.#logger.error(`realm ${realm}: comparison with its file failed`, { reason: String(error) });
      }
    }
  }

  async #logEdits(realm: string): Promise<void> {
    const path = this.#pathOf(realm);
    if (path === undefined) return;
    const edits = await this.edits(realm, await this.#store.realms.get(realm));
    const sentences = edits.map(({ sentence }) => sentence);
    const message = sentences.join('\n');
    if (edits.length === 0) this.markInSync(realm);
    else if (this.#lastLogged.get(realm) !== message) {
      this.#lastLogged.set(realm, message);
      this.#logger.info(`realm ${realm} differs from ${path}`, { edits: sentences });
    }
  }
}

/** A sentence that contains no value. */
function describedChange(sentence: string): DescribedChange {
  return { name: sentence, sentence };
}

const REMOVED = describedChange('the realm is removed');

function textAt(value: unknown, path: readonly (string | number)[]): string {
  let member = value;
  for (const part of path) member = (member as Record<string | number, unknown> | undefined)?.[part];
  return typeof member === 'string' ? member : '';
}
