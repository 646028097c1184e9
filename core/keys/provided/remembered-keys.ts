import { isDeepStrictEqual } from 'node:util';
import type { ProvidedKey } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import type { EntryStore } from '../../store/store.js';

/** No plugin has such a name. */
const NAMESPACE = '/provided-keys';

export interface RememberedKeysParts {
  readonly entries: Pick<EntryStore, 'get' | 'put'>;
  readonly clock: Clock;
}

/** What plugins said last of the keys that they keep for realms: in the store, without a private half. */
export class RememberedKeys {
  readonly #parts: RememberedKeysParts;

  constructor(parts: RememberedKeysParts) {
    this.#parts = parts;
  }

  /** Keys that the component had with other settings are none of it. @returns undefined where none is known */
  async of(realm: string, component: ComponentRepresentation): Promise<readonly ProvidedKey[] | undefined> {
    const { entries, clock } = this.#parts;
    const text = await entries.get({ ...entryOf(realm, component), now: clock.now() });
    if (text === undefined) return undefined;
    const { settings, keys } = JSON.parse(text) as { settings: object; keys: ProvidedKey[] };
    return isDeepStrictEqual(settings, settingsOf(component)) ? keys : undefined;
  }

  async put(realm: string, component: ComponentRepresentation, keys: readonly ProvidedKey[]): Promise<void> {
    const value = JSON.stringify({ settings: settingsOf(component), keys });
    await this.#parts.entries.put({ ...entryOf(realm, component), value });
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
function settingsOf({ providerId, config }: ComponentRepresentation) {
  const { priority: _, enabled: __, active: ___, ...settings } = config ?? {};
  return { providerId, settings };
}
