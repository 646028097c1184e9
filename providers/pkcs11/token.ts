import type { ProvidedKey } from '@keyhost/spi';
import { attributes, CKR, type Library, Pkcs11Error, readUlong, ulongs } from './library.js';
import { signingOf } from './mechanisms.js';
import { certificateOf, curveKey, type PublicHalf, rsaKey, thumbprint } from './public-key.js';

const CKA = { CLASS: 0x0, LABEL: 0x3, VALUE: 0x11, KEY_TYPE: 0x100, ID: 0x102, SIGN: 0x108 } as const;
const PUBLIC = { MODULUS: 0x120, EXPONENT: 0x122, EC_PARAMS: 0x180, EC_POINT: 0x181 } as const;
const CKO = { CERTIFICATE: 1, PUBLIC_KEY: 2, PRIVATE_KEY: 3 } as const;
const CKK = { RSA: 0, EC: 3, EC_EDWARDS: 0x40 } as const;
const CKU_USER = 1;
const CKF_SERIAL_SESSION = 4;
/**
 * The maximum number of sessions, and so of concurrent signatures, of one token. A token that hangs must leave calls
 * for other tokens.
 */
const SESSIONS = 2;
/** The maximum number of callers that wait for a session: further ones would not be served in time. */
const MOST_WAITING = 1000;
const LABEL_BYTES = 32;
/** The number of objects that are requested at once. */
const OBJECTS = 50;
const UNAVAILABLE = 2n ** 64n - 1n;

/** A private key of the token. */
interface TokenKey extends ProvidedKey {
  readonly handle: number;
}

/** One token of a library, such as a partition of an HSM, with the keys of a realm. */
export class Token {
  readonly #library: Library;
  readonly #label: string;
  readonly #pin: Buffer;
  readonly #free: number[] = [];
  readonly #waiting: ((session: number | undefined) => void)[] = [];
  #open = 0;
  /** The error of a wrong PIN, which is never tried again: a token is locked after a few wrong PINs. */
  #refused: Pkcs11Error | undefined;
  /** The running login, which covers all sessions of a token. Two at once would both use up a try of the PIN. */
  #loggingIn: Promise<void> | undefined;
  #isClosed = false;
  /** Handles of the open sessions, by kid. */
  #handles = new Map<string, number>();

  constructor(library: Library, { token, pin }: { readonly token: string; readonly pin: string }) {
    this.#library = library;
    this.#label = token;
    this.#pin = Buffer.from(pin);
  }

