import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo } from 'react';
import { ApiFailure } from '../api/failure.ts';
import type { Attributes } from '../api/users.ts';
import { Conflict } from '../form/conflict.tsx';
import { useTexts } from '../messages/language.tsx';
import { AttributeFields } from './attribute-fields.tsx';
import { type AttributeRow, attributesOf, rowsOf } from './attribute-rows.ts';
import { TextField } from './field.tsx';
import { texts as nameTexts } from './name-and-attributes-texts.ts';
import { Outcome } from './outcome.tsx';
import { SaveBar } from './save-bar.tsx';
import { useEdited } from './use-edited.ts';

/** What has a name, such as a role or a group. */
export interface Named {
  readonly name: string;
  readonly description?: string;
  readonly attributes?: Attributes;
}

/** What is absent stays; `attributes` replaces all of them. */
export interface NamedChange extends Partial<Named> {
  readonly name: string;
}

interface Values {
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly AttributeRow[];
}

const NONE = {};

/**
 * What something is called and says of itself. The second of two editors is told what the first has changed.
 * @param refreshes what is read again after each attempt
 * @param saved says that it is done
 */
export function NameAndAttributes(props: {
  thing: Named;
  tag: string | undefined;
  canManage: boolean;
  refreshes: QueryKey;
  saved: string;
  onSave: (change: NamedChange, ifMatch: string | undefined) => Promise<void>;
}) {
  const { thing, tag, canManage, refreshes, saved, onSave } = props;
  const texts = useTexts(nameTexts);
  const client = useQueryClient();
  const stored = useMemo(() => ({ value: valuesOf(thing), tag }), [thing, tag]);
  const form = useEdited<Values>(stored);
  const { value, changes, isChanged, set } = form;
  const readAgain = () => client.invalidateQueries({ queryKey: refreshes });
  const save = useMutation({
    mutationFn: (ifMatch: string | undefined) => onSave({ name: value.name, ...sent(changes) }, ifMatch),
    onSuccess: async () => {
      await readAgain();
      form.forget();
    },
    onError: readAgain,
  });
  const changed = save.error instanceof ApiFailure && save.error.kind === 'changed' ? save.error : undefined;
  const forget = () => {
    save.reset();
    form.forget();
  };
  const labelled = (values: Partial<Values>) =>
    Object.fromEntries(
      (Object.keys(values) as (keyof Values)[]).map((name) => [texts[name], shown(values[name] ?? '')]),
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
        <Outcome done={save.isSuccess && !isChanged && saved} failure={changed === undefined ? save.error : null} />
        {canManage && <SaveBar isChanged={isChanged} isBusy={save.isPending} onDiscard={forget} />}
      </form>
    </section>
  );
}

function valuesOf({ name, description = '', attributes = {} }: Named): Values {
  return { name, description, attributes: rowsOf(attributes) };
}

function sent({ attributes, ...changes }: Partial<Values>): Partial<Named> {
  return attributes === undefined ? changes : { ...changes, attributes: attributesOf(attributes) };
}

function shown(value: string | readonly AttributeRow[]): string {
  return typeof value === 'string' ? value : value.map(({ name, value: one }) => `${name}=${one}`).join(', ');
}
