import type { KeyRecord, KeyStatus, KeyStore } from '../../core/store/store.js';

/** A KeyStore in a Map. To be replaced by the real in-memory store as soon as there is one. */
export class MemoryKeyStore implements KeyStore {
  readonly records = new Map<string, KeyRecord>();

  async list(realm: string): Promise<readonly KeyRecord[]> {
    return [...this.records.values()].filter((record) => record.realm === realm);
  }

  async add(keys: readonly KeyRecord[]): Promise<void> {
    for (const key of keys) if (!this.records.has(id(key))) this.records.set(id(key), key);
  }

  async addFirst(key: KeyRecord): Promise<KeyRecord> {
    const [standing] = this.#signing(key);
    if (standing !== undefined) return standing;
    this.records.set(id(key), key);
    return key;
  }

  async rotate(key: KeyRecord): Promise<void> {
    for (const old of this.#signing(key)) this.records.set(id(old), { ...old, status: 'PASSIVE' });
    this.records.set(id(key), key);
  }

  async setStatus(realm: string, kid: string, status: KeyStatus): Promise<boolean> {
    const record = this.records.get(id({ realm, kid }));
    if (record === undefined) return false;
    this.records.set(id(record), { ...record, status });
    return true;
  }

  async putMaterial(keys: readonly { realm: string; kid: string; material: string }[]): Promise<void> {
    for (const key of keys) {
      const record = this.records.get(id(key));
      if (record !== undefined) this.records.set(id(key), { ...record, material: key.material });
    }
  }

  #signing({ realm, use, algorithm }: KeyRecord): KeyRecord[] {
    return [...this.records.values()].filter(
      (other) =>
        other.realm === realm && other.use === use && other.algorithm === algorithm && other.status === 'ACTIVE',
    );
  }
}

function id({ realm, kid }: { realm: string; kid: string }): string {
  return JSON.stringify([realm, kid]);
}
