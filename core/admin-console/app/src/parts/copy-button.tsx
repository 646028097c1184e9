import { useEffect, useState } from 'react';
import { useTexts } from '../messages/language.tsx';

/** How long the button shows success, in milliseconds. */
const SHOWN_MS = 2_000;

const en = {
  button: 'Copy',
  of: (name: string) => `Copy ${name}`,
  copied: 'Copied',
  refused: 'The browser did not allow copying. Select the text and copy it yourself.',
};
const de: typeof en = {
  button: 'Kopieren',
  of: (name) => `${name} kopieren`,
  copied: 'Kopiert',
  refused: 'Der Browser hat das Kopieren nicht erlaubt. Markiere den Text und kopiere ihn selbst.',
};
const texts = { en, de };

/** Copies a text to the clipboard. @param text the text, or a function that gets it @param label describes the text */
export function CopyButton({ text, label }: { text: string | (() => Promise<string>); label: string }) {
  const strings = useTexts(texts);
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (outcome !== 'copied') return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setOutcome('copied');
    } catch {
      // There is no clipboard without a secure connection, and the browser may deny access to it.
      setOutcome('refused');
    }
  };
  return (
    <>
      <button type="button" aria-label={strings.of(label)} onClick={() => void copy()}>
        {outcome === 'copied' ? strings.copied : strings.button}
      </button>
      <span role="status" className={outcome === 'refused' ? 'help' : 'unseen'}>
        {outcome !== undefined && strings[outcome]}
      </span>
    </>
  );
}
