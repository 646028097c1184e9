import { useQuery } from '@tanstack/react-query';
import { type KeyComponent, type KeyUse, keyComponentsOf, keysOf, keyUsesOf, type RealmKey } from '../../api/keys.ts';

/** The keys of a realm with their components and uses, which pages show together. */
export function useRealmKeys(realm: string) {
  const query = useQuery(keysOf(realm));
  const { data: uses = [] } = useQuery(keyUsesOf(realm));
  const { data: components = [] } = useQuery(keyComponentsOf(realm));
  return {
    query,
    findUse: ({ algorithm }: RealmKey): KeyUse | undefined => uses.find((use) => use.algorithm === algorithm),
    componentOf: ({ providerId }: RealmKey): KeyComponent | undefined => components.find(({ id }) => id === providerId),
  };
}
