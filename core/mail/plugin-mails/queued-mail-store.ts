import { createHash } from 'node:crypto';
import { decryptText, encryptText } from '../../keys/encrypted-jwt.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Clock } from '../../model/clock.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { EntryStore, Store } from '../../store/store.js';
import type { Mail } from '../mailer.js';

/** The namespaces in the store. They begin with a slash, unlike plugin names, so they never conflict. */
const MAILS_NAMESPACE = '/mails';
const MOVES_NAMESPACE = '/moved-mails';
const KEYS_NAMESPACE = '/mail-keys';
/** How long a plugin's key is stored, in milliseconds. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** The token type of encrypted mails. */
const TOKEN_TYPE = 'Queued-Mail';
/**
 * How long a mail is stored after it has expired, in milliseconds, so that its failure is reported even after a
 * restart.
 */
const RETENTION_MS = 24 * 60 * 60 * 1000;
/**
 * How long a node may take to move a mail, in milliseconds. If it dies meanwhile, other nodes may move the mail
 * afterwards.
 */
const MOVE_TIMEOUT_MS = 120_000;
/** Sorts after every ID of a mail. */
const AFTER_ALL_IDS = '\u{10ffff}';

/** The location of a queued mail. */
export interface MailLocation {
  /** The node that sends it. */
  readonly node: string;
  readonly id: string;
  readonly realm: string;
  readonly plugin: string;
}

/** A queued mail. */
export interface StoredMail {
  readonly mail: Mail;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Keycloak's event type for this mail, and the ID of the recipient. */
  readonly event?: string | undefined;
  readonly userId?: string | undefined;
  /** Counters to reduce if the mail is not sent. */
  readonly counted?: readonly string[] | undefined;
  /** The mail's kind, for its sender. Default: the name of its plugin. */
  readonly kind?: string | undefined;
}

interface Row {
  readonly realm: string;
  readonly plugin: string;
  readonly sealed: string;
}

/**
 * Stores the queued mails. They are encrypted with the AES key of their realm, and grouped by the node that will send
 * them.
 */
