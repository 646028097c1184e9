import { isDeepStrictEqual } from 'node:util';
import type { ProvidedKey } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import type { Store } from '../../store/store.js';

/** Of the entries that remember public halves. No plugin has such a name. */
const NAMESPACE = '/provided-keys';

interface Remembered {
  readonly settings: object;
  readonly keys: readonly ProvidedKey[];
}

/** The public halves that the components of realms had last, in the store. */
export class RememberedKeys {
  readonly #store: Pick<Store, 'entries' | 'apart' | 'unfenced'>;
  readonly #clock: Clock;

  constructor(parts: { readonly store: Pick<Store, 'entries' | 'apart' | 'unfenced'>; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Keys that the component had with other settings are none of it. @returns undefined where none is known */
  async of(realm: string, component: ComponentRepresentation): Promise<readonly ProvidedKey[] | undefined> {
    const text = await this.#store.entries.get({ ...entryOf(realm, component), now: this.#clock.now() });
    if (text === undefined) return undefined;
    const { settings, keys } = JSON.parse(text) as Remembered;
    return isDeepStrictEqual(settings, settingsOf(component)) ? keys : undefined;
  }

  async remember(realm: string, component: ComponentRepresentation, keys: readonly ProvidedKey[]): Promise<void> {
    const value = JSON.stringify({ settings: settingsOf(component), keys } satisfies Remembered);
    const entry = { ...entryOf(realm, component), value };
    // Whoever needs the keys may be in the middle of a change, whose event this is not.
    await this.#store.unfenced(() => this.#store.apart(() => this.#store.entries.put(entry)));
  }
}

/** What the log and the store call a component. */
export function nameOfComponent({ id, name, providerId }: ComponentRepresentation): string {
  return id ?? name ?? providerId;
}

function entryOf(realm: string, component: ComponentRepresentation) {
  return { realm, namespace: NAMESPACE, key: nameOfComponent(component) };
}

/** Which keys a component stands for: its provider, and what it says besides their state. */
function settingsOf({ providerId, config = {} }: ComponentRepresentation): object {
  const { priority: _, enabled: __, active: ___, ...settings } = config;
  return { providerId, settings };
}
