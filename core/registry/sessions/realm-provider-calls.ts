import { HostError, type Spi } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { RealmProvider, RealmProviders } from '../../model/realm-providers.js';
import { recentEntries } from '../../model/recent-entries.js';
import { codeOf } from '../../model/thrown.js';
import { createProvider, enabledProvider } from '../generations/realm-providers.js';
import type { ProviderRegistry } from '../generations/registry.js';
import { declaredMessage } from '../loading/plugin-messages.js';
import { logFailedCall, shortenReason } from './log-failed-call.js';
import type { SessionFactory } from './session-factory.js';
import { within } from './time-limit.js';
import { withHostSession } from './with-host-session.js';

/** Maximum number of realms per provider for which the last logged failure is remembered. */
const MAX_LOGGED_REALMS = 1000;

/** Lets modules on which the registry depends call providers. */
export class RealmProviderCalls implements RealmProviders {
  readonly #parts: { readonly registry: ProviderRegistry; readonly sessions: () => SessionFactory };
  /**
   * The last logged failure by realm, for providers that have failed since their last success. It is keyed by the
   * registered provider, so that the failure of another plugin is logged again.
   */
  readonly #loggedReasons = new WeakMap<object, ReturnType<typeof recentEntries<string, string>>>();

  /**
   * @param parts.sessions returns the factory. It is first called with the first provider call, because sessions depend
   * on the modules that call here
   */
  constructor(parts: { readonly registry: ProviderRegistry; readonly sessions: () => SessionFactory }) {
    this.#parts = parts;
  }

  find<D, P>(realm: Realm, spi: Spi<D, P>, id: string): RealmProvider<D, P> | undefined {
    const provider = enabledProvider(this.#parts.registry.current, realm, spi, id);
    if (provider === undefined) return undefined;
    const { declaration, plugin } = provider.registered;
    const call = <T>(use: (provider: P) => Promise<T>, limitMs?: number) => this.#call(realm, spi, id, use, limitMs);
    const texts = (key: string) => declaredMessage(plugin, key).texts;
    return { id, declaration, builtin: plugin.builtin, plugin, texts, call };
  }

  all<D, P>(realm: Realm, spi: Spi<D, P>): readonly RealmProvider<D, P>[] {
    return this.#parts.registry.all(spi).flatMap(({ id }) => this.find(realm, spi, id) ?? []);
  }

  async #call<D, P, T>(
    realm: Realm,
    spi: Spi<D, P>,
    id: string,
    use: (provider: P) => Promise<T>,
    limitMs?: number,
  ): Promise<T> {
    // Look it up again: its plugin may have been replaced since.
    const plugin = this.#parts.registry.find(spi, id)?.plugin.name ?? 'keyhost';
    const parts = { registry: this.#parts.registry, sessions: this.#parts.sessions() };
    return withHostSession(parts, realm, plugin, async (session) => {
      const enabled = enabledProvider(session.generation, realm, spi, id);
      if (enabled === undefined) throw new HostError('provider_not_found', `${spi.id} "${id}" not found`);
      try {
        const callProvider = () => session.withTimeLimit(use(createProvider(enabled, session)));
        const answer = await (limitMs === undefined ? callProvider() : within(limitMs, callProvider));
        this.#loggedReasons.get(enabled.registered)?.delete(realm.name);
        return answer;
      } catch (error) {
        if (this.#isNewFailure(enabled.registered, realm, error)) {
          logFailedCall(this.#parts.sessions().logger, enabled.registered, realm, error);
        }
        throw error;
      }
    });
  }

  /** True if this failure is not logged yet. It is logged once, because each request may cause it again. */
  #isNewFailure(registeredProvider: object, realm: Realm, error: unknown): boolean {
    const loggedReasons =
      this.#loggedReasons.get(registeredProvider) ?? recentEntries<string, string>(MAX_LOGGED_REALMS);
    this.#loggedReasons.set(registeredProvider, loggedReasons);
    // The time in a timeout's message differs between concurrent calls, so compare the code.
    const reason = codeOf(error) === 'time_limit' ? 'time_limit' : shortenReason(error);
    if (loggedReasons.get(realm.name) === reason) return false;
    loggedReasons.set(realm.name, reason);
    return true;
  }
}
