import { isDeepStrictEqual } from 'node:util';
import type { ProvidedKey } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import type { Store } from '../../store/store.js';

/** Namespace of the stored public halves. No plugin can have this name. */
const NAMESPACE = '/provided-keys';

interface Remembered {
  readonly settings: object;
  readonly keys: readonly ProvidedKey[];
}

/** The last known public halves of the realms' components, in the store. */
export class StoredPublicKeys {
  readonly #store: Pick<Store, 'entries' | 'withoutEvents' | 'unfenced'>;
  readonly #clock: Clock;

  constructor(parts: { readonly store: Pick<Store, 'entries' | 'withoutEvents' | 'unfenced'>; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Ignores keys that were stored with other settings of the component. @returns undefined if none are known */
  async of(realm: string, component: ComponentRepresentation): Promise<readonly ProvidedKey[] | undefined> {
    const text = await this.#store.entries.get({ ...entryOf(realm, component), now: this.#clock.now() });
    if (text === undefined) return undefined;
    const { settings, keys } = JSON.parse(text) as Remembered;
    return isDeepStrictEqual(settings, settingsOf(component)) ? keys : undefined;
  }

  async remember(realm: string, component: ComponentRepresentation, keys: readonly ProvidedKey[]): Promise<void> {
    const value = JSON.stringify({ settings: settingsOf(component), keys } satisfies Remembered);
    const entry = { ...entryOf(realm, component), value };
    // The caller may be inside a change, and its event does not belong to this write.
    await this.#store.unfenced(() => this.#store.withoutEvents(() => this.#store.entries.put(entry)));
  }
}

/** The component's name in the log and in the store. */
export function nameOfComponent({ id, name, providerId }: ComponentRepresentation): string {
  return id ?? name ?? providerId;
}

function entryOf(realm: string, component: ComponentRepresentation) {
  return { realm, namespace: NAMESPACE, key: nameOfComponent(component) };
}

/** The settings that determine a component's keys: its provider and its config, except the keys' state. */
function settingsOf({ providerId, config = {} }: ComponentRepresentation): object {
  const { priority: _, enabled: __, active: ___, ...settings } = config;
  return { providerId, settings };
}
