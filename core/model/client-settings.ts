import { ACR_LEVELS } from './realm-settings.js';

/** Settings of a client by name and type. Keycloak stores them as attributes. Lifespans are in seconds. */
export class ClientSettings {
  readonly #attributes: Readonly<Record<string, string>>;

  constructor(attributes: Readonly<Record<string, string>>) {
    this.#attributes = attributes;
  }

  /** Signature algorithm of ID and logout tokens; undefined: the realm's. */
  get idTokenAlgorithm(): string | undefined {
    return this.#text('id.token.signed.response.alg');
  }

  /** Signature algorithm of access tokens; undefined: the realm's. */
  get accessTokenAlgorithm(): string | undefined {
    return this.#text('access.token.signed.response.alg');
  }

  /** Undefined: answers of the userinfo endpoint are JSON. */
  get userinfoAlgorithm(): string | undefined {
    const algorithm = this.#text('user.info.response.signature.alg');
    return algorithm === 'none' ? undefined : algorithm;
  }

  /** Access tokens are of the type `at+jwt` (RFC 9068 §2.1). */
  get accessTokenProfile(): boolean {
    return this.#isOn('access.token.header.type.rfc9068');
  }

  /**
   * If true, access tokens contain only claims of mappers with `lightweight.claim`; introspection returns the others.
   */
  get lightweightTokens(): boolean {
    return this.#isOn('client.use.lightweight.access.token.enabled');
  }

  /** Lightweight access tokens open userinfo. */
  get lightweightTokensAtUserinfo(): boolean {
    return this.#isOn('allow.userinfo.with.lightweight.access.token');
  }

  /** `token_type` is written `bearer`. */
  get lowerCaseTokenType(): boolean {
    return this.#isOn('token.response.type.bearer.lower-case');
  }

  get refreshTokens(): boolean {
    return !this.#isOff('use.refresh.tokens');
  }

  /** Logins of the service account have refresh tokens too. */
  get refreshTokensOfServiceAccount(): boolean {
    return this.#isOn('client_credentials.use_refresh_token');
  }

  get standardTokenExchange(): boolean {
    return this.#isOn('standard.token.exchange.enabled');
  }

  /** If true, a standard token exchange returns refresh tokens of the subject token's session. */
  get exchangesForRefreshTokens(): boolean {
    return this.#text('standard.token.exchange.enableRefreshRequestedTokenType') === 'SAME_SESSION';
  }

  /** PKCE that is asked for (RFC 7636); undefined: none. */
  get pkceMethod(): string | undefined {
    return this.#text('pkce.code.challenge.method');
  }

  /** Authorization requests have to be pushed (RFC 9126). */
  get requiresPushedRequests(): boolean {
    return this.#isOn('require.pushed.authorization.requests');
  }

  /** Answers of the authorization endpoint name the issuer (RFC 9207). */
  get authorizationResponseIssuer(): boolean {
    return !this.#isOn('exclude.issuer.from.auth.response');
  }

  /** Answers of the authorization endpoint have a `session_state`. */
  get authorizationResponseSessionState(): boolean {
    return !this.#isOn('exclude.session.state.from.auth.response');
  }

  /**
   * Redirect URIs after a logout, which Keycloak joins with `##`. `+` allows the redirect URIs of logins, `-` allows
   * none.
   */
  get postLogoutRedirectUris(): readonly string[] {
    const listed = (this.#attributes['post.logout.redirect.uris'] ?? '').split('##').map((uri) => uri.trim());
    const uris = listed.filter((uri) => uri !== '');
    return uris.length === 0 ? ['+'] : uris;
  }

  /** Keyhost's own; false: no address that the client asks for has a fragment (RFC 6749 §3.1.2). */
  get redirectFragments(): boolean {
    return !this.#isOff('keyhost.redirect.fragments');
  }

  get backchannelLogoutSessionRequired(): boolean {
    return !this.#isOff('backchannel.logout.session.required');
  }

  get frontchannelLogoutSessionRequired(): boolean {
    return !this.#isOff('frontchannel.logout.session.required');
  }

  /** In seconds; 0: the realm's. */
  get deviceCodeLifespan(): number {
    const own = Number(this.#attributes['oauth2.device.code.lifespan'] ?? 0);
    return own > 0 ? own : 0;
  }

  /** In seconds; undefined: the realm's. */
  get devicePollingInterval(): number | undefined {
    const own = Number(this.#attributes['oauth2.device.polling.interval'] || -1);
    return own >= 0 ? own : undefined;
  }

  /** The `acr` that no login may stay below; empty: none. */
  get minimumAcr(): string {
    return this.#attributes['minimum.acr.value'] ?? '';
  }

  /** The `acr` of requests that name none, with `##` between them. */
  get defaultAcrs(): string {
    return this.#attributes['default.acr.values'] ?? '';
  }

  /** The names of levels of authentication as JSON, yet to be read. */
  get acrLevels(): string | undefined {
    return this.#attributes[ACR_LEVELS];
  }

  #text(name: string): string | undefined {
    return this.#attributes[name] || undefined;
  }

  #isOn(name: string): boolean {
    return this.#attributes[name] === 'true';
  }

  #isOff(name: string): boolean {
    return this.#attributes[name] === 'false';
  }
}
