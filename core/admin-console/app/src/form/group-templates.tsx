import {
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  buttonId,
  canExpand,
  descriptionId,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
} from '@rjsf/utils';
import { useMessages } from '../messages/language.tsx';
import { Described } from '../parts/described.tsx';

export function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { fieldPathId, title, schema, uiSchema, formData, properties, disabled, onAddProperty } = props;
  const { form } = useMessages();
  const fields = (
    <>
      {properties.map(({ content }) => content)}
      {canExpand(schema, uiSchema, formData) && (
        <button type="button" id={buttonId(fieldPathId, 'add')} disabled={disabled} onClick={onAddProperty}>
          {form.addMember}
        </button>
      )}
    </>
  );
  const isItem = typeof fieldPathId.path.at(-1) === 'number';
  // Its heading is above the form.
  if (fieldPathId.path.length === 0) return <div className="form-group">{fields}</div>;
  return (
    <fieldset className="form-group" id={fieldPathId.$id}>
      <legend>{isItem ? title.replace(/-(\d+)$/, ' $1') : title}</legend>
      {schema.description !== undefined && (
        <p className="help" id={descriptionId(fieldPathId)}>
          <Described text={schema.description} />
        </p>
      )}
      {fields}
    </fieldset>
  );
}

export function ArrayFieldTemplate({
  fieldPathId,
  title,
  schema,
  items,
  canAdd,
  disabled,
  onAddClick,
}: ArrayFieldTemplateProps) {
  const { form } = useMessages();
  return (
    <fieldset className="form-group" id={fieldPathId.$id}>
      <legend>{title}</legend>
      {schema.description !== undefined && (
        <p className="help" id={descriptionId(fieldPathId)}>
          <Described text={schema.description} />
        </p>
      )}
      {items.length === 0 ? <p className="help">{form.noItems}</p> : <ol className="form-items">{items}</ol>}
      {canAdd && (
        <button type="button" id={buttonId(fieldPathId, 'add')} disabled={disabled} onClick={onAddClick}>
          {form.addTo(title)}
        </button>
      )}
    </fieldset>
  );
}

/** A choice of alternatives, and the fields of the chosen one. */
export function ChoiceTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="form-choice">
      {selector}
      {optionSchemaField}
    </div>
  );
}

export function ArrayFieldItemTemplate({ children, index, buttonsProps }: ArrayFieldItemTemplateProps) {
  const { form } = useMessages();
  const { fieldPathId, disabled, hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem } =
    buttonsProps;
  const place = String(index + 1);
  return (
    <li className="form-item">
      {children}
      <p className="actions">
        {hasMoveUp && (
          <button type="button" disabled={disabled} aria-label={form.upOf(place)} onClick={onMoveUpItem}>
            ↑
          </button>
        )}
        {hasMoveDown && (
          <button type="button" disabled={disabled} aria-label={form.downOf(place)} onClick={onMoveDownItem}>
            ↓
          </button>
        )}
        {hasRemove && (
          <button
            type="button"
            id={buttonId(fieldPathId, 'remove')}
            disabled={disabled}
            aria-label={form.removeOf(place)}
            onClick={onRemoveItem}
          >
            {form.remove}
          </button>
        )}
      </p>
    </li>
  );
}
