import type { Session } from '@keyhost/spi';
import { type EndpointState, type Failure, updateState } from './entries.js';
import type { Endpoint } from './settings.js';

/** The minimum interval at which a newer failure replaces the stored one, in milliseconds. */
const SHOWN_MS = 10_000;

/** The state of one endpoint of a realm. Each change is logged once, by the node that made it. */
export class EndpointHealth {
  readonly #session: Session;
  readonly #name: string;
  #state: EndpointState;

  private constructor(session: Session, name: string, state: EndpointState) {
    this.#session = session;
    this.#name = name;
    this.#state = state;
  }

  /** Reads the state and updates it to the realm's settings. */
  static async of(session: Session, name: string, endpoint: Endpoint): Promise<EndpointHealth> {
    const state = await updateState(session.store, name, (before) => withSettings(before, endpoint));
    return new EndpointHealth(session, name, state ?? withSettings(undefined, endpoint));
  }

  /** False if nothing may be sent. */
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

  /** Milliseconds since the epoch; 0 if it is not paused. */
  get pausedUntil(): number {
    return this.#state.pausedUntil ?? 0;
  }

  async recordDelivery(): Promise<void> {
    if (!this.isFailing) return;
    const isNew = await this.#change((before) => {
      const { failing, pausedUntil: _, ...rest } = before;
      return failing === undefined ? before : rest;
    });
    if (isNew) this.#session.logger.info('a webhook endpoint accepts events again', this.#logFields());
  }

  /** @param pause the pause that the endpoint requested, in milliseconds */
  async recordFailure(failure: Failure, pause: number | undefined): Promise<void> {
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
      this.#session.logger.warn('a webhook endpoint fails: its events stay in the queue', {
        ...this.#logFields(),
        reason,
      });
  }

  /** Records that the endpoint answered 410. */
  async markGone(url: string, at: number): Promise<void> {
    const isNew = await this.#change((before) =>
      before.gone === undefined ? { ...before, gone: { at, url } } : before,
    );
    if (isNew) this.#session.logger.warn('a webhook endpoint answered 410 (Gone) and is disabled', this.#logFields());
  }

  #logFields() {
    return { realm: this.#session.realm.name, endpoint: this.#name };
  }

  /** @returns true if this call changed the state */
  async #change(change: (before: EndpointState) => EndpointState): Promise<boolean> {
    let isChanged = false;
    const stored = await updateState(this.#session.store, this.#name, (before) => {
      // If the endpoint was removed from the realm meanwhile, or has a new address, there is nothing to record.
      const after = before?.url === this.#state.url ? change(before) : before;
      isChanged = after !== before;
      return after;
    });
    if (stored !== undefined) this.#state = stored;
    return isChanged;
  }
}

/**
 * Returns the state with the current settings. The health and the pause of the previous address do not apply to a new
 * address.
 */
function withSettings(before: EndpointState | undefined, { url, events, enabled }: Endpoint): EndpointState {
  const current = { url: withoutQuery(url), events: [...events], enabled };
  if (before === undefined) return current;
  const { gone, ...same } = before;
  const { failing: _, pausedUntil: __, ...moved } = same;
  const isSame = before.url === current.url && before.enabled === enabled && String(before.events) === String(events);
  if (isSame && (gone === undefined || gone.url === url)) return before;
  return { ...(before.url === current.url ? same : moved), ...current, ...(gone?.url === url ? { gone } : {}) };
}

/** Removes the query, since it may contain a secret. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
