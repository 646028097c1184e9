import { useState } from 'react';
import { useMessages } from '../messages/language.tsx';

/** Copies a text, and says whether it did. @param text what is copied, or where it comes from */
export function CopyButton({ text, label }: { text: string | (() => Promise<string>); label?: string }) {
  const { copy, copied, copyFailed } = useMessages();
  const [outcome, setOutcome] = useState<string>();
  const onCopy = async () => {
    setOutcome(undefined);
    try {
      // A page that came over plain http from elsewhere has no clipboard.
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setOutcome(copied);
    } catch {
      setOutcome(copyFailed);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void onCopy()}>
        {label ?? copy}
      </button>
      <span role="status">{outcome}</span>
    </>
  );
}
