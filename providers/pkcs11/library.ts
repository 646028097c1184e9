import { promisify } from 'node:util';
import koffi from 'koffi';

/** The results (CKR_*) of PKCS#11 that this plugin handles. */
export const CKR = {
  OK: 0x0,
  PIN_INCORRECT: 0xa0,
  PIN_LOCKED: 0xa4,
  ALREADY_LOGGED_IN: 0x100,
  ALREADY_INITIALIZED: 0x191,
} as const;

const RESULT_NAMES: Readonly<Record<number, string>> = {
  5: 'CKR_GENERAL_ERROR',
  6: 'CKR_FUNCTION_FAILED',
  48: 'CKR_DEVICE_ERROR',
  50: 'CKR_DEVICE_REMOVED',
  96: 'CKR_KEY_HANDLE_INVALID',
  112: 'CKR_MECHANISM_INVALID',
  160: 'CKR_PIN_INCORRECT',
  164: 'CKR_PIN_LOCKED',
  179: 'CKR_SESSION_HANDLE_INVALID',
  224: 'CKR_TOKEN_NOT_PRESENT',
};

/** An error result of a token. */
export class Pkcs11Error extends Error {
  override readonly name = 'Pkcs11Error';
  readonly result: number;

  constructor(call: string, result: number) {
    super(`${call}: ${RESULT_NAMES[result] ?? `0x${result.toString(16)}`}`);
    this.result = result;
  }
}

const SIGNATURES = {
  C_Initialize: 'void *',
  C_GetSlotList: 'uint8_t, void *, void *',
  C_GetTokenInfo: 'ulong, void *',
  C_OpenSession: 'ulong, ulong, void *, void *, void *',
  C_CloseSession: 'ulong',
  C_Login: 'ulong, ulong, void *, ulong',
  C_FindObjectsInit: 'ulong, void *, ulong',
  C_FindObjects: 'ulong, void *, ulong, void *',
  C_FindObjectsFinal: 'ulong',
  C_GetAttributeValue: 'ulong, ulong, void *, ulong',
  C_SignInit: 'ulong, void *, ulong',
  C_Sign: 'ulong, void *, ulong, void *, void *',
} as const;

type Call = keyof typeof SIGNATURES;

/** The functions of a library. Each resolves to its CK_RV. */
export type Functions = Readonly<Record<Call, (...values: unknown[]) => Promise<number>>>;

/**
 * The maximum number of concurrent calls. Each occupies one of libuv's four threads, which the whole process also uses
 * to hash passwords and read files. One thread remains free even if an HSM hangs.
 *
 * Each copy of this module counts its own calls. A reload of the plugin, or a new worker, loads a further copy. Hanging
 * calls of an earlier copy are not counted.
 */
const MAX_CALLS = 3;
type Argument = number | Uint8Array | Structure | null;

/** CK_ULONG: the `unsigned long` of the platform. */
const ULONG_BYTES = koffi.sizeof('ulong');

/** A list of CK_ULONG as bytes. */
export function ulongs(...values: readonly (number | bigint)[]): Buffer {
  const bytes = Buffer.alloc(values.length * ULONG_BYTES);
  for (const [index, value] of values.entries()) {
    if (ULONG_BYTES === 8) bytes.writeBigUInt64LE(BigInt(value), index * ULONG_BYTES);
    else bytes.writeUInt32LE(Number(value), index * ULONG_BYTES);
  }
  return bytes;
}

export function readUlong(bytes: Buffer, index = 0): number {
  return ULONG_BYTES === 8
    ? Number(bytes.readBigUInt64LE(index * ULONG_BYTES))
    : bytes.readUInt32LE(index * ULONG_BYTES);
}

let calls = 0;
const waiting: (() => void)[] = [];

async function withCallSlot<T>(work: () => Promise<T>): Promise<T> {
  if (calls < MAX_CALLS) calls += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    // Pass the slot to the next waiting call.
    const next = waiting.shift();
    if (next === undefined) calls -= 1;
    else next();
  }
}

/** @throws Error if the file is not a PKCS#11 library */
export function loadFunctions(path: string): Functions {
  const library = koffi.load(path);
  const functions = Object.entries(SIGNATURES).map(([name, parameters]) => {
    const call = library.func(`ulong ${name}(${parameters})`);
    return [name, promisify(call.async)] as const;
  });
  // The object has a function for each name in SIGNATURES.
  return Object.fromEntries(functions) as unknown as Functions;
}

/** A PKCS#11 library, called in the threads of libuv, since an HSM may be slow. */
export class Library {
  readonly #functions: Functions;
  #initialized: Promise<void> | undefined;
  /**
   * Values that the library may be reading. They are referenced here, because an address alone does not prevent garbage
   * collection.
   */
  readonly #inUse = new Set<readonly Argument[]>();

  constructor(functions: Functions) {
    this.#functions = functions;
  }

  /** @param accepted results that count as success in addition to CKR_OK @throws Pkcs11Error */
  async call(name: Call, values: readonly Argument[], accepted: readonly number[] = []): Promise<void> {
    this.#initialized ??= this.#initialize();
    await this.#initialized;
    await this.#call(name, values, accepted);
  }

  /**
   * Initializes the library. After a failure, the next call tries again, because an HSM may be unreachable when the
   * host starts.
   */
  async #initialize(): Promise<void> {
    try {
      // CK_C_INITIALIZE_ARGS: several threads call at once (CKF_OS_LOCKING_OK), without mutexes of ours.
      await this.#call('C_Initialize', [ulongs(0, 0, 0, 0, 2, 0)], [CKR.ALREADY_INITIALIZED]);
    } catch (error) {
      this.#initialized = undefined;
      throw error;
    }
  }

  async #call(name: Call, values: readonly Argument[], accepted: readonly number[]): Promise<void> {
    this.#inUse.add(values);
    try {
      const plainValues = values.map((value) => (isStructure(value) ? value.bytes : value));
      const result = Number(await withCallSlot(() => this.#functions[name](...plainValues)));
      if (result !== CKR.OK && !accepted.includes(result)) throw new Pkcs11Error(name, result);
    } finally {
      this.#inUse.delete(values);
    }
  }
}

function isStructure(value: Argument): value is Structure {
  return typeof value === 'object' && value !== null && 'holds' in value;
}

/** A structure with pointers: its bytes, and the values that it points to. */
export interface Structure {
  readonly bytes: Buffer;
  readonly holds: readonly Uint8Array[];
}

/** CK_ATTRIBUTE: type, pointer to the value, its length. */
export function attributes(values: readonly (readonly [type: number, value: Uint8Array])[]): Structure {
  const holds = values.map(([, value]) => value);
  const bytes = ulongs(...values.flatMap(([type, value]) => [type, koffi.address(value), value.length]));
  return { bytes, holds };
}

/** CK_MECHANISM: type, pointer to its parameter, the parameter's length. */
export function mechanism(type: number, parameter?: Uint8Array): Structure {
  const pointer = parameter === undefined ? 0 : koffi.address(parameter);
  return { bytes: ulongs(type, pointer, parameter?.length ?? 0), holds: parameter === undefined ? [] : [parameter] };
}
