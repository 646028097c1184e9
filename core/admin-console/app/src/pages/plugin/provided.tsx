import type { HostPlugin } from '../../api/plugins.ts';
import { countsOf } from '../../api/providers.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { meanOf } from '../../parts/call-ends.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { texts } from './texts.ts';

type Brought = HostPlugin['providers'][number];

/** The providers of the plugin, with their calls in all realms. */
export function Provided({ plugin: { providers } }: { plugin: HostPlugin }) {
  const told = useTexts(texts);
  const { language, messages } = useLanguage();
  const columns: readonly Column<Brought>[] = [
    { title: told.provider, show: ({ id }) => id },
    { title: told.kind, isMinor: true, show: ({ spi }) => spi },
    { title: told.realms, isNumber: true, show: ({ realms }) => realms },
    { title: told.calls, isNumber: true, show: ({ calls }) => countsOf(calls).calls },
    { title: told.failed, isNumber: true, show: ({ calls }) => countsOf(calls).failed },
    {
      title: told.mean,
      isNumber: true,
      isMinor: true,
      show: ({ calls }) => {
        const mean = meanOf(calls, language);
        return mean === undefined ? messages.none : told.milliseconds(mean);
      },
    },
  ];
  return (
    <section>
      <h2>{told.providers}</h2>
      {providers.length === 0 ? (
        <p className="nothing">{told.noProviders}</p>
      ) : (
        <DataTable
          caption={told.providers}
          columns={columns}
          rows={providers}
          keyOf={({ spi, id }) => `${spi}/${id}`}
        />
      )}
    </section>
  );
}
