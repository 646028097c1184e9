import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { applyDocument, FILES_KEY, type Problem, planDocument } from '../../api/realm-files.ts';
import { useUnsaved } from '../../frame/unsaved.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';
import { AppliedNotice } from './applied-notice.tsx';
import { PlanView } from './plan-view.tsx';
import { TextWithProblems } from './text-with-problems.tsx';
import { texts } from './texts.ts';

interface DocumentRequest {
  readonly document: string;
  readonly takesBack: boolean;
}

/**
 * An editor whose initial text is the realm's file. The host first plans the changes of the document; then the user can
 * apply them.
 * @param props.text the text of the file; undefined if there is no file, or it is too large
 * @param props.problems the problems of the file on disk
 */
export function DocumentEditor(props: {
  realm: string;
  label: string;
  text: string | undefined;
  problems: readonly Problem[];
  draft: string | undefined;
  onDraft: (draft: string | undefined) => void;
}) {
  const strings = useTexts(texts);
  const { realm, label, text = '', draft, onDraft } = props;
  const client = useQueryClient();
  const [initialText, setInitialText] = useState(text);
  const [takesBack, setTakesBack] = useState(false);
  const document = draft ?? text;
  const plan = useMutation({ mutationFn: (sent: DocumentRequest) => planDocument(sent.document, sent.takesBack) });
  const apply = useMutation({
    mutationFn: (sent: DocumentRequest) => applyDocument(realm, sent.document, sent.takesBack),
    onSuccess: async () => {
      plan.reset();
      await client.invalidateQueries({ queryKey: ['realm', realm] });
      await client.invalidateQueries({ queryKey: FILES_KEY });
    },
  });
  if (draft === undefined && initialText !== text) setInitialText(text);
  const isApplied = apply.isSuccess && apply.variables.document === document;
  const isChanged = draft !== undefined && draft !== text;
  useUnsaved(isChanged && !isApplied);
  const failure = apply.error ?? plan.error;
  const failureProblems = failure instanceof ApiFailure ? (failure.errors as readonly Problem[]) : [];
  const sentProblems = failureProblems.length > 0 ? failureProblems : (plan.data?.problems ?? []);
  const problems = draft === undefined && sentProblems.length === 0 ? props.problems : sentProblems;
  const isBusy = plan.isPending || apply.isPending;
  const outcome = useFocusWhen<HTMLDivElement>(apply.isSuccess || plan.isSuccess || failure !== null);
  const restart = () => {
    onDraft(undefined);
    plan.reset();
    apply.reset();
  };
  const send = () => {
    apply.reset();
    plan.mutate({ document, takesBack });
  };
  const isPlanned =
    plan.data !== undefined && plan.variables.document === document && plan.variables.takesBack === takesBack;
  return (
    <>
      {isChanged && initialText !== text && <p className="notice notice-warning">{strings.changedOnDisk}</p>}
      <TextWithProblems
        label={label}
        text={document}
        problems={problems}
        problemsTitle={
          sentProblems === problems ? strings.lastProblems(problems.length) : strings.problems(problems.length)
        }
        placeholder={strings.paste}
        onChange={onDraft}
      />
      {realm !== 'master' && (
        <label className="check">
          <input type="checkbox" checked={takesBack} onChange={({ target }) => setTakesBack(target.checked)} />
          {strings.takesBack}
        </label>
      )}
      <p className="actions">
        <button type="button" className="primary" disabled={isBusy || document.trim() === ''} onClick={send}>
          {strings.planButton}
        </button>
        <button type="button" disabled={isBusy || draft === undefined} onClick={restart}>
          {strings.discard}
        </button>
      </p>
      <div className="outcome document" tabIndex={-1} ref={outcome}>
        {failure !== null && <FailureNotice failure={failure} />}
        {apply.data !== undefined && <AppliedNotice applied={apply.data} realm={realm} document={document} />}
        {plan.data !== undefined && plan.data.problems.length === 0 && (
          <PlanView
            realm={realm}
            plan={plan.data}
            isCurrent={isPlanned}
            isBusy={isBusy}
            onApply={(done) => apply.mutate(plan.variables, { onSettled: done })}
          />
        )}
      </div>
    </>
  );
}
