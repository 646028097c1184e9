import { hash } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import type { Realm } from '../../model/realm.js';
import type { OneTimeTokenKey, Store } from '../../store/store.js';
import type { ProofKey } from '../authorization/proof-key.js';
import { newUserCode } from './user-codes.js';

/** The request of a device. */
export interface DeviceRequest extends ProofKey {
  readonly clientId: string;
  readonly scope?: string | undefined;
  readonly nonce?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Minimum seconds between two polls of the device; 0: no minimum. */
  readonly interval: number;
}

/** The user's decision. */
type Decision = { readonly sessionId: string; readonly userId: string } | 'denied';

const DEVICE_CODE = 'device-code';
const USER_CODE = 'device-user-code';
const DECISION = 'device-decision';
const POLL = 'device-poll';

/**
 * How long an expired code is stored, in addition to one polling interval. Until then the device gets `expired_token`
 * instead of `invalid_grant`.
 */
const EXPIRED_RETENTION_SECONDS = 10;

/**
 * Device codes and their user codes (RFC 8628), stored durably and bound to their realm. A user code is approved or
 * denied once, and a device code is redeemed once.
 */
export class DeviceCodes {
  readonly #parts: { store: Store; clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /** Issues a device code with its user code. @param lifespan seconds */
  async issue(
    realm: Realm,
    details: Omit<DeviceRequest, 'expiresAt'>,
    lifespan: number,
  ): Promise<{ deviceCode: string; userCode: string }> {
    const deviceCode = randomToken(32);
    const device = codeKey(realm, DEVICE_CODE, deviceCode);
    const request: DeviceRequest = { ...details, expiresAt: this.#parts.clock.now() + lifespan * 1000 };
    const expiresAt = retainedUntil(request);
    // Retry if another device has the same user code, which hardly ever happens.
    for (;;) {
      const userCode = newUserCode();
      const issue = { op: 'tickets.issue', require: 'issued' } as const;
      const { committed } = await this.#parts.store.commit([
        { ...issue, args: { ...codeKey(realm, USER_CODE, userCode), payload: device.keyHash, expiresAt } },
        { ...issue, args: { ...device, payload: JSON.stringify(request), expiresAt } },
      ]);
      if (committed) return { deviceCode, userCode };
    }
  }

  /** The device request of a user code. Undefined once the user has decided. It may have expired. */
  async findByUserCode(realm: Realm, userCode: string): Promise<DeviceRequest | undefined> {
    return (await this.#findByUserCode(realm, userCode))?.request;
  }

  /**
   * Approves the request: the device may get tokens of this session. False if the code was decided before, or has
   * expired.
   */
  approve(realm: Realm, userCode: string, session: { readonly id: string; readonly userId: string }): Promise<boolean> {
    return this.#decide(realm, userCode, { sessionId: session.id, userId: session.userId });
  }

  /** Denies the request. False if the code was decided before, or has expired. */
  deny(realm: Realm, userCode: string): Promise<boolean> {
    return this.#decide(realm, userCode, 'denied');
  }

  /**
   * Answers a polling device (RFC 8628 §3.5).
   * @throws OAuthError with Keycloak's texts, in its order, until the user has approved
   */
  async poll(
    realm: Realm,
    client: Client,
    deviceCode: string,
  ): Promise<{ request: DeviceRequest; sessionId: string; userId: string }> {
    const now = this.#parts.clock.now();
    const device = codeKey(realm, DEVICE_CODE, deviceCode);
    const request = await this.#readRequest(device);
    if (request?.clientId !== client.clientId) throw invalidDeviceCode();
    if (request.expiresAt <= now) {
      throw new OAuthError('expired_token', 'Device code is expired', { eventError: 'expired_oauth2_device_code' });
    }
    const intervalMs = request.interval * 1000;
    if (
      intervalMs > 0 &&
      !(await this.#parts.store.marks.claim({ ...device, kind: POLL, expiresAt: now + intervalMs, now }))
    ) {
      throw new OAuthError('slow_down', 'Slow down');
    }
    const storedDecision = await this.#parts.store.tickets.get({ ...device, kind: DECISION, now });
    if (storedDecision === undefined) {
      throw new OAuthError('authorization_pending', 'The authorization request is still pending');
    }
    const decision = JSON.parse(storedDecision) as Decision;
    if (decision === 'denied') {
      throw new OAuthError('access_denied', 'The end user denied the authorization request');
    }
    return { request, ...decision };
  }

  /** Redeems the device code; after this it is void. @throws OAuthError if another request redeemed it first */
  async redeem(realm: Realm, deviceCode: string): Promise<void> {
    const device = codeKey(realm, DEVICE_CODE, deviceCode);
    const { outcome } = await this.#parts.store.tickets.redeem({ ...device, now: this.#parts.clock.now() });
    if (outcome !== 'first') throw invalidDeviceCode();
  }

  async #decide(realm: Realm, userCode: string, decision: Decision): Promise<boolean> {
    const now = this.#parts.clock.now();
    const pending = await this.#findByUserCode(realm, userCode);
    if (pending === undefined || pending.request.expiresAt <= now) return false;
    const ticket = { ...pending.device, kind: DECISION, payload: JSON.stringify(decision) };
    const { committed } = await this.#parts.store.commit([
      { op: 'tickets.redeem', args: { ...codeKey(realm, USER_CODE, userCode), now }, require: 'first' },
      { op: 'tickets.issue', args: { ...ticket, expiresAt: retainedUntil(pending.request) }, require: 'issued' },
    ]);
    return committed;
  }

  async #findByUserCode(realm: Realm, userCode: string) {
    const now = this.#parts.clock.now();
    const keyHash = await this.#parts.store.tickets.get({ ...codeKey(realm, USER_CODE, userCode), now });
    if (keyHash === undefined) return undefined;
    const device = { realm: realm.name, kind: DEVICE_CODE, keyHash };
    const request = await this.#readRequest(device);
    return request === undefined ? undefined : { device, request };
  }

  async #readRequest(device: OneTimeTokenKey): Promise<DeviceRequest | undefined> {
    const payload = await this.#parts.store.tickets.get({ ...device, now: this.#parts.clock.now() });
    return payload === undefined ? undefined : (JSON.parse(payload) as DeviceRequest);
  }
}

function retainedUntil({ expiresAt, interval }: DeviceRequest): number {
  return expiresAt + (interval + EXPIRED_RETENTION_SECONDS) * 1000;
}

function codeKey(realm: Realm, kind: string, code: string): OneTimeTokenKey {
  return { realm: realm.name, kind, keyHash: hash('sha256', code, 'base64url') };
}

function invalidDeviceCode(): OAuthError {
  return new OAuthError('invalid_grant', 'Device code not valid', { eventError: 'invalid_oauth2_device_code' });
}
