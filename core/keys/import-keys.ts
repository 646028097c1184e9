import type { RealmRepresentation } from '../model/representation.js';
import {
  isGeneratedKey,
  KEY_PROVIDER,
  keyOfComponent,
  PROVIDER_ID,
  requestedKey,
  requireKeyProvider,
} from './component-key.js';
import { DEFAULT_KEY_PRIORITY } from './default-keys.js';
import { KeyRefused } from './key-refused.js';
import type { KeyRecordDraft } from './key-ring.js';
import { type Config, readKey } from './read-key.js';

/** An invalid key in a realm representation. */
export interface KeyImportProblem {
  /** Its JSON path from the realm's root, for jsonc-parser's `findNodeAtLocation`. */
  readonly location: readonly (string | number)[];
  /** Names the component and the reason, without any part of the key. */
  readonly message: string;
  /** The word that was probably meant. */
  readonly suggestion?: string;
}

/** All invalid keys of a realm representation. */
export class KeyImportError extends Error {
  override readonly name = 'KeyImportError';
  readonly code = 'realm_keys_invalid';
  readonly problems: readonly KeyImportProblem[];

  constructor(problems: readonly KeyImportProblem[]) {
    super(problems.map(({ message }) => message).join('; '));
    this.problems = problems;
  }
}

/**
 * Imports the keys of a Keycloak export with their kids: the components of type `org.keycloak.keys.KeyProvider`, or if
 * there are none, the realm's own `privateKey` and `certificate` (RS256). Components without key material are left out,
 * because Keycloak too generates their keys on import.
 * @param now milliseconds: `createdAt` of the drafts
 * @param plugins IDs of the plugins' key providers; undefined: a component may name any provider
 * @throws KeyImportError with all invalid keys
 */
export function importRealmKeys(
  representation: RealmRepresentation,
  now: number,
  plugins?: readonly string[],
): KeyRecordDraft[] {
  const components = representation.components?.[KEY_PROVIDER] ?? [];
  const problems: KeyImportProblem[] = [];
  const drafts: KeyRecordDraft[] = [];
  const seen = new Map<string, string>();
  type Place = (key: string | undefined) => readonly (string | number)[];
  const take = (name: string, placeOf: Place, read: () => KeyRecordDraft | undefined) => {
    try {
      const draft = read();
      if (draft === undefined) return;
      const other = seen.get(draft.kid);
      if (other !== undefined) throw new KeyRefused(`it has the same kid as ${other}`);
      seen.set(draft.kid, name);
      drafts.push(draft);
    } catch (error) {
      if (!(error instanceof KeyRefused)) throw error;
      const { key, message, suggestion } = error;
      const problem = { location: placeOf(key), message: `${name}: ${message}` };
      problems.push(suggestion === undefined ? problem : { ...problem, suggestion });
    }
  };

  for (const [index, component] of components.entries()) {
    const name = `key component ${JSON.stringify(component.name ?? component.id ?? component.providerId)}`;
    const place = ['components', KEY_PROVIDER, index];
    const placeOf: Place = (key) =>
      key === PROVIDER_ID ? [...place, key] : [...place, 'config', ...(key ? [key] : [])];
    take(name, placeOf, () => {
      if (plugins !== undefined) requireKeyProvider(component, plugins);
      const brought = keyOfComponent(component, now);
      // Reject a key that cannot be generated now, instead of when the realm first needs it.
      if (brought === undefined && isGeneratedKey(component)) requestedKey(component);
      return brought;
    });
  }
  if (components.length === 0 && representation.privateKey !== undefined) {
    const { privateKey, certificate } = representation;
    const config: Config = (key) => ({ privateKey, certificate, priority: String(DEFAULT_KEY_PRIORITY) })[key];
    take(
      'key of the realm',
      (key) => (key === undefined ? [] : [key]),
      () => readKey({ config, algorithm: 'RS256', use: 'sig', field: 'privateKey', now }),
    );
  }
  if (problems.length > 0) throw new KeyImportError(problems);
  return drafts;
}
