import { useMemo } from 'react';
import { changeClient, clientsKey } from '../../api/clients.ts';
import { useTexts } from '../../messages/language.tsx';
import { EditedForm } from '../../parts/edited-form.tsx';
import { useSaving } from '../../parts/use-saving.ts';
import { ClientFields } from './client-fields.tsx';
import type { ClientSectionProps } from './client-frame.tsx';
import { type ClientValues, clientChange, valuesOf } from './client-values.ts';
import { texts as clientTexts } from './texts.ts';

/** The most common settings. */
export function ClientSettings({ realm, client, tag }: ClientSectionProps) {
  const texts = useTexts(clientTexts);
  const stored = useMemo(() => ({ value: valuesOf(client), tag }), [client, tag]);
  const saving = useSaving<ClientValues>({
    stored,
    refreshes: clientsKey(realm),
    save: (changes, ifMatch) => changeClient(realm, client.id, { change: clientChange(changes), ifMatch }),
  });
  return (
    <EditedForm
      title={texts.settings}
      saving={saving}
      label={(member) => (member === 'enabled' ? texts.isEnabled : texts[member])}
      saved={texts.saved}
      canManage={client.access.manage}
    >
      <ClientFields value={saving.value} isReadOnly={!client.access.manage} onChange={saving.set} />
    </EditedForm>
  );
}
