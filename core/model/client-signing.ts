/** Source of a client's public keys: a URL, a JWK set, or a certificate or key in base64. */
export interface ClientKeySource {
  readonly kind: 'url' | 'jwks' | 'certificate' | 'key';
  readonly value: string;
}

/** How a client signs its assertions (RFC 7523), by name and type. Keycloak stores these settings as attributes. */
export class ClientSigning {
  readonly #attributes: Readonly<Record<string, string>>;

  constructor(attributes: Readonly<Record<string, string>>) {
    this.#attributes = attributes;
  }

  /** The JWS algorithm that alone is accepted; undefined: any that the client's keys are for. */
  get algorithm(): string | undefined {
    return this.#text('token.endpoint.auth.signing.alg');
  }

  /** Seconds after `iat` in which an assertion is good; undefined: as for any client. */
  get maxAge(): number | undefined {
    const stated = Number(this.#text('token.endpoint.auth.signing.max.exp'));
    return Number.isSafeInteger(stated) && stated > 0 ? stated : undefined;
  }

  /** In Keycloak's order; undefined: it names no key. */
  get keySource(): ClientKeySource | undefined {
    if (this.#text('use.jwks.url') === 'true') return this.#source('url', 'jwks.url');
    if (this.#text('use.jwks.string') === 'true') return this.#source('jwks', 'jwks.string');
    return (
      this.#source('certificate', 'jwt.credential.certificate') ?? this.#source('key', 'jwt.credential.public.key')
    );
  }

  #source(kind: ClientKeySource['kind'], attribute: string): ClientKeySource | undefined {
    const value = this.#text(attribute);
    return value === undefined ? undefined : { kind, value };
  }

  #text(name: string): string | undefined {
    return this.#attributes[name] || undefined;
  }
}
