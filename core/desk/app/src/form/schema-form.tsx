import { getDefaultFormState, type RJSFSchema } from '@rjsf/utils';
import { useEffect, useMemo, useState } from 'react';
import type { LocatedError } from '../api/failure.ts';
import { useUnsaved } from '../frame/unsaved.ts';
import { useMessages } from '../messages/language.tsx';
import { changedMembers } from './changed-members.ts';
import { ErrorCount, usePlaced } from './error-count.tsx';
import { treeOf } from './located-errors.ts';
import { ThemedForm } from './themed-form.ts';
import { translator } from './translate.ts';
import { validator } from './validator.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * A form of a JSON Schema. The host judges what is sent, and its errors stand at the fields.
 * @param value as it is stored, when the form began: another value takes another form (`key`). The form shows defaults
 * for what it does not say
 * @param errors of what was sent last
 * @param action of a form that makes something new, what its button says: `onSave` is given everything, also what nobody changed, and there is nothing to discard
 * @param onSave is given the members that were changed, `null` for those that were taken away
 * @param onChanges is told the same while the user types; nothing at first
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
  const { box, others } = usePlaced(errors);
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

/** As the library fills them in, by the schema that its references are looked up in. */
function withDefaults(schema: Members, value: Members): Members {
  return (getDefaultFormState(validator, schema as RJSFSchema, value, schema as RJSFSchema) ?? {}) as Members;
}
