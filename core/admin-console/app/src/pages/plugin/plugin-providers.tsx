import type { HostPlugin } from '../../api/plugins.ts';
import { countsOf } from '../../api/providers.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { meanOf } from '../../parts/call-ends.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { texts } from './texts.ts';

type PluginProvider = HostPlugin['providers'][number];

/** The providers of the plugin, with their calls in all realms. */
export function PluginProviders({ plugin: { providers } }: { plugin: HostPlugin }) {
  const strings = useTexts(texts);
  const { language, messages } = useLanguage();
  const columns: readonly Column<PluginProvider>[] = [
    { title: strings.provider, show: ({ id }) => id },
    { title: strings.kind, isMinor: true, show: ({ spi }) => spi },
    { title: strings.realms, isNumber: true, show: ({ realms }) => realms },
    { title: strings.calls, isNumber: true, show: ({ calls }) => countsOf(calls).calls },
    { title: strings.failed, isNumber: true, show: ({ calls }) => countsOf(calls).failed },
    {
      title: strings.mean,
      isNumber: true,
      isMinor: true,
      show: ({ calls }) => {
        const mean = meanOf(calls, language);
        return mean === undefined ? messages.none : strings.milliseconds(mean);
      },
    },
  ];
  return (
    <section>
      <h2>{strings.providers}</h2>
      {providers.length === 0 ? (
        <p className="nothing">{strings.noProviders}</p>
      ) : (
        <DataTable
          caption={strings.providers}
          columns={columns}
          rows={providers}
          keyOf={({ spi, id }) => `${spi}/${id}`}
        />
      )}
    </section>
  );
}
