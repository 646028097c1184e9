import type { FlowUse } from '../../api/providers.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { texts } from './texts.ts';

/** The steps of the realm's flows that use the provider. */
export function FlowUses({ uses }: { uses: readonly FlowUse[] }) {
  const strings = useTexts(texts);
  const { none } = useMessages();
  const requirements: Readonly<Record<string, string>> = strings.requirements;
  const columns: readonly Column<FlowUse>[] = [
    { title: strings.flow, show: ({ flow }) => flow },
    { title: strings.subflow, show: ({ subflow }) => subflow ?? none },
    { title: strings.requirement, show: ({ requirement }) => requirements[requirement] ?? requirement },
  ];
  return (
    <section>
      <h2>{strings.uses}</h2>
      {uses.length === 0 ? (
        <p className="nothing">{strings.noUses}</p>
      ) : (
        <DataTable
          caption={strings.uses}
          columns={columns}
          rows={uses}
          keyOf={(use) => uses.indexOf(use)}
          isFocusable
        />
      )}
    </section>
  );
}
