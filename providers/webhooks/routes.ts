import { randomUUID } from 'node:crypto';
import { HostError, provide, RealmResourceProvider, type ResourceRequest, type Session } from '@keyhost/spi';
import {
  DEAD,
  type DeadLetter,
  type EndpointState,
  entriesOf,
  forAll,
  type Item,
  laneKey,
  QUEUE,
  STATE,
  sortKey,
  updateState,
} from './entries.js';
import { testMessage } from './message.js';
import { LISTENER, requestFullRead } from './realm-queue.js';

/** Access for admins who may change how events are stored. */
const OPERATORS = { authentication: 'bearer', role: 'realm-management.manage-events' } as const;
const MAX_SHOWN = 1000;

type Letter = { readonly key: string; readonly value: DeadLetter };

/** The operations for operators. */
class WebhookRoutes {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async endpoints() {
    const { store } = this.#session;
    const pending = new Map<string, number>();
    for await (const { value } of entriesOf<Item>(store, QUEUE)) {
      pending.set(value.endpoint, (pending.get(value.endpoint) ?? 0) + 1);
    }
    const dead = new Map<string, number>();
    for await (const { value } of entriesOf<DeadLetter>(store, DEAD)) {
      dead.set(value.endpoint, (dead.get(value.endpoint) ?? 0) + 1);
    }
    const shown: object[] = [];
    for await (const { key, value } of entriesOf<EndpointState>(store, STATE)) {
      const name = key.slice(STATE.length);
      const { gone, failing, ...rest } = value;
      const state = gone ? 'gone' : !value.enabled ? 'disabled' : failing ? 'failing' : 'healthy';
      const since = gone === undefined ? {} : { goneSince: gone.at };
      const counts = { pending: pending.get(name) ?? 0, deadLetters: dead.get(name) ?? 0 };
      shown.push({ name, state, ...rest, ...(failing === undefined ? {} : { failing }), ...since, ...counts });
    }
    return { body: shown as [] };
  }