  /**
   * @param label the keys' CKA_LABEL; undefined: all private keys of the token that sign
   * @param rsaAlgorithm the algorithm of its RSA keys
   * @throws Error if the token does not answer
   */
  keys(label: string | undefined, rsaAlgorithm: string): Promise<readonly ProvidedKey[]> {
    return this.#inSession(async (session) => {
      const found = await this.#keysIn(session, label, rsaAlgorithm);
      for (const { kid, handle } of found) this.#handles.set(kid, handle);
      return found.map(({ handle: _, ...key }) => key);
    });
  }

  /** @param label that of the key, as in `keys` @throws Error if the token cannot sign */
  sign(label: string | undefined, kid: string, algorithm: string, input: string): Promise<Buffer> {
    return this.#inSession(async (session) => {
      if (!this.#handles.has(kid)) {
        for (const key of await this.#keysIn(session, label, algorithm)) this.#handles.set(key.kid, key.handle);
      }
      const handle = this.#handles.get(kid);
      if (handle === undefined) throw new Error(`the token ${this.#label} has no key ${kid}`);
      const { mechanism, data } = signingOf(algorithm, input);
      await this.#library.call('C_SignInit', [session, mechanism, handle]);
      const signature = Buffer.alloc(1024);
      const length = ulongs(signature.length);
      await this.#library.call('C_Sign', [session, data, data.length, signature, length]);
      return signature.subarray(0, readUlong(length));
    });
  }

  /** Ends the sessions; those in use are ended afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#forget();
  }

  async #inSession<T>(work: (session: number) => Promise<T>): Promise<T> {
    const session = this.#free.pop() ?? (await this.#newSession());
    try {
      const done = await work(session);
      await this.#giveBack(session);
      return done;
    } catch (error) {
      // After a token was removed, none of its sessions and handles are valid any more.
      if (error instanceof Pkcs11Error) await this.#forget(session);
      else await this.#giveBack(session);
      throw error;
    }
  }

  async #newSession(): Promise<number> {
    const refusal = this.#isClosed ? new Error(`the token ${this.#label} is closed`) : this.#refused;
    if (refusal !== undefined) {
      // Waiting callers are rejected as well, one after the other.
      this.#waiting.shift()?.(undefined);
      throw refusal;
    }
    if (this.#open >= SESSIONS) {
      if (this.#waiting.length >= MOST_WAITING) throw new Error(`the token ${this.#label} answers too slowly`);
      const session = await new Promise<number | undefined>((resolve) => this.#waiting.push(resolve));
      return session ?? this.#newSession();
    }
    this.#open += 1;
    try {
      const slot = await this.#slot();
      const handle = ulongs(0);
      await this.#library.call('C_OpenSession', [slot, CKF_SERIAL_SESSION, null, null, handle]);
      const session = readUlong(handle);
      try {
        await this.#logIn(session);
      } catch (error) {
        await this.#end(session);
        throw error;
      }
      return session;
    } catch (error) {
      this.#open -= 1;
      this.#waiting.shift()?.(undefined);
      throw error;
    }
  }

  async #logIn(session: number): Promise<void> {
    while (this.#loggingIn !== undefined) await this.#loggingIn.catch(() => {});
    if (this.#refused !== undefined) throw this.#refused;
    this.#loggingIn = this.#tryPin(session).finally(() => {
      this.#loggingIn = undefined;
    });
    await this.#loggingIn;
  }

  async #tryPin(session: number): Promise<void> {
    try {
      await this.#library.call('C_Login', [session, CKU_USER, this.#pin, this.#pin.length], [CKR.ALREADY_LOGGED_IN]);
    } catch (error) {
      const { result } = error as Pkcs11Error;
      if (result === CKR.PIN_INCORRECT || result === CKR.PIN_LOCKED) this.#refused = error as Pkcs11Error;
      throw error;
    }
  }

  async #giveBack(session: number): Promise<void> {
    if (this.#isClosed) return this.#forget(session);
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(session);
    else next(session);
  }

  /** Ends the unused sessions and the given one. */
  async #forget(session?: number): Promise<void> {
    const ended = [...this.#free.splice(0), ...(session === undefined ? [] : [session])];
    this.#handles = new Map();
    this.#open -= ended.length;
    for (const waiting of this.#waiting.splice(0)) waiting(undefined);
    for (const one of ended) await this.#end(one);
  }

  async #end(session: number): Promise<void> {
    await this.#library.call('C_CloseSession', [session]).catch(() => {});
  }

  async #slot(): Promise<number> {
    const count = ulongs(0);
    await this.#library.call('C_GetSlotList', [1, null, count]);
    const slots = ulongs(...Array.from({ length: readUlong(count) }, () => 0));
    if (slots.length > 0) await this.#library.call('C_GetSlotList', [1, slots, count]);
    for (let index = 0; index < readUlong(count); index += 1) {
      const slot = readUlong(slots, index);
      // CK_TOKEN_INFO begins with the label, padded with blanks.
      const info = Buffer.alloc(512);
      try {
        await this.#library.call('C_GetTokenInfo', [slot, info]);
      } catch (error) {
        // Skip a slot that does not answer.
        if (error instanceof Pkcs11Error) continue;
        throw error;
      }
      if (info.toString('utf8', 0, LABEL_BYTES).trimEnd() === this.#label) return slot;
    }
    throw new Error(`there is no token ${this.#label}`);
  }

  async #keysIn(session: number, label: string | undefined, rsaAlgorithm: string): Promise<TokenKey[]> {
    const named = label === undefined ? [] : ([[CKA.LABEL, Buffer.from(label)]] as const);
    const handles = await this.#find(session, [
      [CKA.CLASS, ulongs(CKO.PRIVATE_KEY)],
      [CKA.SIGN, Buffer.from([1])],
      ...named,
    ]);
    const keys: TokenKey[] = [];
    for (const handle of handles) {
      const [id, type] = await this.#read(session, handle, [CKA.ID, CKA.KEY_TYPE]);
      if (id === undefined || id.length === 0 || type === undefined) continue;
      const half = await this.#publicHalf(session, id, readUlong(type));
      if (half === undefined) continue;
      const { publicKey, algorithm = rsaAlgorithm } = half;
      const certificate = await this.#certificate(session, id, half);
      keys.push({ kid: thumbprint(publicKey), algorithm, publicKey, handle, ...(certificate && { certificate }) });
    }
    return keys;
  }

  async #publicHalf(session: number, id: Buffer, type: number): Promise<PublicHalf | undefined> {
    const [handle] = await this.#find(session, [
      [CKA.CLASS, ulongs(CKO.PUBLIC_KEY)],
      [CKA.ID, id],
    ]);
    if (handle === undefined) return undefined;
    if (type === CKK.RSA) {
      const [modulus, exponent] = await this.#read(session, handle, [PUBLIC.MODULUS, PUBLIC.EXPONENT]);
      return modulus && exponent && rsaKey(modulus, exponent);
    }
    if (type !== CKK.EC && type !== CKK.EC_EDWARDS) return undefined;
    const [params, point] = await this.#read(session, handle, [PUBLIC.EC_PARAMS, PUBLIC.EC_POINT]);
    return params && point && curveKey(params, point);
  }

  async #certificate(session: number, id: Buffer, { publicKey }: PublicHalf): Promise<string | undefined> {
    const [handle] = await this.#find(session, [
      [CKA.CLASS, ulongs(CKO.CERTIFICATE)],
      [CKA.ID, id],
    ]);
    const [der] = handle === undefined ? [] : await this.#read(session, handle, [CKA.VALUE]);
    return der && certificateOf(publicKey, der);
  }

  async #find(session: number, wanted: readonly (readonly [number, Uint8Array])[]): Promise<number[]> {
    const template = attributes(wanted);
    await this.#library.call('C_FindObjectsInit', [session, template, wanted.length]);
    try {
      const found: number[] = [];
      const handles = ulongs(...Array.from({ length: OBJECTS }, () => 0));
      const count = ulongs(0);
      do {
        await this.#library.call('C_FindObjects', [session, handles, OBJECTS, count]);
        for (let index = 0; index < readUlong(count); index += 1) found.push(readUlong(handles, index));
      } while (readUlong(count) > 0);
      return found;
    } finally {
      await this.#library.call('C_FindObjectsFinal', [session]);
    }
  }

  /** The attributes of an object; undefined for one that is missing or unreadable. */
  async #read(session: number, handle: number, types: readonly number[]): Promise<(Buffer | undefined)[]> {
    const found: (Buffer | undefined)[] = [];
    for (const type of types) {
      const value = Buffer.alloc(8192);
      const asked = attributes([[type, value]]);
      try {
        await this.#library.call('C_GetAttributeValue', [session, handle, asked, 1]);
        const length = readUlong(asked.bytes, 2);
        found.push(BigInt(length) === UNAVAILABLE ? undefined : value.subarray(0, length));
      } catch (error) {
        if (!(error instanceof Pkcs11Error)) throw error;
        found.push(undefined);
      }
    }
    return found;
  }
}
