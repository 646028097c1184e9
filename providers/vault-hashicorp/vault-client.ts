import type { Session } from '@keyhost/spi';

/** The address of a Vault or OpenBao, and the credentials of the plugin. */
export interface VaultSettings {
  /** Without a trailing slash. */
  readonly url: string;
  readonly namespace?: string;
  /** The timeout of a request in seconds. */
  readonly timeout: number;
  readonly token?: string;
  readonly appRole?: { readonly roleId: string; readonly secretId: string; readonly mount: string };
}

/** A token of the vault with the times of its renewal and expiry, in milliseconds since the epoch. */
interface Lease {
  readonly token: string;
  readonly renewAt: number;
  readonly endsAt: number;
  readonly renewable: boolean;
}

interface Auth {
  readonly client_token?: string;
  readonly lease_duration?: number;
  readonly renewable?: boolean;
}

/**
 * A client of the vault's HTTP API, for all realms of the host. Requests are made in the session of the requesting
 * realm.
 */
export class VaultClient {
  readonly #settings: VaultSettings;
  #lease: Lease | undefined;
  #pendingLease: Promise<Lease> | undefined;

  constructor(settings: VaultSettings) {
    this.#settings = settings;
  }

  /**
   * Returns `data` of the answer; undefined if there is no secret at this path.
   * @param path below `/v1/`
   * @throws Error if the vault gives no usable answer
   */
  async read(session: Session, path: string): Promise<Record<string, unknown> | undefined> {
    const lease = await this.#currentLease(session);
    let answer = await this.#request(session, 'GET', path, lease.token);
    if (answer.status === 403 && this.#settings.appRole !== undefined) {
      // The token was revoked meanwhile: sign in again.
      this.#lease = undefined;
      answer = await this.#request(session, 'GET', path, (await this.#currentLease(session)).token);
    }
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw new Error(`the vault answered ${answer.status} to ${path}`);
    return answer.json.data as Record<string, unknown>;
  }

  /**
   * Renews the token if this is due.
   * @returns seconds until the next check
   * @throws Error if the vault gives no usable answer
   */
  async renew(session: Session): Promise<number> {
    const { endsAt, renewAt } = await this.#currentLease(session);
    const now = session.clock.now();
    if (endsAt === Number.POSITIVE_INFINITY) return 86_400;
    return Math.max(1, (renewAt - now) / 1000);
  }

  async #currentLease(session: Session): Promise<Lease> {
    const lease = this.#lease;
    const now = session.clock.now();
    if (lease !== undefined && now < lease.renewAt) return lease;
    this.#pendingLease ??= this.#nextLease(session, lease, now).finally(() => {
      this.#pendingLease = undefined;
    });
    this.#lease = await this.#pendingLease;
    return this.#lease;
  }

  async #nextLease(session: Session, lease: Lease | undefined, now: number): Promise<Lease> {
    const { token, appRole } = this.#settings;
    if (lease?.renewable && now < lease.endsAt) {
      const renewed = await this.#request(session, 'POST', 'auth/token/renew-self', lease.token, {});
      if (renewed.status === 200) return leaseOf(renewed.json.auth as Auth, lease.token, now);
      session.logger.warn('the token of the vault was not renewed', { status: renewed.status });
    }
    if (appRole !== undefined) {
      const { roleId, secretId, mount } = appRole;
      const body = { role_id: roleId, secret_id: secretId };
      const { status, json } = await this.#request(session, 'POST', `auth/${mount}/login`, undefined, body);
      if (status !== 200) throw new Error(`the vault answered ${status} to the login of the role`);
      return leaseOf(json.auth as Auth, undefined, now);
    }
    if (token === undefined) throw new Error('neither token nor appRole is configured');
    if (lease !== undefined && now < lease.endsAt) return { ...lease, renewAt: lease.endsAt };
    const { status, json } = await this.#request(session, 'GET', 'auth/token/lookup-self', token);
    if (status !== 200) throw new Error(`the vault answered ${status} to the lookup of the token`);
    const { ttl = 0, renewable = false } = json.data as { ttl?: number; renewable?: boolean };
    return leaseOf({ lease_duration: ttl, renewable }, token, now);
  }

  async #request(session: Session, method: 'GET' | 'POST', path: string, token: string | undefined, body?: object) {
    const { url, namespace, timeout } = this.#settings;
    const answer = await session.outbound.request({
      url: `${url}/v1/${path}`,
      method,
      headers: {
        ...(token === undefined ? {} : { 'x-vault-token': token }),
        ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeout,
    });
    const text = new TextDecoder().decode(answer.body);
    return { status: answer.status, json: answer.status === 200 ? (JSON.parse(text) as Record<string, unknown>) : {} };
  }
}

/** Returns the lease of a token. A duration of 0 means that the token never expires. */
function leaseOf(auth: Auth | undefined, currentToken: string | undefined, now: number): Lease {
  const { client_token: token = currentToken, lease_duration: duration = 0, renewable = false } = auth ?? {};
  if (token === undefined) throw new Error('the vault returned no token');
  const endsAt = duration === 0 ? Number.POSITIVE_INFINITY : now + duration * 1000;
  return { token, renewable, endsAt, renewAt: duration === 0 ? endsAt : now + duration * 500 };
}
