import { useEffect, useState } from 'react';
import { useTexts } from '../messages/language.tsx';

/** Milliseconds for which the button says that it is done. */
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

/** Puts a text into the clipboard. @param text what is copied, or where it comes from @param label what it is */
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
      // Without a secure connection there is no clipboard; the browser may refuse it, too.
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
