import { useId } from 'react';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { describedBy, FieldNotes } from '../../parts/field.tsx';
import { texts as createTexts } from './texts.ts';

/** The number of characters above which a browser would be slow to show them. */
const MAX_SHOWN = 300_000;

/** A field for a JSON file, chosen or pasted. */
export function FileField(props: { text: string; error: string | undefined; onText: (text: string) => void }) {
  const { text, error, onText } = props;
  const texts = useTexts(createTexts);
  const { language } = useLanguage();
  const id = useId();
  const isLarge = text.length > MAX_SHOWN;
  const size = new Intl.NumberFormat(language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
  return (
    <div className="field">
      <label htmlFor={id}>{texts.file}</label>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, texts.fileHelp, error)}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file === undefined) onText('');
          else void file.text().then(onText);
        }}
      />
      {isLarge ? (
        <p>{texts.large(size.format(text.length / 1000))}</p>
      ) : (
        <textarea
          aria-label={texts.text}
          rows={4}
          spellCheck={false}
          value={text}
          aria-invalid={error !== undefined}
          onChange={({ target }) => onText(target.value)}
        />
      )}
      <FieldNotes id={id} help={texts.fileHelp} error={error} />
    </div>
  );
}
