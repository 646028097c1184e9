import { HostError, type Spi } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { RealmProvider, RealmProviders } from '../../model/realm-providers.js';
import { recentEntries } from '../../model/recent-entries.js';
import { codeOf } from '../../model/thrown.js';
import { createProvider, enabledProvider } from '../generations/realm-providers.js';
import type { ProviderRegistry } from '../generations/registry.js';
import { declaredMessage } from '../loading/plugin-messages.js';
import { inOwnSession } from './own-session.js';
import type { SessionFactory } from './session-factory.js';
import { tellFailedCall, toldReason } from './tell-failed-call.js';
import { within } from './time-limit.js';

/** Realms of a provider for which it is remembered why a call failed last. */
const REALMS_TOLD = 1000;

/** Calls of providers by rooms that the registry stands on. */
export class RealmProviderCalls implements RealmProviders {
  readonly #registry: ProviderRegistry;
  readonly #sessions: () => SessionFactory;
  /** What the log was told of providers that have failed since they last answered, by realm. What another plugin fails by is news. */
  readonly #told = new WeakMap<object, ReturnType<typeof recentEntries<string, string>>>();

  /** @param parts.sessions looked up with the first call: sessions are made of the rooms that call here */
  constructor(parts: { readonly registry: ProviderRegistry; readonly sessions: () => SessionFactory }) {
    this.#registry = parts.registry;
    this.#sessions = parts.sessions;
  }

  find<D, P>(realm: Realm, kind: Spi<D, P>, id: string): RealmProvider<D, P> | undefined {
    const enabled = enabledProvider(this.#registry.current, realm, kind, id);
    if (enabled === undefined) return undefined;
    const { declaration, plugin } = enabled.registered;
    const call = <T>(use: (provider: P) => Promise<T>, limitMs?: number) => this.#call(realm, kind, id, use, limitMs);
    const texts = (key: string) => declaredMessage(plugin, key).texts;
    return { id, declaration, builtin: plugin.builtin, plugin, texts, call };
  }

  all<D, P>(realm: Realm, kind: Spi<D, P>): readonly RealmProvider<D, P>[] {
    return this.#registry.all(kind).flatMap(({ id }) => this.find(realm, kind, id) ?? []);
  }

  async #call<D, P, T>(
    realm: Realm,
    kind: Spi<D, P>,
    id: string,
    use: (provider: P) => Promise<T>,
    limitMs?: number,
  ): Promise<T> {
    // Looked up once more: its plugin may have been replaced since.
    const plugin = this.#registry.find(kind, id)?.plugin.name ?? 'keyhost';
    const parts = { registry: this.#registry, sessions: this.#sessions() };
    return inOwnSession(parts, realm, plugin, async (session) => {
      const enabled = enabledProvider(session.generation, realm, kind, id);
      if (enabled === undefined) throw new HostError('provider_not_found', `${kind.id} "${id}" not found`);
      try {
        const asked = () => session.limited(use(createProvider(enabled, session)));
        const answer = await (limitMs === undefined ? asked() : within(limitMs, asked));
        this.#told.get(enabled.registered)?.delete(realm.name);
        return answer;
      } catch (error) {
        if (this.#isNews(enabled.registered, realm, error)) {
          tellFailedCall(this.#sessions().logger, enabled.registered, realm, error);
        }
        throw error;
      }
    });
  }

  /** Each request may run into it: what is said again is told once. */
  #isNews(registered: object, realm: Realm, error: unknown): boolean {
    const told = this.#told.get(registered) ?? recentEntries<string, string>(REALMS_TOLD);
    this.#told.set(registered, told);
    // Of several calls within one time each has another limit.
    const reason = codeOf(error) === 'time_limit' ? 'time_limit' : toldReason(error);
    if (told.get(realm.name) === reason) return false;
    told.set(realm.name, reason);
    return true;
  }
}
