import type { RealmRepresentation } from './representation.js';
import { readSmtpServer, type SmtpServer } from './smtp-settings.js';

/**
 * The realm attribute that maps `acr` values to authentication levels, as a JSON object. A client attribute of the same
 * name overrides it.
 */
export const ACR_LEVELS = 'acr.loa.map';

/**
 * Settings of a realm, with Keycloak's defaults. Lifespans are in seconds. Settings that most requests read are members
 * of `Realm` instead.
 */
export class RealmSettings {
  readonly #realm: RealmRepresentation;

  constructor(realm: RealmRepresentation) {
    this.#realm = realm;
  }

  get registrationAllowed(): boolean {
    return this.#realm.registrationAllowed === true;
  }

  /** If true, the email address of a user who registers is also the username. */
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

  /** True if users can change their email address only by the required action UPDATE_EMAIL. */
  get updateEmailAction(): boolean {
    const { requiredActions = [] } = this.#realm;
    return requiredActions.some(({ alias, enabled }) => alias === 'UPDATE_EMAIL' && enabled === true);
  }

  /** The settings of the mail server, and the problems that they have. */
  get smtpServer(): SmtpServer {
    return readSmtpServer(this.#realm);
  }

  /** True if the username form also offers passkeys. */
  get passkeys(): boolean {
    return this.#realm.webAuthnPolicyPasswordlessPasskeysEnabled === true;
  }

  get adminEventsEnabled(): boolean {
    return this.#realm.adminEventsEnabled === true;
  }

  get adminEventsDetailsEnabled(): boolean {
    return this.#realm.adminEventsDetailsEnabled === true;
  }

  /** Lifespan of admin events; 0 means that they do not expire. */
  get adminEventsExpiration(): number {
    return Number(this.attribute('adminEventsExpiration') ?? 0);
  }

  /** The flow for the first login with an identity provider that sets no flow. */
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

  /** Maximum lifespan of sessions with "remember me"; 0 means that of other sessions. */
  get ssoMaxRememberMe(): number {
    return Number(this.#realm.ssoSessionMaxLifespanRememberMe ?? 0);
  }

  /** Idle timeout of sessions with "remember me"; 0 means that of other sessions. */
  get ssoIdleRememberMe(): number {
    return Number(this.#realm.ssoSessionIdleTimeoutRememberMe ?? 0);
  }

  get offlineIdle(): number {
    return this.#realm.offlineSessionIdleTimeout ?? 2_592_000;
  }

  /** Maximum lifespan of offline sessions. Undefined: unlimited. */
  get offlineMax(): number | undefined {
    const { offlineSessionMaxLifespanEnabled, offlineSessionMaxLifespan } = this.#realm;
    return offlineSessionMaxLifespanEnabled === true ? Number(offlineSessionMaxLifespan ?? 5_184_000) : undefined;
  }

  /** Lifespan of action tokens of this type. Undefined: the lifespan of all types. */
  actionTokenLifespan(type: string): number | undefined {
    const lifespan = Number(this.attribute(`actionTokenGeneratedByUserLifespan.${type}`));
    return Number.isInteger(lifespan) && lifespan > 0 ? lifespan : undefined;
  }

  /** A shorter verification address that devices show. Undefined: the realm's own address. */
  get shortVerificationUri(): string | undefined {
    return this.attribute('shortVerificationUri') || undefined;
  }

  /** Maps `acr` values to authentication levels, as unparsed JSON. */
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

  /**
   * The locale for users who request none of the supported locales, in the realm's spelling. Empty if the realm sets
   * none.
   */
  get defaultLocale(): string {
    return this.#realm.defaultLocale ?? '';
  }

  /** The supported locales, in the realm's spelling. Empty unless internationalization is enabled. */
  get locales(): readonly string[] {
    return this.#realm.internationalizationEnabled === true ? (this.#realm.supportedLocales ?? []) : [];
  }

  /** The texts that the realm overrides, by locale. */
  get texts(): NonNullable<RealmRepresentation['localizationTexts']> {
    return this.#realm.localizationTexts ?? {};
  }

  attribute(name: string): string | undefined {
    const { attributes } = this.#realm;
    return attributes !== undefined && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  }
}
