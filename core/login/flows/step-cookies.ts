import { type AuthenticationStep, type AuthenticatorDeclaration, HostError, type StepCookieValues } from '@keyhost/spi';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.js';
import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';

/** Seals what a browser carries, and opens it again. */
type Seals = Pick<BrowserSessions, 'encrypted' | 'decrypted'>;
type Step = Pick<RegisteredProvider<AuthenticatorDeclaration, unknown>, 'id' | 'plugin' | 'spi' | 'declaration'>;

const TYPE = 'Step-Cookie';
const NONE: Readonly<Record<string, string>> = Object.freeze({});
/** Characters of a value: browsers keep cookies of some 4,000, and a sealed one is about half as long again. */
const LONGEST = 1000;

/**
 * The cookies that plugins' steps keep in the browser: sealed, so that nobody else reads or writes them, and of one realm and one
 * plugin, whose steps and conditions share them.
 */
export class StepCookies {
  readonly #seals: Seals;
  readonly #clock: Clock;

  constructor({ seals, clock }: { readonly seals: Seals; readonly clock: Clock }) {
    this.#seals = seals;
    this.#clock = clock;
  }

  /** Those of the step's plugin that the browser has, by the names that it declares. */
  async read(
    exchange: Exchange,
    { plugin, declaration: { cookies } }: Step,
  ): Promise<Readonly<Record<string, string>>> {
    if (cookies === undefined) return NONE;
    const found: [string, string][] = [];
    for (const name of Object.keys(cookies)) {
      const sealed = readCookie(exchange, cookieName(plugin.name, name));
      const opened = sealed === undefined ? undefined : await this.#seals.decrypted(exchange, TYPE, sealed);
      if (opened?.cookie === cookieName(plugin.name, name)) found.push([name, String(opened.value)]);
    }
    return Object.fromEntries(found);
  }

  /** @throws HostError `provider_shape` where the answer sets what the step did not declare, or too much */
  check(step: Step, answer: AuthenticationStep): void {
    for (const [name, value] of Object.entries(setBy(answer))) {
      if (!Object.hasOwn(step.declaration.cookies ?? {}, name))
        throw wrong(step, `set the cookie "${name}", which it does not declare`);
      if (value !== null && value.length > LONGEST)
        throw wrong(step, `set the cookie "${name}" to more than ${LONGEST} characters`);
    }
  }

  /** Sets those of an answer that was checked, and takes away what is null. */
  async write(exchange: Exchange, { plugin, declaration }: Step, answer: AuthenticationStep): Promise<void> {
    for (const [name, value] of Object.entries(setBy(answer))) {
      const cookie = cookieName(plugin.name, name);
      const maxAge = declaration.cookies?.[name]?.maxAge ?? 0;
      if (value === null) clearCookie(exchange, cookie);
      else {
        const exp = Math.floor(this.#clock.now() / 1000) + maxAge;
        const payload = { iss: exchange.realm.issuer, exp, cookie, value };
        setCookie(exchange, cookie, await this.#seals.encrypted(exchange, TYPE, payload), { maxAge });
      }
    }
  }
}

function setBy(answer: AuthenticationStep): StepCookieValues {
  return ('cookies' in answer ? answer.cookies : undefined) ?? {};
}

/** No cookie of the host has such a name. RFC 6265 has no place for some characters of a plugin's name. */
function cookieName(plugin: string, name: string): string {
  return `KEYHOST_STEP_${encodeURIComponent(plugin).replace(/[()]/g, '_')}_${name}`;
}

function wrong({ plugin, spi, id }: Step, what: string): HostError {
  return new HostError('provider_shape', `${plugin.name}: ${spi.id}/${id} ${what}`);
}
