import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { changeRole, type FullRole, rolesKey, type SentRole } from '../../api/roles.ts';
import { Conflict } from '../../form/conflict.tsx';
import { useTexts } from '../../messages/language.tsx';
import { AttributeFields } from '../../parts/attribute-fields.tsx';
import { type AttributeRow, attributesOf, rowsOf } from '../../parts/attribute-rows.ts';
import { TextField } from '../../parts/field.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { useEdited } from '../../parts/use-edited.ts';
import type { OfRole } from './role-page.tsx';
import { texts as roleTexts } from './texts.ts';

interface RoleValues {
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly AttributeRow[];
}

const NONE = {};

/** What the role is called and says of itself. The second of two editors is told what the first has changed. */
export function RoleSettings({ realm, role, tag, canManage }: OfRole) {
  const texts = useTexts(roleTexts);
  const client = useQueryClient();
  const stored = useMemo(() => ({ value: valuesOf(role), tag }), [role, tag]);
  const form = useEdited<RoleValues>(stored);
  const { value, changes, isChanged, set } = form;
  const save = useMutation({
    mutationFn: (ifMatch: string | undefined) => changeRole(realm, role.id, { change: sentRole(changes), ifMatch }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: rolesKey(realm) });
      form.forget();
    },
    onError: () => client.invalidateQueries({ queryKey: rolesKey(realm) }),
  });
  const changed = save.error instanceof ApiFailure && save.error.kind === 'changed' ? save.error : undefined;
  const forget = () => {
    save.reset();
    form.forget();
  };
  const labelled = (values: Partial<RoleValues>) =>
    Object.fromEntries(
      (Object.keys(values) as (keyof RoleValues)[]).map((name) => [texts[name], shown(values[name] ?? '')]),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(form.base.tag);
  };
  return (
    <section>
      <h2>{texts.settings}</h2>
      <form className="card fields" onSubmit={submit}>
        <div className="field-pairs">
          {(['name', 'description'] as const).map((name) => (
            <TextField
              key={name}
              label={texts[name]}
              value={value[name]}
              readOnly={!canManage}
              onChange={({ target }) => set({ [name]: target.value })}
            />
          ))}
        </div>
        <AttributeFields
          rows={value.attributes}
          isReadOnly={!canManage}
          mistakes={NONE}
          onChange={(attributes) => set({ attributes })}
        />
        {changed !== undefined && (
          <Conflict
            change={changed.change}
            schema={NONE}
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
          failure={changed === undefined ? save.error : null}
        />
        {canManage && <SaveBar isChanged={isChanged} isBusy={save.isPending} onDiscard={forget} />}
      </form>
    </section>
  );
}

function valuesOf({ name, description = '', attributes = {} }: FullRole): RoleValues {
  return { name, description, attributes: rowsOf(attributes) };
}

function sentRole({ attributes, ...changes }: Partial<RoleValues>): SentRole {
  return attributes === undefined ? changes : { ...changes, attributes: attributesOf(attributes) };
}

function shown(value: string | readonly AttributeRow[]): string {
  return typeof value === 'string' ? value : value.map(({ name, value: one }) => `${name}=${one}`).join(', ');
}
