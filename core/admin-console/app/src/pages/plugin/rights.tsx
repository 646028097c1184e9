import type { HostPlugin } from '../../api/plugins.ts';
import { useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { texts } from './texts.ts';

/** Represents every realm but master. */
const EVERY_REALM = '*';

/** The rights that a plugin needs, with the reasons, and the realms in which the operator grants them. */
export function Rights({ plugin: { needs = {}, grants = {} } }: { plugin: HostPlugin }) {
  const strings = useTexts(texts);
  const granted = Object.values(grants).flat();
  const rights = [...new Set([...Object.keys(needs), ...granted])];
  if (rights.length === 0) return null;
  const columns: readonly Column<string>[] = [
    { title: strings.right, show: (right) => <code>{right}</code> },
    { title: strings.reason, show: (right) => needs[right] ?? strings.notNeeded },
    {
      title: strings.grantedIn,
      show: (right) => {
        const realms = Object.keys(grants).filter((realm) => grants[realm]?.includes(right));
        return realms.length === 0
          ? strings.nowhere
          : realms.map((realm) => (realm === EVERY_REALM ? strings.everyRealm : realm)).join(', ');
      },
    },
  ];
  return (
    <section>
      <h2>{strings.rights}</h2>
      <p className="help section-lead">{strings.rightsLead}</p>
      <DataTable caption={strings.rights} columns={columns} rows={rights} keyOf={(right) => right} />
    </section>
  );
}
