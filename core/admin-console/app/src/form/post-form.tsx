import { getDefaultFormState, type RJSFSchema } from '@rjsf/utils';
import { type ReactNode, useMemo, useState } from 'react';
import type { LocatedError } from '../api/failure.ts';
import { useUnsaved } from '../frame/unsaved.ts';
import { useMessages } from '../messages/language.tsx';
import { ErrorCount, useErrorFocus } from './error-count.tsx';
import { treeOf } from './located-errors.ts';
import { ThemedForm } from './themed-form.ts';
import { translator } from './translate.ts';
import { validator } from './validator.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * A form of a JSON Schema that can be sent repeatedly, always with all its values. The host validates them, and its
 * errors are shown at the fields.
 * @param id the prefix of the IDs of its fields, which distinguishes it from other forms of the page
 * @param value the initial value: another one needs a new form (`key`)
 * @param children further buttons
 */
export function PostForm(props: {
  id: string;
  schema: Members;
  value: Members;
  errors: readonly LocatedError[];
  isBusy: boolean;
  submitTitle: string;
  onSubmit: (filled: Members) => void;
  children?: ReactNode;
}) {
  const { id, schema, value, errors, isBusy, submitTitle, onSubmit, children } = props;
  const messages = useMessages();
  // The schema twice: references are resolved in the second one.
  const whole = schema as RJSFSchema;
  const [initial] = useState(() => (getDefaultFormState(validator, whole, value, whole) ?? {}) as Members);
  const [data, setData] = useState<Members>(initial);
  useUnsaved(JSON.stringify(data) !== JSON.stringify(initial));
  const { box, others } = useErrorFocus(errors, id);
  const tree = useMemo(() => treeOf(errors), [errors]);
  return (
    <div ref={box}>
      {errors.length > 0 && <ErrorCount count={errors.length} others={others} />}
      <ThemedForm
        idPrefix={id}
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
        onSubmit={() => onSubmit(data)}
      >
        <p className="actions post-actions">
          <button type="submit" className="primary" disabled={isBusy}>
            {submitTitle}
          </button>
          {children}
        </p>
      </ThemedForm>
    </div>
  );
}
