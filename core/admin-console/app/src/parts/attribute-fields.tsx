import { useMessages, useTexts } from '../messages/language.tsx';
import type { AttributeRow } from './attribute-rows.ts';
import { texts as attributeTexts } from './attribute-texts.ts';

/** Attributes of a user, a role or a group, one value per line. */
export function AttributeFields(props: {
  rows: readonly AttributeRow[];
  isReadOnly: boolean;
  mistakes: Readonly<Record<string, string | undefined>>;
  onChange: (rows: readonly AttributeRow[]) => void;
}) {
  const { rows, isReadOnly, mistakes, onChange } = props;
  const texts = useTexts(attributeTexts);
  const { form, none } = useMessages();
  const change = (at: number, edit: Partial<AttributeRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...edit } : row)));
  return (
    <fieldset className="attributes">
      <legend>{texts.attributes}</legend>
      {rows.length === 0 && isReadOnly && <p className="help">{none}</p>}
      {rows.map((row, index) => (
        // Lines have no key but their index, which typing does not change.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div className="attribute" key={index}>
          <input
            aria-label={`${texts.attribute(index + 1)}: ${texts.attributeName}`}
            placeholder={texts.attributeName}
            value={row.name}
            readOnly={isReadOnly}
            spellCheck={false}
            onChange={({ target }) => change(index, { name: target.value })}
          />
          <input
            aria-label={`${texts.attribute(index + 1)}: ${texts.attributeValue}`}
            placeholder={texts.attributeValue}
            value={row.value}
            readOnly={isReadOnly}
            spellCheck={false}
            aria-invalid={mistakes[row.name] !== undefined}
            onChange={({ target }) => change(index, { value: target.value })}
          />
          {!isReadOnly && (
            <button
              type="button"
              aria-label={texts.removeAttribute(row.name || String(index + 1))}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              {form.remove}
            </button>
          )}
          {mistakes[row.name] !== undefined && <p className="field-errors">{mistakes[row.name]}</p>}
        </div>
      ))}
      {!isReadOnly && (
        <p className="actions">
          <button type="button" onClick={() => onChange([...rows, { name: '', value: '' }])}>
            {texts.addAttribute}
          </button>
          <span className="help">{texts.attributesHelp}</span>
        </p>
      )}
    </fieldset>
  );
}
