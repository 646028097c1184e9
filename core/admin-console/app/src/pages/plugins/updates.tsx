import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { type Change, PLUGINS_KEY, type UpdateResult, updatePlugins } from '../../api/plugins.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';
import { texts } from './texts.ts';

/**
 * The operator's actions on all plugins, or on one, with confirmation and outcome.
 * @param props.module limits the actions to one plugin
 * @param props.children explains why files do not run; hidden while a refusal explains the same
 */
export function Updates({
  changes,
  module,
  children,
}: {
  changes: readonly Change[];
  module?: string;
  children?: ReactNode;
}) {
  const strings = useTexts(texts);
  const [toConfirm, setToConfirm] = useState<Change>();
  const client = useQueryClient();
  const update = useMutation({
    mutationFn: (change: Change) => updatePlugins(change, module),
    onSettled: async () => {
      setToConfirm(undefined);
      await client.invalidateQueries({ queryKey: PLUGINS_KEY });
    },
  });
  const outcome = useFocusWhen<HTMLDivElement>(update.isSuccess || update.isError);
  return (
    <section className="updates">
      <p className="actions">
        {changes.map((change) => (
          <button key={change} type="button" disabled={update.isPending} onClick={() => setToConfirm(change)}>
            {strings.buttons[change]}
          </button>
        ))}
      </p>
      <div className="outcome" tabIndex={-1} ref={outcome}>
        {update.data !== undefined && <Done result={update.data} />}
        {update.error !== null && <Refused error={update.error} />}
      </div>
      {update.error === null && children}
      {toConfirm !== undefined && (
        <Confirm
          title={strings.questions[toConfirm]}
          action={strings.buttons[toConfirm]}
          isBusy={update.isPending}
          onConfirm={() => update.mutate(toConfirm)}
          onClose={() => setToConfirm(undefined)}
        >
          <p>{module === undefined ? strings.all : strings.of(module)}</p>
          <p>{strings.means[toConfirm]}</p>
        </Confirm>
      )}
    </section>
  );
}

function Done({ result: { outcome, generation, changes, failures, nodes = [] } }: { result: UpdateResult }) {
  const strings = useTexts(texts);
  const isWhole = failures.length === 0;
  return (
    <section className={`notice notice-${isWhole ? 'good' : 'warning'}`} role="status">
      <h2>{outcome === 'replaced' ? strings.done(generation) : strings.unchanged}</h2>
      {outcome === 'unchanged' && isWhole && <p>{strings.unchangedLead}</p>}
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
        {nodes
          .filter((node) => node.outcome === 'gone')
          .map(({ node }) => (
            <li key={node}>{strings.gone(node)}</li>
          ))}
      </ul>
      {failures.map(({ module, report }) => (
        <div key={module}>
          <h3>{strings.stayed(module)}</h3>
          <pre className="told">{report}</pre>
        </div>
      ))}
    </section>
  );
}

function Refused({ error }: { error: Error }) {
  const strings = useTexts(texts);
  if (!(error instanceof ApiFailure) || error.hostMessage === undefined || error.kind === 'forbidden')
    return <FailureNotice failure={error} />;
  return (
    <section className="notice notice-bad" role="alert">
      <h2>{strings.refused}</h2>
      <pre className="told">{error.hostMessage}</pre>
    </section>
  );
}