export class QueuedMailStore {
  readonly #entries: EntryStore;
  readonly #commit: Store['commit'];
  readonly #parts: {
    store: Pick<Store, 'entries' | 'commit'>;
    keys: Pick<KeyRing, 'realm' | 'forToken'>;
    clock: Clock;
  };

  constructor(parts: {
    store: Pick<Store, 'entries' | 'commit'>;
    keys: Pick<KeyRing, 'realm' | 'forToken'>;
    clock: Clock;
  }) {
    this.#parts = parts;
    const { store } = parts;
    this.#entries = store.entries;
    this.#commit = (steps) => store.commit(steps);
  }

  /**
   * Stores a mail.
   * @param key the plugin's key: only one mail with it is queued per day
   * @returns false if there is one already
   */
  async put(location: MailLocation, storedMail: StoredMail, key?: string): Promise<boolean> {
    const { realm, plugin, id } = location;
    const keys = await this.#parts.keys.realm(realm);
    const sealed = await encryptText(keys, TOKEN_TYPE, JSON.stringify({ id, plugin, ...storedMail }));
    const row = toEntry(location, { realm, plugin, sealed }, storedMail.expiresAt);
    if (key === undefined) {
      await this.#entries.put(row);
      return true;
    }
    const now = this.#parts.clock.now();
    const claim = {
      ...pluginKeyEntry(realm, plugin, key),
      value: JSON.stringify(id),
      expiresAt: now + KEY_LIFETIME_MS,
      now,
    };
    // In one transaction: after a kill, either both exist or none.
    const { committed } = await this.#commit([
      { op: 'entries.claim', args: claim, require: true },
      { op: 'entries.put', args: row },
    ]);
    return committed;
  }

  /** Returns the ID of the mail with this key; undefined if there was none within a day. */
  async findByKey(realm: string, plugin: string, key: string): Promise<string | undefined> {
    const id = await this.#entries.get({ ...pluginKeyEntry(realm, plugin, key), now: this.#parts.clock.now() });
    return id === undefined ? undefined : (JSON.parse(id) as string);
  }

  /** Reads a mail; undefined if it no longer exists, or if the entry holds a different one. */
  async read(location: MailLocation): Promise<StoredMail | undefined> {
    const value = await this.#entries.get({ ...entryKey(location), now: this.#parts.clock.now() });
    if (value === undefined) return undefined;
    const { sealed } = JSON.parse(value) as Row;
    const json = await decryptText(await this.#parts.keys.forToken(location.realm, sealed), TOKEN_TYPE, sealed);
    if (json === undefined) return undefined;
    const storedMail = JSON.parse(json) as StoredMail & Pick<MailLocation, 'id' | 'plugin'>;
    return storedMail.id === location.id && storedMail.plugin === location.plugin ? storedMail : undefined;
  }

  delete(location: MailLocation): Promise<void> {
    return this.#entries.delete(entryKey(location));
  }

  /** Lists the mails of a node page by page, in the order of their keys. */
  async *listByNode(node: string): AsyncGenerator<MailLocation> {
    for (let after: string | undefined; ; ) {
      const range = { realm: MASTER_REALM, namespace: MAILS_NAMESPACE, prefix: `${node}/`, first: 0, max: 100 };
      const rows = await this.#entries.list({ ...range, after, now: this.#parts.clock.now() });
      for (const { key, value } of rows) {
        const { realm, plugin } = JSON.parse(value) as Row;
        yield { node, id: key.slice(node.length + 1), realm, plugin };
      }
      after = rows.at(-1)?.key;
      if (after === undefined) return;
    }
  }

  /** Lists the nodes with queued mails. */
  async listNodes(): Promise<readonly string[]> {
    const nodes: string[] = [];
    for (let after: string | undefined; ; ) {
      const range = { realm: MASTER_REALM, namespace: MAILS_NAMESPACE, prefix: '', first: 0, max: 1 };
      const [row] = await this.#entries.list({ ...range, after, now: this.#parts.clock.now() });
      if (row === undefined) return nodes;
      const node = row.key.slice(0, row.key.indexOf('/'));
      nodes.push(node);
      after = `${node}/${AFTER_ALL_IDS}`;
    }
  }

  /**
   * Moves a mail to another node.
   * @returns its new location; undefined if another node has taken it
   */
  async move(location: MailLocation, node: string): Promise<MailLocation | undefined> {
    const now = this.#parts.clock.now();
    const { key } = entryKey(location);
    const claim = {
      realm: MASTER_REALM,
      namespace: MOVES_NAMESPACE,
      key,
      value: 'true',
      expiresAt: now + MOVE_TIMEOUT_MS,
      now,
    };
    if (!(await this.#entries.claim(claim))) return undefined;
    const value = await this.#entries.get({ ...entryKey(location), now });
    if (value === undefined) return undefined;
    const newLocation = { ...location, node };
    const storedMail = await this.read(location);
    if (storedMail !== undefined)
      await this.#entries.put(toEntry(newLocation, JSON.parse(value) as Row, storedMail.expiresAt));
    await this.delete(location);
    return storedMail && newLocation;
  }
}

function toEntry(location: MailLocation, row: Row, expiresAt: number) {
  return { ...entryKey(location), value: JSON.stringify(row), expiresAt: expiresAt + RETENTION_MS };
}

/** Returns the entry of a plugin's key, which is hashed because it may contain personal data. */
function pluginKeyEntry(realm: string, plugin: string, key: string) {
  return {
    realm,
    namespace: KEYS_NAMESPACE,
    key: createHash('sha256').update(`${plugin}\0${key}`).digest('base64url'),
  };
}

function entryKey({ node, id }: MailLocation) {
  return { realm: MASTER_REALM, namespace: MAILS_NAMESPACE, key: `${node}/${id}` };
}