  async test({ params: { name } }: ResourceRequest<unknown, { readonly name: string }>) {
    const { clock, realm } = this.#session;
    const state = await this.#state(name);
    if (!state.enabled || state.gone !== undefined) {
      throw new HostError('endpoint_disabled', `The endpoint ${name} is disabled`, { status: 409 });
    }
    await this.#recordEvent('WEBHOOK_TEST', { endpoint: name });
    const now = clock.now();
    const id = randomUUID();
    const { type, lane, body } = testMessage(id, now, { endpoint: name, realmId: realm.id, realmName: realm.name });
    const item: Item = { id, type, endpoint: name, lane, body: body(), queuedAt: now, attempts: 0 };
    await this.#session.store.put(laneKey(item) + sortKey(now, 0, id), item);
    await requestFullRead(this.#session);
    return { status: 202, body: { id } };
  }

  async enable({ params: { name } }: ResourceRequest<unknown, { readonly name: string }>) {
    await this.#state(name);
    await this.#recordEvent('WEBHOOK_ENABLE', { endpoint: name });
    await updateState(this.#session.store, name, (before) => {
      if (before === undefined) return before;
      const { gone: _, failing: __, pausedUntil: ___, ...rest } = before;
      return rest;
    });
    await requestFullRead(this.#session);
    return { status: 204 };
  }

  async deadLetters({ query }: ResourceRequest) {
    const first = countOf(query.first, 0, Number.MAX_SAFE_INTEGER);
    const max = countOf(query.max, 100, MAX_SHOWN);
    const found = max === 0 ? [] : await this.#session.store.list(DEAD, { first, max });
    return {
      body: found.map(({ key, value }) => {
        const { lane: _, ...letter } = value as DeadLetter;
        return { letter: key.slice(DEAD.length), ...letter };
      }),
    };
  }

  async replay({ params: { letter } }: ResourceRequest<unknown, { readonly letter: string }>) {
    const found = (await this.#session.store.get(DEAD + letter)) as DeadLetter | undefined;
    if (found === undefined) throw letterNotFound(letter);
    await this.#state(found.endpoint);
    await this.#recordEvent('WEBHOOK_REPLAY', { endpoint: found.endpoint, letter });
    return { status: 202, body: { replayed: await this.#requeue([{ key: DEAD + letter, value: found }]) } };
  }

  async replayAll({ query }: ResourceRequest) {
    const [endpoint] = query.endpoint ?? [];
    if (endpoint !== undefined) await this.#state(endpoint);
    await this.#recordEvent('WEBHOOK_REPLAY', endpoint === undefined ? {} : { endpoint });
    const endpointNames = new Set<string>();
    for await (const { key } of entriesOf(this.#session.store, STATE)) endpointNames.add(key.slice(STATE.length));
    const replayed = await this.#requeue(
      entriesOf<DeadLetter>(this.#session.store, DEAD),
      ({ value }) => endpointNames.has(value.endpoint) && (endpoint ?? value.endpoint) === value.endpoint,
    );
    return { status: 202, body: { replayed } };
  }

  async forget({ params: { letter } }: ResourceRequest<unknown, { readonly letter: string }>) {
    const found = (await this.#session.store.get(DEAD + letter)) as DeadLetter | undefined;
    if (found === undefined) throw letterNotFound(letter);
    await this.#recordEvent('WEBHOOK_FORGET', { endpoint: found.endpoint, letter });
    await this.#session.store.delete(DEAD + letter);
    return { status: 204 };
  }

  /**
   * Moves dead letters to the queue. Each message is queued before its dead letter is deleted, so a repeated replay
   * writes the same queue entry again. Many letters may take longer than a call. After an interruption, the next replay
   * continues with the rest.
   */
  async #requeue(
    letters: Iterable<Letter> | AsyncIterable<Letter>,
    isSelected: (letter: Letter) => boolean = () => true,
  ): Promise<number> {
    const { store, clock } = this.#session;
    const queuedAt = clock.now();
    let count = 0;
    await forAll(letters, async (one) => {
      if (!isSelected(one)) return;
      const { diedAt: _, why: __, last: ___, ...letter } = one.value;
      const item: Item = { ...letter, attempts: 0, queuedAt };
      await store.put(laneKey(item) + one.key.slice(DEAD.length), item);
      await store.delete(one.key);
      count += 1;
    });
    await requestFullRead(this.#session);
    return count;
  }

  /** Records an event of the realm, which is stored before anything is changed. */
  async #recordEvent(type: string, details: Readonly<Record<string, string>>): Promise<void> {
    const { clientId, userId } = await this.#session.authenticate();
    await this.#session.events.emit({ type, clientId, ...(userId === undefined ? {} : { userId }), details });
  }

  async #state(name: string): Promise<EndpointState> {
    const state = (await this.#session.store.get(STATE + name)) as EndpointState | undefined;
    if (state === undefined) throw new HostError('endpoint_unknown', `Endpoint ${name} not found`, { status: 404 });
    return state;
  }
}

function letterNotFound(letter: string): HostError {
  return new HostError('dead_letter_unknown', `Dead letter ${letter} not found`, { status: 404 });
}

/** @throws HostError 400 */
function countOf(values: readonly string[] | undefined, fallback: number, maximum: number): number {
  const [value] = values ?? [];
  if (value === undefined) return fallback;
  const count = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count <= maximum))
    throw new HostError('invalid_request', `first and max must be whole numbers, max at most ${MAX_SHOWN}`, {
      status: 400,
    });
  return count;
}

export const routes = provide(RealmResourceProvider, {
  id: LISTENER,
  routes: {
    endpoints: { method: 'GET', path: '/endpoints', ...OPERATORS },
    test: { method: 'POST', path: '/endpoints/{name}/test', ...OPERATORS },
    enable: { method: 'POST', path: '/endpoints/{name}/enable', ...OPERATORS },
    deadLetters: { method: 'GET', path: '/dead-letters', ...OPERATORS },
    replayAll: { method: 'POST', path: '/dead-letters/replay', ...OPERATORS },
    replay: { method: 'POST', path: '/dead-letters/{letter}/replay', ...OPERATORS },
    forget: { method: 'DELETE', path: '/dead-letters/{letter}', ...OPERATORS },
  },
  open: () => ({ create: (session) => new WebhookRoutes(session) }),
});
