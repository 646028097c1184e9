import type { Session } from '@keyhost/spi';
import { changedState, type EndpointState, type Failure } from './entries.js';
import type { Endpoint } from './settings.js';

/** How long a failing endpoint's last failure is shown before a newer one takes its place, in milliseconds. */
const SHOWN_MS = 10_000;

/** What is known of one endpoint of a realm. The log hears of each change once, on whatever node it came about. */
export class EndpointHealth {
  readonly #session: Session;
  readonly #name: string;
  #state: EndpointState;

  private constructor(session: Session, name: string, state: EndpointState) {
    this.#session = session;
    this.#name = name;
    this.#state = state;
  }

  /** Reads it, and makes it show what the realm says now. */
  static async of(session: Session, name: string, endpoint: Endpoint): Promise<EndpointHealth> {
    const state = await changedState(session.store, name, (before) => shown(before, endpoint));
    return new EndpointHealth(session, name, state ?? shown(undefined, endpoint));
  }

  /** False where nothing may be sent. */
  get isOpen(): boolean {
    return this.#state.enabled && this.#state.gone === undefined;
  }

  /** The address at which it answered 410. */
  get gone(): string | undefined {
    return this.#state.gone?.url;
  }

  get isFailing(): boolean {
    return this.#state.failing !== undefined;
  }

  /** Milliseconds since the epoch; 0: it may be asked now. */
  get pausedUntil(): number {
    return this.#state.pausedUntil ?? 0;
  }

  async delivered(): Promise<void> {
    if (!this.isFailing) return;
    const isNew = await this.#change((before) => {
      const { failing, pausedUntil: _, ...rest } = before;
      return failing === undefined ? before : rest;
    });
    if (isNew) this.#session.logger.info('a webhook endpoint accepts events again', this.#where());
  }

  /** @param pause milliseconds for which it wants to be left alone */
  async failed(failure: Failure, pause: number | undefined): Promise<void> {
    const known = this.#state.failing;
    if (pause === undefined && known !== undefined && failure.at - known.last.at < SHOWN_MS) return;
    let isNew = false;
    await this.#change((before) => {
      isNew = before.failing === undefined;
      const until = pause === undefined ? {} : { pausedUntil: Math.max(before.pausedUntil ?? 0, failure.at + pause) };
      return { ...before, failing: { since: before.failing?.since ?? failure.at, last: failure }, ...until };
    });
    const { reason } = failure;
    if (isNew)
      this.#session.logger.warn('a webhook endpoint fails: its events stay in the queue', { ...this.#where(), reason });
  }

  /** It answered 410. */
  async went(url: string, at: number): Promise<void> {
    const isNew = await this.#change((before) =>
      before.gone === undefined ? { ...before, gone: { at, url } } : before,
    );
    if (isNew) this.#session.logger.warn('a webhook endpoint answered 410 (Gone) and is disabled', this.#where());
  }

  #where() {
    return { realm: this.#session.realm.name, endpoint: this.#name };
  }

  /** @returns whether it was this call that changed something */
  async #change(change: (before: EndpointState) => EndpointState): Promise<boolean> {
    let isChanged = false;
    const now = await changedState(this.#session.store, this.#name, (before) => {
      // Taken out of the realm meanwhile, or moved: there is nothing to tell any more.
      const after = before?.url === this.#state.url ? change(before) : before;
      isChanged = after !== before;
      return after;
    });
    if (now !== undefined) this.#state = now;
    return isChanged;
  }
}

/** The state with what the settings say now. What an endpoint that moved was, or asked for, is not that of the new one. */
function shown(before: EndpointState | undefined, { url, events, enabled }: Endpoint): EndpointState {
  const own = { url: withoutQuery(url), events: [...events], enabled };
  if (before === undefined) return own;
  const { gone, ...same } = before;
  const { failing: _, pausedUntil: __, ...moved } = same;
  const isSame = before.url === own.url && before.enabled === enabled && String(before.events) === String(events);
  if (isSame && (gone === undefined || gone.url === url)) return before;
  return { ...(before.url === own.url ? same : moved), ...own, ...(gone?.url === url ? { gone } : {}) };
}

/** What stands in a query may be a secret. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
