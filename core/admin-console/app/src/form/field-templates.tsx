import {
  ADDITIONAL_PROPERTY_FLAG,
  buttonId,
  type DescriptionFieldProps,
  descriptionId,
  errorId,
  type FieldErrorProps,
  type FieldTemplateProps,
  type WrapIfAdditionalTemplateProps,
} from '@rjsf/utils';
import { useMessages } from '../messages/language.tsx';
import { Described } from '../parts/described.tsx';

/** Label, help, field and errors. Groups and checkboxes contain their label. */
export function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, required, hidden, displayLabel, children, errors, schema, rawDescription, fieldPathId } = props;
  const { form } = useMessages();
  if (hidden) return children;
  const isBox = schema.type === 'boolean';
  const isList = schema.type === 'array';
  const isGroup = !displayLabel && (isList || schema.type === 'object');
  const Label = isList ? 'span' : 'label';
  // The position in the list already identifies it visually.
  const isItem = typeof fieldPathId.path.at(-1) === 'number';
  return (
    <WrapIfAdditional {...props}>
      {displayLabel && !isBox && (
        <Label className={isItem ? 'unseen' : 'field-label'} {...(isList ? {} : { htmlFor: labelledBy(props) })}>
          {label}
          {required && <small> {form.required}</small>}
        </Label>
      )}
      {children}
      {!isGroup && rawDescription && (
        <p className="help" id={descriptionId(id)}>
          <Described text={rawDescription} />
        </p>
      )}
      {errors}
    </WrapIfAdditional>
  );
}

/** The ID of the labelled element: for several alternatives, their selector. */
function labelledBy({ id, schema, registry }: FieldTemplateProps): string {
  if (schema.oneOf === undefined && schema.anyOf === undefined) return id;
  if (registry.schemaUtils.isSelect(schema)) return id;
  return `${id}${schema.oneOf === undefined ? '__anyof_select' : '__oneof_select'}`;
}

/** A member whose name the user also chooses. */
export function WrapIfAdditional(props: WrapIfAdditionalTemplateProps) {
  const { id, schema, label, children, disabled, onKeyRenameBlur, onRemoveProperty } = props;
  const { form } = useMessages();
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return <div className="form-field">{children}</div>;
  return (
    <div className="form-field form-named">
      <label className="field-label" htmlFor={`${id}-key`}>
        {form.memberName}
      </label>
      <input key={label} id={`${id}-key`} defaultValue={label} onBlur={onKeyRenameBlur} spellCheck={false} />
      {children}
      <button
        type="button"
        id={buttonId(id, 'remove')}
        disabled={disabled}
        aria-label={form.removeOf(label)}
        onClick={onRemoveProperty}
      >
        {form.remove}
      </button>
    </div>
  );
}

export function FieldErrors({ errors = [], fieldPathId }: FieldErrorProps) {
  if (errors.length === 0) return null;
  return (
    <ul className="field-errors" id={errorId(fieldPathId)}>
      {errors.map((error) => (
        <li key={String(error)}>{error}</li>
      ))}
    </ul>
  );
}

export function Description({ id, description }: DescriptionFieldProps) {
  return (
    <p className="help" id={id}>
      {description}
    </p>
  );
}
