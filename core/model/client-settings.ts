import { ACR_LEVELS } from './realm-settings.js';

/** The settings of a client that Keycloak stores as attributes, with their defaults. Lifespans are in seconds. */
export class ClientSettings {
  readonly #attributes: Readonly<Record<string, string>>;

  constructor(attributes: Readonly<Record<string, string>>) {
    this.#attributes = attributes;
  }

  /** Signature algorithm of ID and logout tokens. Undefined: that of the realm. */
  get idTokenAlgorithm(): string | undefined {
    return this.#text('id.token.signed.response.alg');
  }

  /** Signature algorithm of access tokens. Undefined: that of the realm. */
  get accessTokenAlgorithm(): string | undefined {
    return this.#text('access.token.signed.response.alg');
  }

  /** Signature algorithm of userinfo responses. Undefined: they are plain JSON. */
  get userinfoAlgorithm(): string | undefined {
    const algorithm = this.#text('user.info.response.signature.alg');
    return algorithm === 'none' ? undefined : algorithm;
  }

  /** If true, access tokens have the type `at+jwt` (RFC 9068 §2.1). */
  get accessTokenProfile(): boolean {
    return this.#isOn('access.token.header.type.rfc9068');
  }

  /**
   * If true, access tokens contain only claims of mappers with `lightweight.claim`; introspection returns the others.
   */
  get lightweightTokens(): boolean {
    return this.#isOn('client.use.lightweight.access.token.enabled');
  }

  /** If true, the userinfo endpoint accepts lightweight access tokens. */
  get lightweightTokensAtUserinfo(): boolean {
    return this.#isOn('allow.userinfo.with.lightweight.access.token');
  }

  /** If true, `token_type` is `bearer`, not `Bearer`. */
  get lowerCaseTokenType(): boolean {
    return this.#isOn('token.response.type.bearer.lower-case');
  }

  get refreshTokens(): boolean {
    return !this.#isOff('use.refresh.tokens');
  }

  /** If true, the client credentials grant also returns refresh tokens. */
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

  /** The PKCE method that the client must use (RFC 7636). Undefined: PKCE is optional. */
  get pkceMethod(): string | undefined {
    return this.#text('pkce.code.challenge.method');
  }

  /** If true, authorization requests must be pushed (RFC 9126). */
  get requiresPushedRequests(): boolean {
    return this.#isOn('require.pushed.authorization.requests');
  }

  /** If true, authorization responses contain the issuer as `iss` (RFC 9207). */
  get authorizationResponseIssuer(): boolean {
    return !this.#isOn('exclude.issuer.from.auth.response');
  }

  /** If true, authorization responses contain `session_state`. */
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

  /** A setting of Keyhost. If false, redirect URIs must not contain a fragment (RFC 6749 §3.1.2). */
  get redirectFragments(): boolean {
    return !this.#isOff('keyhost.redirect.fragments');
  }

  get backchannelLogoutSessionRequired(): boolean {
    return !this.#isOff('backchannel.logout.session.required');
  }

  get frontchannelLogoutSessionRequired(): boolean {
    return !this.#isOff('frontchannel.logout.session.required');
  }

  /** In seconds; 0 means the realm's value. */
  get deviceCodeLifespan(): number {
    const lifespan = Number(this.#attributes['oauth2.device.code.lifespan'] ?? 0);
    return lifespan > 0 ? lifespan : 0;
  }

  /** In seconds. Undefined: the realm's value. */
  get devicePollingInterval(): number | undefined {
    const interval = Number(this.#attributes['oauth2.device.polling.interval'] || -1);
    return interval >= 0 ? interval : undefined;
  }

  /** The minimum `acr` of a login; empty if there is none. */
  get minimumAcr(): string {
    return this.#attributes['minimum.acr.value'] ?? '';
  }

  /** The `acr` values for requests without any, separated by `##`. */
  get defaultAcrs(): string {
    return this.#attributes['default.acr.values'] ?? '';
  }

  /** Maps `acr` values to levels of authentication, as unparsed JSON. */
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
