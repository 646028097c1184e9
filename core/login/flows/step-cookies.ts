import { type AuthenticationStep, type AuthenticatorDeclaration, HostError, type StepCookieValues } from '@keyhost/spi';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.js';
import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';

/** Encrypts and decrypts the values of cookies. */
type CookieEncryption = Pick<BrowserSessions, 'encrypt' | 'decrypt'>;
type Step = Pick<RegisteredProvider<AuthenticatorDeclaration, unknown>, 'id' | 'plugin' | 'spi' | 'declaration'>;

const TYPE = 'Step-Cookie';
const NONE: Readonly<Record<string, string>> = Object.freeze({});
/** Maximum length of a value in characters: encryption adds about half, and browsers limit cookies to about 4,000. */
const LONGEST = 1000;

/**
 * Cookies that plugin steps store in the browser. They are encrypted and bound to one realm and one plugin, whose steps
 * and conditions share them.
 */
export class StepCookies {
  readonly #seals: CookieEncryption;
  readonly #clock: Clock;

  constructor({ seals, clock }: { readonly seals: CookieEncryption; readonly clock: Clock }) {
    this.#seals = seals;
    this.#clock = clock;
  }

  /** The cookies that the step's plugin declares and the browser sent. */
  async read(
    exchange: Exchange,
    { plugin, declaration: { cookies } }: Step,
  ): Promise<Readonly<Record<string, string>>> {
    if (cookies === undefined) return NONE;
    const found: [string, string][] = [];
    for (const name of Object.keys(cookies)) {
      const sealed = readCookie(exchange, cookieName(plugin.name, name));
      const opened = sealed === undefined ? undefined : await this.#seals.decrypt(exchange, TYPE, sealed);
      if (opened?.cookie === cookieName(plugin.name, name)) found.push([name, String(opened.value)]);
    }
    return Object.fromEntries(found);
  }

  /** @throws HostError `provider_shape` if the answer sets an undeclared cookie or one that is too long */
  check(step: Step, answer: AuthenticationStep): void {
    for (const [name, value] of Object.entries(setBy(answer))) {
      if (!Object.hasOwn(step.declaration.cookies ?? {}, name))
        throw wrong(step, `set the cookie "${name}", which it does not declare`);
      if (value !== null && value.length > LONGEST)
        throw wrong(step, `set the cookie "${name}" to more than ${LONGEST} characters`);
    }
  }

  /** Sets the cookies of a checked answer, and clears those that are null. */
  async write(exchange: Exchange, { plugin, declaration }: Step, answer: AuthenticationStep): Promise<void> {
    for (const [name, value] of Object.entries(setBy(answer))) {
      const cookie = cookieName(plugin.name, name);
      const maxAge = declaration.cookies?.[name]?.maxAge ?? 0;
      if (value === null) clearCookie(exchange, cookie);
      else {
        const exp = Math.floor(this.#clock.now() / 1000) + maxAge;
        const payload = { iss: exchange.realm.issuer, exp, cookie, value };
        setCookie(exchange, cookie, await this.#seals.encrypt(exchange, TYPE, payload), { maxAge });
      }
    }
  }
}

function setBy(answer: AuthenticationStep): StepCookieValues {
  return ('cookies' in answer ? answer.cookies : undefined) ?? {};
}

/** A name that no cookie of the host has. RFC 6265 forbids some characters of plugin names. */
function cookieName(plugin: string, name: string): string {
  return `KEYHOST_STEP_${encodeURIComponent(plugin).replace(/[()]/g, '_')}_${name}`;
}

function wrong({ plugin, spi, id }: Step, what: string): HostError {
  return new HostError('provider_shape', `${plugin.name}: ${spi.id}/${id} ${what}`);
}
