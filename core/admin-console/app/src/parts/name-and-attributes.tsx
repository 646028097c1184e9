import type { QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Attributes } from '../api/users.ts';
import { useTexts } from '../messages/language.tsx';
import { AttributeFields } from './attribute-fields.tsx';
import { type AttributeRow, attributesOf, rowsOf } from './attribute-rows.ts';
import { EditedForm } from './edited-form.tsx';
import { TextField } from './field.tsx';
import { texts as nameTexts } from './name-and-attributes-texts.ts';
import { useSaving } from './use-saving.ts';

/** An object with a name, such as a role or a group. */
export interface Named {
  readonly name: string;
  readonly description?: string;
  readonly attributes?: Attributes;
}

/** Absent members stay unchanged; `attributes` replaces all attributes. */
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
 * A form for the name, the description and the attributes of an object.
 * @param refreshes the data to read again after each attempt
 * @param saved the message after saving
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
  const stored = useMemo(() => ({ value: valuesOf(thing), tag }), [thing, tag]);
  const saving = useSaving<Values>({
    stored,
    refreshes,
    save: (changes, ifMatch, { name }) => onSave({ name, ...toRequest(changes) }, ifMatch),
  });
  const { value, set } = saving;
  return (
    <EditedForm
      title={texts.settings}
      saving={saving}
      label={(member) => texts[member]}
      saved={saved}
      canManage={canManage}
    >
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
    </EditedForm>
  );
}

function valuesOf({ name, description = '', attributes = {} }: Named): Values {
  return { name, description, attributes: rowsOf(attributes) };
}

function toRequest({ attributes, ...changes }: Partial<Values>): Partial<Named> {
  return attributes === undefined ? changes : { ...changes, attributes: attributesOf(attributes) };
}
