import type { HostPlugin } from '../../api/plugins.ts';
import { useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { texts } from './texts.ts';

/** Represents every realm but master. */
const EVERY_REALM = '*';

/** The rights that a plugin needs, with the reasons, and the realms in which the operator grants them. */
export function Rights({ plugin: { needs = {}, grants = {} } }: { plugin: HostPlugin }) {
  const told = useTexts(texts);
  const granted = Object.values(grants).flat();
  const rights = [...new Set([...Object.keys(needs), ...granted])];
  if (rights.length === 0) return null;
  const columns: readonly Column<string>[] = [
    { title: told.right, show: (right) => <code>{right}</code> },
    { title: told.reason, show: (right) => needs[right] ?? told.notNeeded },
    {
      title: told.grantedIn,
      show: (right) => {
        const realms = Object.keys(grants).filter((realm) => grants[realm]?.includes(right));
        return realms.length === 0
          ? told.nowhere
          : realms.map((realm) => (realm === EVERY_REALM ? told.everyRealm : realm)).join(', ');
      },
    },
  ];
  return (
    <section>
      <h2>{told.rights}</h2>
      <p className="help section-lead">{told.rightsLead}</p>
      <DataTable caption={told.rights} columns={columns} rows={rights} keyOf={(right) => right} />
    </section>
  );
}
