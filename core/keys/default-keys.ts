import type { ComponentRepresentation } from '../model/representation.js';
import { codeOf } from '../model/thrown.js';
import type { RealmStore } from '../store/store.js';
import { isGeneratedKey, KEY_PROVIDER, requestedKey } from './component-key.js';

/** Priority of a realm's default keys, as in Keycloak. */
export const DEFAULT_KEY_PRIORITY = 100;
/** Priority of a key that was generated on demand although no component requests it: lower than all others. */
export const FALLBACK_KEY_PRIORITY = -100;

const priority = [String(DEFAULT_KEY_PRIORITY)];

/** The key components of a realm that defines none, as in Keycloak. */
const DEFAULT_KEY_COMPONENTS: readonly ComponentRepresentation[] = [
  { name: 'rsa-generated', providerId: 'rsa-generated', config: { priority, algorithm: ['RS256'] } },
  { name: 'rsa-enc-generated', providerId: 'rsa-enc-generated', config: { priority, algorithm: ['RSA-OAEP'] } },
  { name: 'hmac-generated-hs512', providerId: 'hmac-generated', config: { priority, algorithm: ['HS512'] } },
  { name: 'aes-generated', providerId: 'aes-generated', config: { priority } },
];

/**
 * Returns a function that reads the key components of a stored realm, for `KeyRing`. It resolves to undefined if the
 * realm defines none.
 */
export function keyComponentsOf(realms: Pick<RealmStore, 'get'>) {
  return async (realm: string): Promise<readonly ComponentRepresentation[] | undefined> =>
    (await realms.get(realm))?.representation.components?.[KEY_PROVIDER];
}

/** A key that is yet to be generated. */
export interface KeyToGenerate {
  readonly component: ComponentRepresentation;
  readonly use: 'sig' | 'enc';
  readonly algorithm: string;
}

/**
 * The active keys that a realm's components request but that do not exist yet. They are generated when they are first
 * used or listed, so that an unused realm costs nothing.
 * @param components the realm's own; undefined if it defines none
 * @param has whether a key with this kid exists
 */
export function keysToGenerate(
  components: readonly ComponentRepresentation[] | undefined,
  has: (kid: string) => boolean = () => false,
): readonly KeyToGenerate[] {
  return (components ?? DEFAULT_KEY_COMPONENTS).flatMap((component) => {
    const kid = component.config?.kid?.[0];
    if (!isOfRealm(component) || !isGeneratedKey(component) || (kid !== undefined && has(kid))) return [];
    try {
      const { use, algorithm, state } = requestedKey(component) ?? {};
      const isRequested = use !== undefined && algorithm !== undefined && state?.status === 'ACTIVE';
      return isRequested ? [{ component, use, algorithm }] : [];
    } catch (error) {
      // A key that cannot be generated is skipped. Realms of older versions have such components; the check of realm
      // files rejects them.
      if (codeOf(error) === 'key_refused') return [];
      throw error;
    }
  });
}

/**
 * False if the component's parent is neither the realm nor another component. As in Keycloak, it is then stored but
 * unused.
 */
export function isOfRealm({ parentId }: ComponentRepresentation): boolean {
  return parentId === undefined;
}
