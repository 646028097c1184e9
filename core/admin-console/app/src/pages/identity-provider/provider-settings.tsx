import { useMemo } from 'react';
import { changeIdentityProvider, identityProvidersKey } from '../../api/identity-providers.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { ConfigFields } from '../../parts/config-fields.tsx';
import { EditedForm } from '../../parts/edited-form.tsx';
import { useSaving } from '../../parts/use-saving.ts';
import type { ProviderSectionProps } from './identity-provider-page.tsx';
import { changedProvider, type ProviderValues, valuesOf } from './provider-values.ts';
import { useSettingsGroups } from './settings-groups.ts';
import { texts as providerTexts } from './texts.ts';

export function ProviderSettings({ realm, provider, kind, tag, canManage }: ProviderSectionProps) {
  const texts = useTexts(providerTexts);
  const { form } = useMessages();
  const labels: Readonly<Record<string, string>> = texts.fields;
  const stored = useMemo(() => ({ value: valuesOf(provider), tag }), [provider, tag]);
  const saving = useSaving<ProviderValues>({
    stored,
    refreshes: identityProvidersKey(realm),
    save: (changes, ifMatch) => changeIdentityProvider(realm, changedProvider(provider, changes), ifMatch),
  });
  const groups = useSettingsGroups(realm, kind, saving.value);
  return (
    <EditedForm
      title={texts.settings}
      saving={saving}
      label={(member) => labels[member] ?? member}
      saved={texts.saved}
      canManage={canManage}
      show={(member, value) => (member === 'clientSecret' && value ? form.secretSet : undefined)}
    >
      {groups.map(({ title, properties }) => (
        <fieldset key={title} className="setting-group">
          <legend>{title}</legend>
          <ConfigFields
            realm={realm}
            properties={properties}
            value={saving.value}
            isReadOnly={!canManage}
            onChange={(change) => saving.set(change)}
          />
        </fieldset>
      ))}
    </EditedForm>
  );
}
