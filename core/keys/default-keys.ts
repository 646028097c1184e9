import type { ComponentRepresentation } from '../model/representation.js';
import { codeOf } from '../model/thrown.js';
import type { RealmStore } from '../store/store.js';
import { askedKey, isGeneratedKey, KEY_PROVIDER } from './component-key.js';

/** Priority of the keys that a realm has from the beginning, as in Keycloak. */
export const DEFAULT_KEY_PRIORITY = 100;
/** Priority of a key that was made because one was needed and no component stood for it: any other comes before it. */
export const FALLBACK_KEY_PRIORITY = -100;

const priority = [String(DEFAULT_KEY_PRIORITY)];

/** The key components of a realm that says nothing of them, as in Keycloak. */
const DEFAULT_KEY_COMPONENTS: readonly ComponentRepresentation[] = [
  { name: 'rsa-generated', providerId: 'rsa-generated', config: { priority, algorithm: ['RS256'] } },
  { name: 'rsa-enc-generated', providerId: 'rsa-enc-generated', config: { priority, algorithm: ['RSA-OAEP'] } },
  { name: 'hmac-generated-hs512', providerId: 'hmac-generated', config: { priority, algorithm: ['HS512'] } },
  { name: 'aes-generated', providerId: 'aes-generated', config: { priority } },
];

/** Reads the key components of a realm as it is stored, for `KeyRing`; undefined when it says nothing of them. */
export function keyComponentsOf(realms: Pick<RealmStore, 'get'>) {
  return async (realm: string): Promise<readonly ComponentRepresentation[] | undefined> =>
    (await realms.get(realm))?.representation.components?.[KEY_PROVIDER];
}

/** A key that a realm is to have. */
export interface WantedKey {
  readonly component: ComponentRepresentation;
  readonly use: 'sig' | 'enc';
  readonly algorithm: string;
}

/**
 * The active keys that the components of a realm ask for without bringing or naming one. They are made when they are first
 * used or looked at, not before: a realm of many costs nothing until then.
 * @param components the realm's own; undefined when it says nothing of them
 * @param has whether a key of that kid is there
 */
export function wantedKeys(
  components: readonly ComponentRepresentation[] | undefined,
  has: (kid: string) => boolean = () => false,
): readonly WantedKey[] {
  return (components ?? DEFAULT_KEY_COMPONENTS).flatMap((component) => {
    const kid = component.config?.kid?.[0];
    if (!isOfRealm(component) || !isGeneratedKey(component) || (kid !== undefined && has(kid))) return [];
    try {
      const { use, algorithm, state } = askedKey(component) ?? {};
      const isAsked = use !== undefined && algorithm !== undefined && state?.status === 'ACTIVE';
      return isAsked ? [{ component, use, algorithm }] : [];
    } catch (error) {
      // A key that cannot be made is not asked for. Realms of older versions have such components; the check of realm files refuses them.
      if (codeOf(error) === 'key_refused') return [];
      throw error;
    }
  });
}

/** False for a component whose parent is neither the realm nor another component: in Keycloak it is kept, and nothing uses it. */
export function isOfRealm({ parentId }: ComponentRepresentation): boolean {
  return parentId === undefined;
}
