import test from 'ava';
import type { Functions } from '../../providers/pkcs11/library.js';
import { eventually } from '../helpers/eventually.js';
import { gate } from '../helpers/gate.js';

// The package has one entry point, and no machine has a token that hangs or is locked: its parts are tested with a fake
// library.
const partOf = (name: string) => import(new URL(`../../../providers/pkcs11/dist/${name}.js`, import.meta.url).href);
const { Library } = (await partOf('library')) as typeof import('../../providers/pkcs11/library.js');
const { tokensOf } = (await partOf('tokens')) as typeof import('../../providers/pkcs11/tokens.js');

const PIN = '1234';
const OK = 0x0;
const TOKEN_NOT_PRESENT = 0xe0;
const PIN_INCORRECT = 0xa0;
const ALREADY_LOGGED_IN = 0x100;

interface Machine {
  readonly functions: Functions;
  /** Calls by name, of each token. */
  readonly calls: string[];
  /** Sessions that are open. */
  readonly open: Set<number>;
  /** Calls that have not returned yet. */
  inside: number;
  most: number;
}

/**
 * A library with these tokens, without keys; one more slot does not answer.
 * @param held awaited by the searches of a token
 */
function machine(tokens: readonly string[], held: Readonly<Record<string, Promise<unknown>>> = {}): Machine {
  const loggedIn = new Set<string>();
  const tokenOf = new Map<number, string>();
  const state = { calls: [] as string[], open: new Set<number>(), inside: 0, most: 0 };
  let sessions = 0;
  const write = (bytes: unknown, value: number) => void (bytes as Buffer).writeBigUInt64LE(BigInt(value));
  const answers: Readonly<Record<keyof Functions, (...values: never[]) => number | Promise<number>>> = {
    C_Initialize: () => OK,
    C_GetSlotList: (_: number, slots: Buffer | null, count: Buffer) => {
      write(count, tokens.length + 1);
      if (slots !== null)
        for (let slot = 0; slot <= tokens.length; slot += 1) slots.writeBigUInt64LE(BigInt(slot), slot * 8);
      return OK;
    },
    C_GetTokenInfo: (slot: number, info: Buffer) => {
      if (slot === 0) return TOKEN_NOT_PRESENT;
      info.write((tokens[slot - 1] ?? '').padEnd(32));
      return OK;
    },
    C_OpenSession: (slot: number, _flags: number, _one: null, _other: null, handle: Buffer) => {
      sessions += 1;
      tokenOf.set(sessions, tokens[slot - 1] ?? '');
      state.open.add(sessions);
      write(handle, sessions);
      return OK;
    },
    C_CloseSession: (session: number) => {
      state.open.delete(session);
      return OK;
    },
    C_Login: (session: number, _user: number, pin: Buffer) => {
      const token = tokenOf.get(session) ?? '';
      state.calls.push(`login ${token}`);
      if (loggedIn.has(token)) return ALREADY_LOGGED_IN;
      if (pin.toString() !== PIN) return PIN_INCORRECT;
      loggedIn.add(token);
      return OK;
    },
    C_FindObjectsInit: async (session: number) => {
      const token = tokenOf.get(session) ?? '';
      state.calls.push(`search ${token}`);
      await held[token];
      return OK;
    },
    C_FindObjects: (_session: number, _handles: Buffer, _most: number, count: Buffer) => {
      write(count, 0);
      return OK;
    },
    C_FindObjectsFinal: () => OK,
    C_GetAttributeValue: () => OK,
    C_SignInit: () => OK,
    C_Sign: () => OK,
  };
  const functions = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      async (...values: unknown[]) => {
        state.inside += 1;
        state.most = Math.max(state.most, state.inside);
        try {
          // As with a thread, the answer is asynchronous.
          await Promise.resolve();
          return await answer(...(values as never[]));
        } finally {
          state.inside -= 1;
        }
      },
    ]),
  ) as unknown as Functions;
  return Object.assign(state, { functions });
}

test.serial('PKCS#11: a wrong PIN is tried once, whichever realm asks and how often', async (t) => {
  const { functions, calls, open } = machine(['a']);
  const tokens = tokensOf(new Library(functions), {
    one: { token: 'a', pin: '9999' },
    two: { token: 'a', pin: '9999' },
  });
  const ask = () => [...tokens.values()].flatMap((token) => [1, 2, 3].map(() => token.keys(undefined, 'RS256')));
  for (let time = 0; time < 2; time += 1) {
    for (const answer of await Promise.allSettled(ask())) {
      t.regex(String((answer as PromiseRejectedResult).reason), /C_Login: CKR_PIN_INCORRECT/);
    }
  }
  t.deepEqual(calls, ['login a']);
  t.is(open.size, 0);
});

test.serial(
  'PKCS#11: realms that name one token with two PINs are reported, and a slot that does not answer is skipped',
  async (t) => {
    const { functions } = machine(['a', 'b']);
    const library = new Library(functions);
    const a = { token: 'a', pin: PIN };
    const other = { token: 'a', pin: '1' };
    t.throws(() => tokensOf(library, { one: a, two: other }), {
      message: 'the realms one and two name the token a with two different PINs',
    });
    const tokens = tokensOf(library, { one: a, two: { token: 'b', pin: PIN }, three: { token: 'c', pin: PIN } });
    for (const name of ['one', 'two']) t.deepEqual(await tokens.get(name)?.keys(undefined, 'RS256'), []);
    await t.throwsAsync(async () => tokens.get('three')?.keys(undefined, 'RS256'), { message: 'there is no token c' });
  },
);

test.serial(
  'PKCS#11: a token that hangs keeps two calls, leaves the others to other tokens, and takes no more than can wait',
  async (t) => {
    const held = gate();
    const at = machine(['a', 'b'], { a: held.opened });
    const tokens = tokensOf(new Library(at.functions), { a: { token: 'a', pin: PIN }, b: { token: 'b', pin: PIN } });
    const ask = (name: string) => tokens.get(name)?.keys(undefined, 'RS256') ?? Promise.reject(new Error(name));
    const hanging = Array.from({ length: 1002 }, () => ask('a'));
    await eventually(() => at.calls.filter((call) => call === 'search a').length === 2);
    await t.throwsAsync(ask('a'), { message: 'the token a answers too slowly' });
    await Promise.all(Array.from({ length: 20 }, () => ask('b')));
    t.is(at.calls.filter((call) => call === 'search a').length, 2);
    t.true(at.most <= 3, String(at.most));
    held.open();
    t.is((await Promise.all(hanging)).length, 1002);
  },
);

test.serial('PKCS#11: sessions that are in use end with the plugin once they are not', async (t) => {
  const held = gate();
  const at = machine(['a'], { a: held.opened });
  const token = tokensOf(new Library(at.functions), { a: { token: 'a', pin: PIN } }).get('a');
  const asked = [token?.keys(undefined, 'RS256'), token?.keys(undefined, 'RS256'), token?.keys(undefined, 'RS256')];
  await eventually(() => at.calls.filter((call) => call === 'search a').length === 2);
  await token?.close();
  held.open();
  const states = (await Promise.allSettled(asked)).map(({ status }) => status);
  t.deepEqual(states, ['fulfilled', 'fulfilled', 'rejected']);
  await eventually(() => at.open.size === 0);
  await t.throwsAsync(async () => token?.keys(undefined, 'RS256'), { message: 'the token a is closed' });
});
