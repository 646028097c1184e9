import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { changeUser, userKey } from '../../api/users.ts';
import { Conflict } from '../../form/conflict.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { AttributeFields } from '../../parts/attribute-fields.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { useEdited } from '../../parts/use-edited.ts';
import { type ProfileValues, profileOf, sentProfile, shownValue } from './profile-values.ts';
import { texts as userTexts } from './texts.ts';
import { useMistakes } from './use-mistakes.ts';
import type { OfUser } from './user-page.tsx';

const TEXTS = ['username', 'email', 'firstName', 'lastName'] as const;
const NO_SECRETS = {};

/** Who the user is. The second of two editors is told what the first has changed, and keeps what they typed. */
export function Profile({ realm, user, tag }: OfUser) {
  const messages = useMessages();
  const texts = useTexts(userTexts);
  const client = useQueryClient();
  const stored = useMemo(() => ({ value: profileOf(user), tag }), [user, tag]);
  const form = useEdited<ProfileValues>(stored);
  const { value, changes, isChanged, set } = form;
  const save = useMutation({
    mutationFn: (ifMatch: string | undefined) => changeUser(realm, user.id, { change: sentProfile(changes), ifMatch }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['realm', realm, 'users'] });
      form.forget();
    },
    onError: () => client.invalidateQueries({ queryKey: userKey(realm, user.id) }),
  });
  const mistakes = useMistakes(save.error);
  const isLocated = Object.keys(mistakes).length > 0;
  const changed = save.error instanceof ApiFailure && save.error.kind === 'changed' ? save.error : undefined;
  const isReadOnly = !user.access.manage;
  const isFixed = (name: string) =>
    isReadOnly || user.userProfileMetadata.attributes.some((one) => one.name === name && one.readOnly);
  const forget = () => {
    save.reset();
    form.forget();
  };
  const labelled = (values: Partial<ProfileValues>) =>
    Object.fromEntries(
      (Object.keys(values) as (keyof ProfileValues)[]).map((name) => [
        name === 'enabled' ? texts.isEnabled : texts[name],
        shownValue(values[name] ?? '', messages),
      ]),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(form.base.tag);
  };
  return (
    <section>
      <h2>{texts.profile}</h2>
      <form className="card fields" onSubmit={submit}>
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
        {changed !== undefined && (
          <Conflict
            change={changed.change}
            schema={NO_SECRETS}
            base={labelled(form.base.value)}
            now={labelled(stored.value)}
            mine={labelled(changes)}
            isBusy={save.isPending}
            onOverwrite={() => save.mutate(changed.tag)}
            onTakeOver={forget}
          />
        )}
        <Outcome
          done={save.isSuccess && !isChanged && texts.saved}
          failure={changed === undefined && !isLocated ? save.error : null}
        />
        {!isReadOnly && <SaveBar isChanged={isChanged} isBusy={save.isPending} onDiscard={forget} />}
      </form>
    </section>
  );
}
