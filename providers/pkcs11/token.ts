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
 * The maximum number of sessions of one token, and therefore of concurrent signatures. It is lower than the maximum
 * number of calls of the library, so that a token that hangs does not block other tokens.
 */
const MAX_SESSIONS = 2;
/** The maximum number of callers that wait for a session: further ones would not be served in time. */
const MAX_WAITING = 1000;
const LABEL_BYTES = 32;
/** The number of objects that are requested at once. */
const OBJECTS_AT_ONCE = 50;
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
  readonly #idleSessions: number[] = [];
  readonly #waiting: ((session: number | undefined) => void)[] = [];
  #openCount = 0;
  /** The error of a wrong PIN, which is never tried again: a token is locked after a few wrong PINs. */
  #pinError: Pkcs11Error | undefined;
  /**
   * The running login, which applies to all sessions of the token. Only one runs at a time, because each of them uses
   * up a try of the PIN.
   */
  #login: Promise<void> | undefined;
  #isClosed = false;
  /** Handles of private keys, by kid. They are valid while sessions are open. */
  #handles = new Map<string, number>();

  constructor(library: Library, { token, pin }: { readonly token: string; readonly pin: string }) {
    this.#library = library;
    this.#label = token;
    this.#pin = Buffer.from(pin);
  }

  /**
   * Returns the keys of the token.
   * @param label CKA_LABEL of the keys; undefined for all private keys that sign
   * @param rsaAlgorithm the algorithm of its RSA keys
   * @throws Error if the token does not answer
   */
  keys(label: string | undefined, rsaAlgorithm: string): Promise<readonly ProvidedKey[]> {
    return this.#withSession(async (session) => {
      const found = await this.#keysIn(session, label, rsaAlgorithm);
      for (const { kid, handle } of found) this.#handles.set(kid, handle);
      return found.map(({ handle: _, ...key }) => key);
    });
  }

  /**
   * Signs with a key of the token.
   * @param label CKA_LABEL of the key, as in `keys`
   * @throws Error if the token cannot sign
   */
  sign(label: string | undefined, kid: string, algorithm: string, input: string): Promise<Buffer> {
    return this.#withSession(async (session) => {
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

  /** Closes the unused sessions. Sessions in use are closed after their use. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#dropSessions();
  }

  async #withSession<T>(work: (session: number) => Promise<T>): Promise<T> {
    const session = this.#idleSessions.pop() ?? (await this.#openSession());
    try {
      const result = await work(session);
      await this.#release(session);
      return result;
    } catch (error) {
      // If the token was removed, all of its sessions and handles are invalid.
      if (error instanceof Pkcs11Error) await this.#dropSessions(session);
      else await this.#release(session);
      throw error;
    }
  }

  async #openSession(): Promise<number> {
    const refusal = this.#isClosed ? new Error(`the token ${this.#label} is closed`) : this.#pinError;
    if (refusal !== undefined) {
      // Waiting callers are rejected as well, one after the next.
      this.#waiting.shift()?.(undefined);
      throw refusal;
    }
    if (this.#openCount >= MAX_SESSIONS) {
      if (this.#waiting.length >= MAX_WAITING) throw new Error(`the token ${this.#label} answers too slowly`);
      const session = await new Promise<number | undefined>((resolve) => this.#waiting.push(resolve));
      return session ?? this.#openSession();
    }
    this.#openCount += 1;
    try {
      const slot = await this.#findSlot();
      const handle = ulongs(0);
      await this.#library.call('C_OpenSession', [slot, CKF_SERIAL_SESSION, null, null, handle]);
      const session = readUlong(handle);
      try {
        await this.#logIn(session);
      } catch (error) {
        await this.#closeSession(session);
        throw error;
      }
      return session;
    } catch (error) {
      this.#openCount -= 1;
      this.#waiting.shift()?.(undefined);
      throw error;
    }
  }

  async #logIn(session: number): Promise<void> {
    while (this.#login !== undefined) await this.#login.catch(() => {});
    if (this.#pinError !== undefined) throw this.#pinError;
    this.#login = this.#tryPin(session).finally(() => {
      this.#login = undefined;
    });
    await this.#login;
  }

  async #tryPin(session: number): Promise<void> {
    try {
      await this.#library.call('C_Login', [session, CKU_USER, this.#pin, this.#pin.length], [CKR.ALREADY_LOGGED_IN]);
    } catch (error) {
      const { result } = error as Pkcs11Error;
      if (result === CKR.PIN_INCORRECT || result === CKR.PIN_LOCKED) this.#pinError = error as Pkcs11Error;
      throw error;
    }
  }

  async #release(session: number): Promise<void> {
    if (this.#isClosed) return this.#dropSessions(session);
    const next = this.#waiting.shift();
    if (next === undefined) this.#idleSessions.push(session);
    else next(session);
  }

  /** Closes the unused sessions, and this one. */
  async #dropSessions(session?: number): Promise<void> {
    const ended = [...this.#idleSessions.splice(0), ...(session === undefined ? [] : [session])];
    this.#handles = new Map();
    this.#openCount -= ended.length;
    for (const waiting of this.#waiting.splice(0)) waiting(undefined);
    for (const endedSession of ended) await this.#closeSession(endedSession);
  }

  async #closeSession(session: number): Promise<void> {
    await this.#library.call('C_CloseSession', [session]).catch(() => {});
  }

  async #findSlot(): Promise<number> {
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
    const labelFilter = label === undefined ? [] : ([[CKA.LABEL, Buffer.from(label)]] as const);
    const handles = await this.#find(session, [
      [CKA.CLASS, ulongs(CKO.PRIVATE_KEY)],
      [CKA.SIGN, Buffer.from([1])],
      ...labelFilter,
    ]);
    const keys: TokenKey[] = [];
    for (const handle of handles) {
      const [id, type] = await this.#read(session, handle, [CKA.ID, CKA.KEY_TYPE]);
      if (id === undefined || id.length === 0 || type === undefined) continue;
      const publicHalf = await this.#publicHalf(session, id, readUlong(type));
      if (publicHalf === undefined) continue;
      const { publicKey, algorithm = rsaAlgorithm } = publicHalf;
      const certificate = await this.#certificate(session, id, publicHalf);
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

  async #find(session: number, conditions: readonly (readonly [number, Uint8Array])[]): Promise<number[]> {
    const template = attributes(conditions);
    await this.#library.call('C_FindObjectsInit', [session, template, conditions.length]);
    try {
      const found: number[] = [];
      const handles = ulongs(...Array.from({ length: OBJECTS_AT_ONCE }, () => 0));
      const count = ulongs(0);
      do {
        await this.#library.call('C_FindObjects', [session, handles, OBJECTS_AT_ONCE, count]);
        for (let index = 0; index < readUlong(count); index += 1) found.push(readUlong(handles, index));
      } while (readUlong(count) > 0);
      return found;
    } finally {
      await this.#library.call('C_FindObjectsFinal', [session]);
    }
  }

  /** Reads the attributes of an object; undefined for each attribute that is missing or unreadable. */
  async #read(session: number, handle: number, types: readonly number[]): Promise<(Buffer | undefined)[]> {
    const found: (Buffer | undefined)[] = [];
    for (const type of types) {
      const value = Buffer.alloc(8192);
      const template = attributes([[type, value]]);
      try {
        await this.#library.call('C_GetAttributeValue', [session, handle, template, 1]);
        const length = readUlong(template.bytes, 2);
        found.push(BigInt(length) === UNAVAILABLE ? undefined : value.subarray(0, length));
      } catch (error) {
        if (!(error instanceof Pkcs11Error)) throw error;
        found.push(undefined);
      }
    }
    return found;
  }
}
