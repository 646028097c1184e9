import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { changeRealm } from '../../api/realm-settings.ts';
import { REALM_NAMES } from '../../api/realms.ts';
import { MASK } from '../../form/mask.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { durationIn } from '../../parts/duration-field.tsx';
import { EditedForm } from '../../parts/edited-form.tsx';
import { useSaving } from '../../parts/use-saving.ts';
import type { SettingField as Kind, Section, SettingValue } from './section.ts';
import { SettingField } from './setting-field.tsx';
import type { SettingsSectionProps } from './settings-page.tsx';
import { texts as settingsTexts } from './texts.ts';
import { useSettingOfAddress } from './use-setting-of-address.ts';

/**
 * The form of a section.
 * @param props.onSet called before a change: returns true to hold it back, and may make it later with `set`
 * @param props.children shown below the fields, such as a button that tests the input
 */
export function SectionForm<V extends { readonly [M in keyof V]: SettingValue }>(props: {
  settings: SettingsSectionProps;
  section: Section<V>;
  onSet?: (change: Partial<V>, set: (change: Partial<V>) => void) => boolean;
  children?: (value: V) => ReactNode;
}) {
  const { settings, section, onSet, children } = props;
  const { name, realm, tag, canManage } = settings;
  const texts = useTexts(settingsTexts);
  const { language } = useLanguage();
  const queries = useQueryClient();
  const { read } = section;
  const stored = useMemo(() => ({ value: read(realm), tag }), [read, realm, tag]);
  const saving = useSaving<V>({
    stored,
    refreshes: ['realm', name],
    save: async (changes, ifMatch) => {
      await changeRealm(name, { change: section.toChange(changes, realm), ifMatch });
      await queries.invalidateQueries({ queryKey: REALM_NAMES });
    },
  });
  const groups = section.groups(saving.value);
  const fields = new Map(groups.flatMap((group) => group.fields).map((field) => [field.name, field]));
  const mistakes = mistakesIn(saving.failure);
  const settingRef = useSettingOfAddress();
  const set = (change: Partial<V>) => {
    if (onSet?.(change, saving.set) !== true) saving.set(change);
  };
  return (
    <EditedForm
      title={section.title}
      saving={saving}
      label={(member) => section.labels[member]}
      show={(member, value) => describeValue(fields.get(member), value, language)}
      saved={texts.saved}
      canManage={canManage}
      isLocated={mistakes.size > 0 && [...mistakes.keys()].every((member) => fields.has(member as keyof V & string))}
    >
      {groups.map(({ title, fields: own }) => (
        <fieldset className="setting-group" key={title}>
          {title !== '' && <legend>{title}</legend>}
          <div className="field-pairs">
            {own.map((field) => (
              <div className="setting" key={field.name} ref={settingRef(field.name)}>
                <SettingField
                  field={field}
                  label={section.labels[field.name]}
                  help={section.help[field.name]}
                  error={mistakes.get(field.name)}
                  value={saving.value[field.name]}
                  isReadOnly={!canManage}
                  onChange={(value) => set({ [field.name]: value } as Partial<V>)}
                />
              </div>
            ))}
          </div>
        </fieldset>
      ))}
      {children?.(saving.value)}
    </EditedForm>
  );
}

/** The host's errors by field. It names each by its path, such as `attributes.parRequestUriLifespan: must be …`. */
function mistakesIn(failure: Error | null): ReadonlyMap<string, string> {
  const message = failure instanceof ApiFailure && failure.kind === 'refused' ? (failure.hostMessage ?? '') : '';
  const found = message.split('; ').map((one) => /^(?:\w+\.)*(\w+): (.+)$/.exec(one));
  return new Map(found.flatMap((one) => (one === null ? [] : [[one[1] ?? '', one[2] ?? ''] as const])));
}

/** A value in the comparison with another editor's version. Passwords are masked. */
function describeValue<V>(field: Kind<V> | undefined, value: SettingValue, language: string): string | undefined {
  if (field?.kind === 'secret' && value !== '') return MASK;
  if (field?.kind === 'duration' && typeof value === 'number') return durationIn(language, value);
  if (field?.kind === 'choice') return field.options.find(([one]) => one === value)?.[1];
  return undefined;
}
