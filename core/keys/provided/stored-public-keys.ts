import { isDeepStrictEqual } from 'node:util';
import type { ProvidedKey } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import type { Store } from '../../store/store.js';

/** The namespace in the store. No plugin can have this name. */
const NAMESPACE = '/provided-keys';

interface StoredKeys {
  readonly settings: object;
  readonly keys: readonly ProvidedKey[];
}

/** Stores the last known public halves of the keys of components. */
export class StoredPublicKeys {
  readonly #parts: { readonly store: Pick<Store, 'entries' | 'withoutEvents' | 'unfenced'>; readonly clock: Clock };

  constructor(parts: { readonly store: Pick<Store, 'entries' | 'withoutEvents' | 'unfenced'>; readonly clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * The last known keys of a component. Undefined if none are known, or if they were stored with other settings of the
   * component.
   */
  async of(realm: string, component: ComponentRepresentation): Promise<readonly ProvidedKey[] | undefined> {
    const text = await this.#parts.store.entries.get({ ...entryKey(realm, component), now: this.#parts.clock.now() });
    if (text === undefined) return undefined;
    const { settings, keys } = JSON.parse(text) as StoredKeys;
    return isDeepStrictEqual(settings, settingsOf(component)) ? keys : undefined;
  }

  async save(realm: string, component: ComponentRepresentation, keys: readonly ProvidedKey[]): Promise<void> {
    const value = JSON.stringify({ settings: settingsOf(component), keys } satisfies StoredKeys);
    const entry = { ...entryKey(realm, component), value };
    // The caller may be inside a change whose event does not belong to this write.
    await this.#parts.store.unfenced(() => this.#parts.store.withoutEvents(() => this.#parts.store.entries.put(entry)));
  }
}

/** The component's name in the log and in the store. */
export function nameOfComponent({ id, name, providerId }: ComponentRepresentation): string {
  return id ?? name ?? providerId;
}

function entryKey(realm: string, component: ComponentRepresentation) {
  return { realm, namespace: NAMESPACE, key: nameOfComponent(component) };
}

/** The settings on which a component's keys depend: its provider and its config, except the state of the keys. */
function settingsOf({ providerId, config = {} }: ComponentRepresentation): object {
  const { priority: _, enabled: __, active: ___, ...settings } = config;
  return { providerId, settings };
}
