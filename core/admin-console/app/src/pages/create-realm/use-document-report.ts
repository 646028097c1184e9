import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { checkDocument, checkedDocumentLimit, type DocumentReport } from '../../api/realm-files.ts';
import { useIsHostAdmin } from '../../api/who.ts';

/** Milliseconds without a change of the text, after which the host checks it. */
const DELAY_MS = 400;

export interface ReportState {
  readonly report: DocumentReport | undefined;
  readonly isChecking: boolean;
  readonly isTooLarge: boolean;
  readonly failure: Error | null;
}

/** The host's report about the text of a realm file. @param isReadable false if the text is empty, or no realm */
export function useDocumentReport(text: string, isReadable: boolean): ReportState {
  const { mutate, data, error, variables } = useMutation({ mutationFn: checkDocument });
  const limit = checkedDocumentLimit(useIsHostAdmin());
  const isTooLarge = isReadable && new Blob([text]).size > limit;
  const isChecked = isReadable && !isTooLarge;
  useEffect(() => {
    if (!isChecked) return;
    const timer = setTimeout(() => mutate(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, isChecked, mutate]);
  // A report about another text is not shown.
  const isCurrent = isChecked && variables === text;
  const report = isCurrent ? data : undefined;
  const failure = isCurrent ? error : null;
  return { report, isChecking: isChecked && report === undefined && failure === null, isTooLarge, failure };
}
