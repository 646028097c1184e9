import { type AuthenticationStep, type AuthenticatorDeclaration, HostError, type StepCookieValues } from '@keyhost/spi';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.js';
import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';

/** Encrypts and decrypts the values of cookies. */
type CookieEncryption = Pick<BrowserSessions, 'encrypt' | 'decrypt'>;
type RegisteredStep = Pick<
  RegisteredProvider<AuthenticatorDeclaration, unknown>,
  'id' | 'plugin' | 'spi' | 'declaration'
>;

const TOKEN_TYPE = 'Step-Cookie';
const NONE: Readonly<Record<string, string>> = Object.freeze({});
/**
 * Maximum length of a value in characters. Encryption adds about half of it, and browsers limit cookies to about 4,000.
 */
const MAX_VALUE_LENGTH = 1000;

/**
 * Cookies that plugins' authenticators store in the browser. They are encrypted, and bound to one realm and one plugin,
 * whose authenticators and conditions share them.
 */
export class StepCookies {
  readonly #encryption: CookieEncryption;
  readonly #clock: Clock;

  constructor({ encryption, clock }: { readonly encryption: CookieEncryption; readonly clock: Clock }) {
    this.#encryption = encryption;
    this.#clock = clock;
  }

  /** The cookies that the authenticator declares and the browser sent. */
  async read(
    exchange: Exchange,
    { plugin, declaration: { cookies } }: RegisteredStep,
  ): Promise<Readonly<Record<string, string>>> {
    if (cookies === undefined) return NONE;
    const values: [string, string][] = [];
    for (const name of Object.keys(cookies)) {
      const encrypted = readCookie(exchange, cookieName(plugin.name, name));
      const payload =
        encrypted === undefined ? undefined : await this.#encryption.decrypt(exchange, TOKEN_TYPE, encrypted);
      if (payload?.cookie === cookieName(plugin.name, name)) values.push([name, String(payload.value)]);
    }
    return Object.fromEntries(values);
  }

  /**
   * Checks the cookies of an answer.
   * @throws HostError `provider_shape` if it sets an undeclared cookie or one that is too long
   */
  check(step: RegisteredStep, answer: AuthenticationStep): void {
    for (const [name, value] of Object.entries(cookiesOf(answer))) {
      if (!Object.hasOwn(step.declaration.cookies ?? {}, name))
        throw invalidAnswer(step, `set the cookie "${name}", which it does not declare`);
      if (value !== null && value.length > MAX_VALUE_LENGTH)
        throw invalidAnswer(step, `set the cookie "${name}" to more than ${MAX_VALUE_LENGTH} characters`);
    }
  }

  /** Sets the cookies of a checked answer. A null value clears the cookie. */
  async write(exchange: Exchange, { plugin, declaration }: RegisteredStep, answer: AuthenticationStep): Promise<void> {
    for (const [name, value] of Object.entries(cookiesOf(answer))) {
      const cookie = cookieName(plugin.name, name);
      const maxAge = declaration.cookies?.[name]?.maxAge ?? 0;
      if (value === null) clearCookie(exchange, cookie);
      else {
        const exp = Math.floor(this.#clock.now() / 1000) + maxAge;
        const payload = { iss: exchange.realm.issuer, exp, cookie, value };
        setCookie(exchange, cookie, await this.#encryption.encrypt(exchange, TOKEN_TYPE, payload), { maxAge });
      }
    }
  }
}

function cookiesOf(answer: AuthenticationStep): StepCookieValues {
  return ('cookies' in answer ? answer.cookies : undefined) ?? {};
}

/**
 * The name of the cookie in the browser, which differs from all cookies of the host. RFC 6265 forbids some characters
 * of plugin names.
 */
function cookieName(plugin: string, name: string): string {
  return `KEYHOST_STEP_${encodeURIComponent(plugin).replace(/[()]/g, '_')}_${name}`;
}

function invalidAnswer({ plugin, spi, id }: RegisteredStep, problem: string): HostError {
  return new HostError('provider_shape', `${plugin.name}: ${spi.id}/${id} ${problem}`);
}
