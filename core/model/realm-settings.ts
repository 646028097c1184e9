import type { RealmRepresentation } from './representation.js';
import { readSmtpServer, type SmtpServer } from './smtp-settings.js';

/**
 * The realm attribute with the names of authentication levels, a JSON object. A client attribute of the same name
 * overrides it.
 */
export const ACR_LEVELS = 'acr.loa.map';

/**
 * Settings of a realm by name and type, with Keycloak's defaults. Lifespans are in seconds. Settings that the hot path
 * reads are members of the realm itself.
 */
export class RealmSettings {
  readonly #realm: RealmRepresentation;

  constructor(realm: RealmRepresentation) {
    this.#realm = realm;
  }

  get registrationAllowed(): boolean {
    return this.#realm.registrationAllowed === true;
  }

  /** Addresses are usernames. */
  get registrationEmailAsUsername(): boolean {
    return this.#realm.registrationEmailAsUsername === true;
  }

  get duplicateEmailsAllowed(): boolean {
    return this.#realm.duplicateEmailsAllowed === true;
  }

  get editUsernameAllowed(): boolean {
    return this.#realm.editUsernameAllowed === true;
  }

  get rememberMe(): boolean {
    return this.#realm.rememberMe === true;
  }

  get resetPasswordAllowed(): boolean {
    return this.#realm.resetPasswordAllowed === true;
  }

  get verifyEmail(): boolean {
    return this.#realm.verifyEmail === true;
  }

  /** True when users change their address by the action UPDATE_EMAIL alone. */
  get updateEmailAction(): boolean {
    const { requiredActions = [] } = this.#realm;
    return requiredActions.some(({ alias, enabled }) => alias === 'UPDATE_EMAIL' && enabled === true);
  }

  /** The mail server, and what is wrong with it. */
  get smtpServer(): SmtpServer {
    return readSmtpServer(this.#realm);
  }

  /** Passkeys in the login form. */
  get passkeys(): boolean {
    return this.#realm.webAuthnPolicyPasswordlessPasskeysEnabled === true;
  }

  get adminEventsEnabled(): boolean {
    return this.#realm.adminEventsEnabled === true;
  }

  get adminEventsDetailsEnabled(): boolean {
    return this.#realm.adminEventsDetailsEnabled === true;
  }

  /** Lifespan of admin events; 0: they do not expire. */
  get adminEventsExpiration(): number {
    return Number(this.attribute('adminEventsExpiration') ?? 0);
  }

  /** The flow of a first login by an identity provider that names none. */
  get firstBrokerLoginFlow(): string {
    return this.#realm.firstBrokerLoginFlow ?? 'first broker login';
  }

  /** Lifespan of an authorization code. */
  get accessCodeLifespan(): number {
    return Number(this.#realm.accessCodeLifespan ?? 60);
  }

  /** Lifespan of an authentication session. */
  get accessCodeLifespanLogin(): number {
    return Number(this.#realm.accessCodeLifespanLogin ?? 1800);
  }

  get deviceCodeLifespan(): number {
    return Number(this.#realm.oauth2DeviceCodeLifespan ?? 600);
  }

  get devicePollingInterval(): number {
    return Number(this.#realm.oauth2DevicePollingInterval ?? 5);
  }

  /** Lifespan of a pushed authorization request. */
  get pushedRequestLifespan(): number {
    return Number(this.attribute('parRequestUriLifespan')) || 60;
  }

  /** Lifespan of sessions with "remember me"; 0: as of other sessions. */
  get ssoMaxRememberMe(): number {
    return Number(this.#realm.ssoSessionMaxLifespanRememberMe ?? 0);
  }

  /** Idle time of sessions with "remember me"; 0: as of other sessions. */
  get ssoIdleRememberMe(): number {
    return Number(this.#realm.ssoSessionIdleTimeoutRememberMe ?? 0);
  }

  get offlineIdle(): number {
    return this.#realm.offlineSessionIdleTimeout ?? 2_592_000;
  }

  /** Undefined: without limit. */
  get offlineMax(): number | undefined {
    const { offlineSessionMaxLifespanEnabled, offlineSessionMaxLifespan } = this.#realm;
    return offlineSessionMaxLifespanEnabled === true ? Number(offlineSessionMaxLifespan ?? 5_184_000) : undefined;
  }

  /** Lifespan of action tokens of this type; undefined: as of other types. */
  actionTokenLifespan(type: string): number | undefined {
    const own = Number(this.attribute(`actionTokenGeneratedByUserLifespan.${type}`));
    return Number.isInteger(own) && own > 0 ? own : undefined;
  }

  /** The address that devices show; undefined: the realm's own. */
  get shortVerificationUri(): string | undefined {
    return this.attribute('shortVerificationUri') || undefined;
  }

  /** The names of levels of authentication as JSON, yet to be read. */
  get acrLevels(): string | undefined {
    return this.attribute(ACR_LEVELS);
  }

  get loginTheme(): string {
    return this.#realm.loginTheme ?? '';
  }

  get accountTheme(): string {
    return this.#realm.accountTheme ?? '';
  }

  get emailTheme(): string {
    return this.#realm.emailTheme ?? '';
  }

  /** The locale for users who request none of the supported ones, as the realm writes it; empty if it declares none. */
  get defaultLocale(): string {
    return this.#realm.defaultLocale ?? '';
  }

  /** The locales that it offers, as it writes them: empty unless it is internationalized. */
  get locales(): readonly string[] {
    return this.#realm.internationalizationEnabled === true ? (this.#realm.supportedLocales ?? []) : [];
  }

  /** The realm's own texts, by locale. */
  get texts(): NonNullable<RealmRepresentation['localizationTexts']> {
    return this.#realm.localizationTexts ?? {};
  }

  /** An attribute of the realm. */
  attribute(name: string): string | undefined {
    const { attributes } = this.#realm;
    return attributes !== undefined && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  }
}
