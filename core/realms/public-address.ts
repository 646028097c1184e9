/** Names by which a browser reaches its own machine. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The public address of the host, which issuers start with: `--hostname`, or else the address that it listens on. It
 * never depends on a request, with one exception for trials: the loopback names at the host's own port, once
 * `alsoByLoopback` was called.
 */
export class PublicAddress {
  readonly #admin: string | undefined;
  #base: string | undefined;
  /** The addresses by other names, by the `Host` header that leads there; empty in production. */
  readonly #byHost = new Map<string, string>();

  /**
   * @param hostname `--hostname`, without a slash at its end
   * @param hostnameAdmin `--hostname-admin`, likewise
   */
  constructor(hostname: string | undefined, hostnameAdmin?: string) {
    this.#base = hostname;
    this.#admin = hostnameAdmin;
  }

  /** The address in front of `/realms/{realm}`, known once the host listens. */
  get base(): string {
    if (this.#base === undefined) throw new Error('a realm was requested before the address of the host is known');
    return this.#base;
  }

  /** The host has no `--hostname` and listens there. */
  listensAt(url: string): void {
    this.#base ??= url;
  }

  /** Follows the `Host` header among the names of the machine itself, at the port of the base address. */
  alsoByLoopback(): void {
    const base = new URL(this.base);
    for (const name of LOOPBACK_NAMES) {
      const other = new URL(base);
      other.hostname = name;
      if (other.host !== base.host) this.#byHost.set(other.host, other.href.replace(/\/$/, ''));
    }
  }

  /** True where requests may lead to different addresses. */
  get hasOthers(): boolean {
    return this.#byHost.size > 0;
  }

  /** The address that a request with this `Host` header reached, or the base address if the header means no other. */
  of(host: string | undefined): string {
    return (this.hasOthers ? this.#byHost.get(host?.toLowerCase() ?? '') : undefined) ?? this.base;
  }

  /**
   * The address before `/admin`: `--hostname-admin`, or else the one that a request with this `Host` header reached.
   */
  adminOf(host: string | undefined): string {
    return this.#admin ?? this.of(host);
  }

  /** `--hostname-admin`: the admin console and the Admin REST API are there and nowhere else. */
  get ofAdminsAlone(): string | undefined {
    return this.#admin;
  }

  /** True for the base address and those by other names. */
  has(address: string): boolean {
    return address === this.base || [...this.#byHost.values()].includes(address);
  }
}
