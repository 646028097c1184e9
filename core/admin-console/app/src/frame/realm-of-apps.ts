import { useQuery } from '@tanstack/react-query';
import { realmNames } from '../api/realms.ts';
import { useShownRealm } from './shown-realm.ts';

const MASTER = 'master';

/** The realm for new apps: the shown one. In place of `master`, which is for administration, the first other realm. */
export function useRealmOfApps(): string {
  const shown = useShownRealm();
  const { data } = useQuery({ ...realmNames('', 0, 2), enabled: shown === MASTER });
  if (shown !== MASTER) return shown;
  return data?.find(({ name }) => name !== MASTER)?.name ?? MASTER;
}
