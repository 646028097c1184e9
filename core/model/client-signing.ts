/** Source of a client's public keys: a URL, a JWK set, or a certificate or key in base64. */
export interface ClientKeySource {
  readonly kind: 'url' | 'jwks' | 'certificate' | 'key';
  readonly value: string;
}

/** The settings of a client's assertions (RFC 7523), which Keycloak stores as attributes. */
export class ClientSigning {
  readonly #attributes: Readonly<Record<string, string>>;

  constructor(attributes: Readonly<Record<string, string>>) {
    this.#attributes = attributes;
  }

  /** The only JWS algorithm that is accepted. Undefined: any algorithm of the client's keys. */
  get algorithm(): string | undefined {
    return this.#text('token.endpoint.auth.signing.alg');
  }

  /** Maximum age of an assertion since its `iat`, in seconds. Undefined: the default for all clients. */
  get maxAge(): number | undefined {
    const seconds = Number(this.#text('token.endpoint.auth.signing.max.exp'));
    return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : undefined;
  }

  /** The source of the client's keys, tried in Keycloak's order. Undefined if the client has no key. */
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
