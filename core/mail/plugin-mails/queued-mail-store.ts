import { createHash } from 'node:crypto';
import { decryptText, encryptText } from '../../keys/encrypted-jwt.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Clock } from '../../model/clock.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { EntryStore, Store } from '../../store/store.js';
import type { Mail } from '../mailer.js';

/** The namespaces in the store; plugin names never begin with a slash. */
const NAMESPACE = '/mails';
const MOVING = '/moved-mails';
const KEYS = '/mail-keys';
/** How long a plugin's key is remembered, in milliseconds. */
const KEY_MS = 24 * 60 * 60 * 1000;
/** The type of the encryption of mails. */
const TYPE = 'Queued-Mail';
/** How long an expired mail is stored in milliseconds, so that the failure is reported even after a restart. */
const KEPT_AFTER_MS = 24 * 60 * 60 * 1000;
/** If a node dies while it takes over a mail, others may do so after this, in milliseconds. */
const MOVING_MS = 120_000;
/** Sorts after every key of a node. */
const END = '\u{10ffff}';

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
  /** Keycloak's event that records the mail, and its user. */
  readonly event?: string | undefined;
  readonly userId?: string | undefined;
  /** Counters to undo if the mail is not sent. */
  readonly counted?: readonly string[] | undefined;
  /** The kind that its sender gets. Default: the name of its plugin. */
  readonly kind?: string | undefined;
}

interface Row {
  readonly realm: string;
  readonly plugin: string;
  readonly sealed: string;
}

/**
 * The queued mails in the store: encrypted with the AES key of their realm, in rows of the node that will send them.
 */
export class QueuedMailStore {
  readonly #entries: EntryStore;
  readonly #commit: Store['commit'];
  readonly #keys: Pick<KeyRing, 'realm' | 'forToken'>;
  readonly #clock: Clock;

  constructor(parts: {
    store: Pick<Store, 'entries' | 'commit'>;
    keys: Pick<KeyRing, 'realm' | 'forToken'>;
    clock: Clock;
  }) {
    const { store } = parts;
    this.#entries = store.entries;
    this.#commit = (steps) => store.commit(steps);
    this.#keys = parts.keys;
    this.#clock = parts.clock;
  }

  /**
   * @param key the plugin's key: only one mail with it is queued per day
   * @returns false if there is one already
   */
  async put(place: MailLocation, kept: StoredMail, key?: string): Promise<boolean> {
    const { realm, plugin, id } = place;
    const keys = await this.#keys.realm(realm);
    const sealed = await encryptText(keys, TYPE, JSON.stringify({ id, plugin, ...kept }));
    const row = rowOf(place, { realm, plugin, sealed }, kept.expiresAt);
    if (key === undefined) {
      await this.#entries.put(row);
      return true;
    }
    const now = this.#clock.now();
    const claim = { ...keyedBy(realm, plugin, key), value: JSON.stringify(id), expiresAt: now + KEY_MS, now };
    // In one transaction: after a kill, either both exist or none.
    const { committed } = await this.#commit([
      { op: 'entries.claim', args: claim, require: true },
      { op: 'entries.put', args: row },
    ]);
    return committed;
  }

  /** The ID of the mail with this key; undefined if there was none within a day. */
  async withKey(realm: string, plugin: string, key: string): Promise<string | undefined> {
    const id = await this.#entries.get({ ...keyedBy(realm, plugin, key), now: this.#clock.now() });
    return id === undefined ? undefined : (JSON.parse(id) as string);
  }

  /** The mail; undefined if it no longer exists, or the row holds a different one. */
  async read(place: MailLocation): Promise<StoredMail | undefined> {
    const value = await this.#entries.get({ ...keyOf(place), now: this.#clock.now() });
    if (value === undefined) return undefined;
    const { sealed } = JSON.parse(value) as Row;
    const opened = await decryptText(await this.#keys.forToken(place.realm, sealed), TYPE, sealed);
    if (opened === undefined) return undefined;
    const kept = JSON.parse(opened) as StoredMail & Pick<MailLocation, 'id' | 'plugin'>;
    return kept.id === place.id && kept.plugin === place.plugin ? kept : undefined;
  }

  delete(place: MailLocation): Promise<void> {
    return this.#entries.delete(keyOf(place));
  }

  /** Pages through the mails of a node, in the order of their keys. */
  async *ofNode(node: string): AsyncGenerator<MailLocation> {
    for (let after: string | undefined; ; ) {
      const range = { realm: MASTER_REALM, namespace: NAMESPACE, prefix: `${node}/`, first: 0, max: 100 };
      const rows = await this.#entries.list({ ...range, after, now: this.#clock.now() });
      for (const { key, value } of rows) {
        const { realm, plugin } = JSON.parse(value) as Row;
        yield { node, id: key.slice(node.length + 1), realm, plugin };
      }
      after = rows.at(-1)?.key;
      if (after === undefined) return;
    }
  }

  /** The nodes with queued mails. */
  async nodes(): Promise<readonly string[]> {
    const nodes: string[] = [];
    for (let after: string | undefined; ; ) {
      const range = { realm: MASTER_REALM, namespace: NAMESPACE, prefix: '', first: 0, max: 1 };
      const [row] = await this.#entries.list({ ...range, after, now: this.#clock.now() });
      if (row === undefined) return nodes;
      const node = row.key.slice(0, row.key.indexOf('/'));
      nodes.push(node);
      after = `${node}/${END}`;
    }
  }

  /** Hands a mail over to another node. @returns its new location; undefined if another node has taken it */
  async move(place: MailLocation, node: string): Promise<MailLocation | undefined> {
    const now = this.#clock.now();
    const { key } = keyOf(place);
    const claim = { realm: MASTER_REALM, namespace: MOVING, key, value: 'true', expiresAt: now + MOVING_MS, now };
    if (!(await this.#entries.claim(claim))) return undefined;
    const value = await this.#entries.get({ ...keyOf(place), now });
    if (value === undefined) return undefined;
    const moved = { ...place, node };
    const kept = await this.read(place);
    if (kept !== undefined) await this.#entries.put(rowOf(moved, JSON.parse(value) as Row, kept.expiresAt));
    await this.delete(place);
    return kept && moved;
  }
}

function rowOf(place: MailLocation, row: Row, expiresAt: number) {
  return { ...keyOf(place), value: JSON.stringify(row), expiresAt: expiresAt + KEPT_AFTER_MS };
}

/** Hashed, because plugins' keys may contain personal data. */
function keyedBy(realm: string, plugin: string, key: string) {
  return { realm, namespace: KEYS, key: createHash('sha256').update(`${plugin}\0${key}`).digest('base64url') };
}

function keyOf({ node, id }: MailLocation) {
  return { realm: MASTER_REALM, namespace: NAMESPACE, key: `${node}/${id}` };
}
