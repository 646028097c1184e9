/**
 * Addresses of an application that Keycloak stores as attributes of its client. Each can be relative to the client's
 * root URL.
 */
export class ClientAddresses {
  readonly #rootUrl: string;
  readonly #attributes: Readonly<Record<string, string>>;

  constructor(rootUrl: string, attributes: Readonly<Record<string, string>>) {
    this.#rootUrl = rootUrl;
    this.#attributes = attributes;
  }

  /** The application's logo (OpenID Connect Dynamic Client Registration §2). */
  get logo(): string | undefined {
    return this.#address('logoUri');
  }

  get policy(): string | undefined {
    return this.#address('policyUri');
  }

  get termsOfService(): string | undefined {
    return this.#address('tosUri');
  }

  /** The address that receives logout tokens when a session ends (OpenID Connect Back-Channel Logout 1.0). */
  get backchannelLogout(): string | undefined {
    return this.#address('backchannel.logout.url');
  }

  /** The address that a frame of the browser loads at a logout (OpenID Connect Front-Channel Logout 1.0). */
  get frontchannelLogout(): string | undefined {
    return this.#address('frontchannel.logout.url');
  }

  /**
   * The addresses of logo, policy and terms of service as the attributes contain them, not resolved against the root
   * URL.
   */
  get unresolved(): Readonly<Record<'logoUri' | 'policyUri' | 'tosUri', string | undefined>> {
    const { logoUri, policyUri, tosUri } = this.#attributes;
    return { logoUri, policyUri, tosUri };
  }

  /** Resolves an address against the root URL. @returns undefined if it is not an http or https address */
  #address(attribute: string): string | undefined {
    const value = this.#attributes[attribute] ?? '';
    const address = value.startsWith('/') ? `${this.#rootUrl}${value}` : value;
    return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
  }
}
