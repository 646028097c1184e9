import { useMemo } from 'react';
import { changeUser } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { AttributeFields } from '../../parts/attribute-fields.tsx';
import { EditedForm } from '../../parts/edited-form.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { useSaving } from '../../parts/use-saving.ts';
import { type ProfileValues, profileChange, profileOf } from './profile-values.ts';
import { texts as userTexts } from './texts.ts';
import { useMistakes } from './use-mistakes.ts';
import type { UserSectionProps } from './user-frame.tsx';

const TEXTS = ['username', 'email', 'firstName', 'lastName'] as const;

/** The user's profile. */
export function Profile({ realm, user, tag }: UserSectionProps) {
  const texts = useTexts(userTexts);
  const stored = useMemo(() => ({ value: profileOf(user), tag }), [user, tag]);
  const saving = useSaving<ProfileValues>({
    stored,
    refreshes: ['realm', realm, 'users'],
    save: (changes, ifMatch) => changeUser(realm, user.id, { change: profileChange(changes), ifMatch }),
  });
  const { value, set } = saving;
  const mistakes = useMistakes(saving.failure);
  const isReadOnly = !user.access.manage;
  const isFixed = (name: string) =>
    isReadOnly || user.userProfileMetadata.attributes.some((one) => one.name === name && one.readOnly);
  return (
    <EditedForm
      title={texts.profile}
      saving={saving}
      label={(member) => (member === 'enabled' ? texts.isEnabled : texts[member])}
      saved={texts.saved}
      canManage={!isReadOnly}
      isLocated={Object.keys(mistakes).length > 0}
    >
      <div className="field-pairs">
        {TEXTS.map((name) => (
          <TextField
            key={name}
            label={texts[name]}
            value={value[name]}
            readOnly={isFixed(name)}
            error={mistakes[name]}
            help={name === 'username' && isFixed(name) && !isReadOnly ? texts.nameFixed : undefined}
            onChange={({ target }) => set({ [name]: target.value })}
          />
        ))}
        <CheckField
          label={texts.isEnabled}
          isOn={value.enabled}
          isReadOnly={isReadOnly}
          onTurn={(enabled) => set({ enabled })}
        />
        <CheckField
          label={texts.emailVerified}
          isOn={value.emailVerified}
          isReadOnly={isReadOnly}
          onTurn={(emailVerified) => set({ emailVerified })}
        />
      </div>
      <AttributeFields
        rows={value.attributes}
        isReadOnly={isReadOnly}
        mistakes={mistakes}
        onChange={(attributes) => set({ attributes })}
      />
    </EditedForm>
  );
}
