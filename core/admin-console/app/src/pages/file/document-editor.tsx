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

interface Sent {
  readonly document: string;
  readonly takesBack: boolean;
}

/**
 * An editor for a document that begins as the realm's file. The document is first planned, and then applied as planned.
 * @param props.text that of the file; undefined if there is none, or it is too large
 * @param props.problems those of the file
 */
export function DocumentEditor(props: {
  realm: string;
  label: string;
  text: string | undefined;
  problems: readonly Problem[];
  draft: string | undefined;
  onDraft: (draft: string | undefined) => void;
}) {
  const told = useTexts(texts);
  const { realm, label, text = '', draft, onDraft } = props;
  const client = useQueryClient();
  const [began, setBegan] = useState(text);
  const [takesBack, setTakesBack] = useState(false);
  const document = draft ?? text;
  const plan = useMutation({ mutationFn: (sent: Sent) => planDocument(sent.document, sent.takesBack) });
  const apply = useMutation({
    mutationFn: (sent: Sent) => applyDocument(realm, sent.document, sent.takesBack),
    onSuccess: async () => {
      plan.reset();
      await client.invalidateQueries({ queryKey: ['realm', realm] });
      await client.invalidateQueries({ queryKey: FILES_KEY });
    },
  });
  if (draft === undefined && began !== text) setBegan(text);
  const isApplied = apply.isSuccess && apply.variables.document === document;
  const isChanged = draft !== undefined && draft !== text;
  useUnsaved(isChanged && !isApplied);
  const failed = apply.error ?? plan.error;
  const refused = failed instanceof ApiFailure ? (failed.errors as readonly Problem[]) : [];
  const ofSent = refused.length > 0 ? refused : (plan.data?.problems ?? []);
  const problems = draft === undefined && ofSent.length === 0 ? props.problems : ofSent;
  const isBusy = plan.isPending || apply.isPending;
  const outcome = useFocusWhen<HTMLDivElement>(apply.isSuccess || plan.isSuccess || failed !== null);
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
      {isChanged && began !== text && <p className="notice notice-warning">{told.changedOnDisk}</p>}
      <TextWithProblems
        label={label}
        text={document}
        problems={problems}
        problemsTitle={ofSent === problems ? told.lastProblems(problems.length) : told.problems(problems.length)}
        placeholder={told.paste}
        onChange={onDraft}
      />
      {realm !== 'master' && (
        <label className="check">
          <input type="checkbox" checked={takesBack} onChange={({ target }) => setTakesBack(target.checked)} />
          {told.takesBack}
        </label>
      )}
      <p className="actions">
        <button type="button" className="primary" disabled={isBusy || document.trim() === ''} onClick={send}>
          {told.planButton}
        </button>
        <button type="button" disabled={isBusy || draft === undefined} onClick={restart}>
          {told.discard}
        </button>
      </p>
      <div className="outcome document" tabIndex={-1} ref={outcome}>
        {failed !== null && <FailureNotice failure={failed} />}
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
