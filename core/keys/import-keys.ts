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
  /** The JSON path of the key from the realm's root, for jsonc-parser's `findNodeAtLocation`. */
  readonly location: readonly (string | number)[];
  /** Contains the component and the reason, but no part of the key. */
  readonly message: string;
  /** The word that was probably meant. */
  readonly suggestion?: string;
}

/** Thrown with all invalid keys of a realm representation. */
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
 * Imports the keys of a Keycloak export with their kids. These are the components of type
 * `org.keycloak.keys.KeyProvider`. If there are none, it is the realm's own `privateKey` and `certificate` (RS256).
 * Components without key material are skipped, because Keycloak also generates their keys on import.
 * @param now milliseconds since the epoch, for `createdAt` of the drafts
 * @param plugins IDs of the plugins' key providers; undefined: a component may have any provider
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
  const namesByKid = new Map<string, string>();
  type PathOf = (key: string | undefined) => readonly (string | number)[];
  const importKey = (name: string, pathOf: PathOf, readDraft: () => KeyRecordDraft | undefined) => {
    try {
      const draft = readDraft();
      if (draft === undefined) return;
      const previous = namesByKid.get(draft.kid);
      if (previous !== undefined) throw new KeyRefused(`it has the same kid as ${previous}`);
      namesByKid.set(draft.kid, name);
      drafts.push(draft);
    } catch (error) {
      if (!(error instanceof KeyRefused)) throw error;
      const { key, message, suggestion } = error;
      const problem = { location: pathOf(key), message: `${name}: ${message}` };
      problems.push(suggestion === undefined ? problem : { ...problem, suggestion });
    }
  };

  for (const [index, component] of components.entries()) {
    const name = `key component ${JSON.stringify(component.name ?? component.id ?? component.providerId)}`;
    const componentPath = ['components', KEY_PROVIDER, index];
    const pathOf: PathOf = (key) =>
      key === PROVIDER_ID ? [...componentPath, key] : [...componentPath, 'config', ...(key ? [key] : [])];
    importKey(name, pathOf, () => {
      if (plugins !== undefined) requireKeyProvider(component, plugins);
      const draft = keyOfComponent(component, now);
      // If the key can never be generated, reject it now instead of at its first use.
      if (draft === undefined && isGeneratedKey(component)) requestedKey(component);
      return draft;
    });
  }
  if (components.length === 0 && representation.privateKey !== undefined) {
    const { privateKey, certificate } = representation;
    const config: Config = (key) => ({ privateKey, certificate, priority: String(DEFAULT_KEY_PRIORITY) })[key];
    importKey(
      'key of the realm',
      (key) => (key === undefined ? [] : [key]),
      () => readKey({ config, algorithm: 'RS256', use: 'sig', field: 'privateKey', now }),
    );
  }
  if (problems.length > 0) throw new KeyImportError(problems);
  return drafts;
}
