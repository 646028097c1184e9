import { getDefaultFormState, type RJSFSchema } from '@rjsf/utils';
import { useEffect, useMemo, useState } from 'react';
import type { LocatedError } from '../api/failure.ts';
import { useUnsaved } from '../frame/unsaved.ts';
import { useMessages } from '../messages/language.tsx';
import { changedMembers } from './changed-members.ts';
import { ErrorCount, useErrorFocus } from './error-count.tsx';
import { treeOf } from './located-errors.ts';
import { ThemedForm } from './themed-form.ts';
import { translator } from './translate.ts';
import { validator } from './validator.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * A form of a JSON Schema. The host validates the values, and its errors are shown at the fields.
 * @param value the stored value when the form began: another one needs a new form (`key`). Absent members show their
 * defaults
 * @param errors the errors of the last request
 * @param action the button's text in a form that creates something: `onSave` then gets all members, and there is no
 * button to discard
 * @param onSave called with the changed members, `null` for removed ones
 * @param onChanges called with the same while the user types, at first with no members
 */
export function SchemaForm(props: {
  schema: Members;
  value: Members;
  errors: readonly LocatedError[];
  isBusy: boolean;
  action?: string;
  onSave: (changes: Members) => void;
  onDiscard?: () => void;
  onChanges?: (changes: Members) => void;
}) {
  const { schema, value, errors, isBusy, action, onSave, onDiscard, onChanges } = props;
  const messages = useMessages();
  const { form } = messages;
  const [initial] = useState(() => withDefaults(schema, value));
  const [data, setData] = useState<Members>(initial);
  const changes = useMemo(() => changedMembers(initial, data), [initial, data]);
  const isChanged = Object.keys(changes).length > 0;
  useUnsaved(isChanged);
  useEffect(() => onChanges?.(changes), [changes, onChanges]);
  const { box, others } = useErrorFocus(errors);
  const tree = useMemo(() => treeOf(errors), [errors]);
  return (
    <div ref={box}>
      {errors.length > 0 && <ErrorCount count={errors.length} others={others} />}
      <ThemedForm
        schema={schema as RJSFSchema}
        formData={data}
        validator={validator}
        extraErrors={tree}
        noValidate
        noHtml5Validate
        showErrorList={false}
        translateString={translator(messages)}
        disabled={isBusy}
        onChange={({ formData }) => setData((formData ?? {}) as Members)}
        onSubmit={() => (action === undefined ? isChanged && onSave(changes) : onSave(data))}
      >
        <p className="actions form-actions" data-changed={isChanged}>
          <button type="submit" className="primary" disabled={isBusy || (action === undefined && !isChanged)}>
            {action ?? form.save}
          </button>
          {action === undefined && (
            <button type="button" disabled={isBusy || !isChanged} onClick={onDiscard}>
              {form.discard}
            </button>
          )}
        </p>
      </ThemedForm>
    </div>
  );
}

/** Fills in defaults as the library does, with the schema in which references are resolved. */
function withDefaults(schema: Members, value: Members): Members {
  return (getDefaultFormState(validator, schema as RJSFSchema, value, schema as RJSFSchema) ?? {}) as Members;
}
