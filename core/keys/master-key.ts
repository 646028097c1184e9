import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { BootError } from '../config/boot-error.js';
import { randomToken } from '../model/random-token.js';

const MIN_LENGTH = 16;
const VERSION_PREFIX = 'v1';
const derive = promisify<string, Buffer, number, Buffer>(scrypt);

interface KeyId {
  readonly realm: string;
  readonly kid: string;
}

/** True for material that `MasterKey.encrypt` wrote. Unencrypted material is JSON, so it starts with a brace. */
export function isEncryptedMaterial(material: string): boolean {
  return material.startsWith(`${VERSION_PREFIX}.`);
}

/** The error for encrypted material without a master key. */
export function masterKeyMissing({ realm, kid }: KeyId): BootError {
  return new BootError('master_key', `key ${kid} of realm ${realm} is encrypted, but the master key is missing`, {
    hint: 'set KEYHOST_MASTER_KEY or KEYHOST_MASTER_KEY_FILE to the key that encrypted it',
  });
}

/**
 * Encrypts key material at rest: `v1.<salt>.<iv>.<tag>.<ciphertext>`, base64url. The cipher is AES-256-GCM, with a key
 * that scrypt derives from the master key and the salt. Realm and kid are authenticated, so encrypted text cannot be
 * moved to another key's row.
 */
export class MasterKey {
  readonly #secret: string;
  readonly #derivedKeys = new LRUCache<string, Promise<Buffer>>({ max: 64 });
  // The salt for all new material. One scrypt takes about 50 ms, so all records of this process, and of later ones, use
  // the salt that is found first.
  #salt: string | undefined;

  /** @throws BootError `master_key` if it is shorter than 16 characters. */
  constructor(secret: string) {
    if (secret.length < MIN_LENGTH) {
      throw new BootError('master_key', `the master key has fewer than ${MIN_LENGTH} characters`, {
        hint: 'create one with: openssl rand -base64 32',
      });
    }
    this.#secret = secret;
  }

  async encrypt(id: KeyId, plain: string): Promise<string> {
    this.#salt ??= randomToken(16);
    const salt = this.#salt;
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', await this.#key(salt), iv).setAAD(associatedData(id));
    const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return [
      VERSION_PREFIX,
      salt,
      ...[iv, cipher.getAuthTag(), encrypted].map((part) => part.toString('base64url')),
    ].join('.');
  }

  /** @throws BootError `master_key` if the master key is wrong, or the text was modified. */
  async decrypt(id: KeyId, material: string): Promise<string> {
    const [, salt = '', iv = '', tag = '', encrypted = ''] = material.split('.');
    try {
      const decipher = createDecipheriv('aes-256-gcm', await this.#key(salt), Buffer.from(iv, 'base64url'), {
        authTagLength: 16,
      })
        .setAAD(associatedData(id))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      const plain = decipher.update(encrypted, 'base64url', 'utf8') + decipher.final('utf8');
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
    const cached = this.#derivedKeys.get(salt);
    if (cached !== undefined) return cached;
    const key = derive(this.#secret, Buffer.from(salt, 'base64url'), 32);
    this.#derivedKeys.set(salt, key);
    return key;
  }
}

function associatedData({ realm, kid }: KeyId): Buffer {
  return Buffer.from(JSON.stringify([realm, kid]));
}
