/** Host names of the machine itself. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The public address of the host, with which issuers begin: `--hostname`, or else the address at which it listens. It
 * never depends on a request, except in development: after `addLoopbackNames` was called, the loopback names at the
 * host's port are addresses, too.
 */
export class PublicAddress {
  readonly #admin: string | undefined;
  #base: string | undefined;
  /** The other addresses by their `Host` header; empty in production. */
  readonly #addressByHost = new Map<string, string>();

  /**
   * @param hostname `--hostname`, without a trailing slash
   * @param hostnameAdmin `--hostname-admin`, without a trailing slash
   */
  constructor(hostname: string | undefined, hostnameAdmin?: string) {
    this.#base = hostname;
    this.#admin = hostnameAdmin;
  }

  /** The address before `/realms/{realm}`, known once the host listens. */
  get base(): string {
    if (this.#base === undefined) throw new Error('a realm was requested before the address of the host is known');
    return this.#base;
  }

  /** Sets the address at which the host listens, which is used without `--hostname`. */
  setListeningAddress(url: string): void {
    this.#base ??= url;
  }

  /** Accepts the loopback names in the `Host` header, at the port of the base address. */
  addLoopbackNames(): void {
    const base = new URL(this.base);
    for (const name of LOOPBACK_NAMES) {
      const other = new URL(base);
      other.hostname = name;
      if (other.host !== base.host) this.#addressByHost.set(other.host, other.href.replace(/\/$/, ''));
    }
  }

  /** True if requests may reach the host at different addresses. */
  get hasOtherAddresses(): boolean {
    return this.#addressByHost.size > 0;
  }

  /** Returns the address that a request with this `Host` header reached. An unknown header means the base address. */
  addressFor(host: string | undefined): string {
    return (this.hasOtherAddresses ? this.#addressByHost.get(host?.toLowerCase() ?? '') : undefined) ?? this.base;
  }

  /**
   * Returns the address before `/admin`: `--hostname-admin`, or else the one that a request with this `Host` header
   * reached.
   */
  adminAddressFor(host: string | undefined): string {
    return this.#admin ?? this.addressFor(host);
  }

  /** `--hostname-admin`: the only address of the admin console and the Admin REST API. Undefined without the option. */
  get separateAdminAddress(): string | undefined {
    return this.#admin;
  }

  /** True for every address of the host. */
  has(address: string): boolean {
    return address === this.base || [...this.#addressByHost.values()].includes(address);
  }
}
