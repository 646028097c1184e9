import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { BootError } from '../config/boot-error.js';
import { randomToken } from '../model/random-token.js';

const MINIMUM_CHARACTERS = 16;
const PREFIX = 'v1';
const derive = promisify<string, Buffer, number, Buffer>(scrypt);

interface KeyId {
  readonly realm: string;
  readonly kid: string;
}

/** True for material written by `MasterKey.seal`. Unencrypted material is JSON, so it starts with a brace. */
export function isEncryptedMaterial(material: string): boolean {
  return material.startsWith(`${PREFIX}.`);
}

/** The error for encrypted material without a master key. */
export function masterKeyMissing({ realm, kid }: KeyId): BootError {
  return new BootError('master_key', `key ${kid} of realm ${realm} is encrypted, but the master key is missing`, {
    hint: 'set KEYHOST_MASTER_KEY or KEYHOST_MASTER_KEY_FILE to the key that encrypted it',
  });
}

/**
 * Encrypts key material at rest: `v1.<salt>.<iv>.<tag>.<ciphertext>`, base64url. AES-256-GCM with a key derived by
 * scrypt from the master key and the salt. Realm and kid are authenticated, so encrypted text cannot be moved to
 * another key's row.
 */
export class MasterKey {
  readonly #secret: string;
  readonly #derived = new LRUCache<string, Promise<Buffer>>({ max: 64 });
  // One scrypt takes about 50 ms, so all records of a process, and of later processes, use the salt found first.
  #salt: string | undefined;

  /** @throws BootError `master_key` if it is shorter than 16 characters. */
  constructor(secret: string) {
    if (secret.length < MINIMUM_CHARACTERS) {
      throw new BootError('master_key', `the master key has fewer than ${MINIMUM_CHARACTERS} characters`, {
        hint: 'create one with: openssl rand -base64 32',
      });
    }
    this.#secret = secret;
  }

  async seal(id: KeyId, plain: string): Promise<string> {
    this.#salt ??= randomToken(16);
    const salt = this.#salt;
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', await this.#key(salt), iv).setAAD(associatedData(id));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return [PREFIX, salt, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
  }

  /** @throws BootError `master_key` if the master key is wrong, or the text was modified. */
  async open(id: KeyId, material: string): Promise<string> {
    const [, salt = '', iv = '', tag = '', sealed = ''] = material.split('.');
    try {
      const decipher = createDecipheriv('aes-256-gcm', await this.#key(salt), Buffer.from(iv, 'base64url'), {
        authTagLength: 16,
      })
        .setAAD(associatedData(id))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      const plain = decipher.update(sealed, 'base64url', 'utf8') + decipher.final('utf8');
      this.#salt ??= salt;
      return plain;
    } catch (cause) {
      throw new BootError('master_key', `key ${id.kid} of realm ${id.realm} was encrypted with another master key`, {
        hint: 'use the master key that encrypted it; if it is lost, delete the realm key from the store, and the server creates a new one',
        cause,
      });
    }
  }

  #key(salt: string): Promise<Buffer> {
    const known = this.#derived.get(salt);
    if (known !== undefined) return known;
    const key = derive(this.#secret, Buffer.from(salt, 'base64url'), 32);
    this.#derived.set(salt, key);
    return key;
  }
}

function associatedData({ realm, kid }: KeyId): Buffer {
  return Buffer.from(JSON.stringify([realm, kid]));
}
