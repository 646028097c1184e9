import { useEffect, useState } from 'react';
import { useTexts } from '../messages/language.tsx';

/** How long the button shows success, in milliseconds. */
const SAID_MS = 2_000;

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
  const told = useTexts(texts);
  const [said, setSaid] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (said !== 'copied') return undefined;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setSaid('copied');
    } catch {
      // There is no clipboard without a secure connection, and the browser may deny access to it.
      setSaid('refused');
    }
  };
  return (
    <>
      <button type="button" aria-label={told.of(label)} onClick={() => void copy()}>
        {said === 'copied' ? told.copied : told.button}
      </button>
      <span role="status" className={said === 'refused' ? 'help' : 'unseen'}>
        {said !== undefined && told[said]}
      </span>
    </>
  );
}
