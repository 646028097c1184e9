import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { driftOf, FILES_KEY, type RealmFile, revertEdits } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';
import { ChangeList } from './change-list.tsx';
import { texts } from './texts.ts';

/** The edits of a drifted realm, with a button to revert them. */
export function Drift({ realm, file }: { realm: string; file: RealmFile }) {
  const strings = useTexts(texts);
  const client = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const isDrifted = file.state === 'drifted';
  const drift = useQuery({ ...driftOf(realm, file.version), enabled: isDrifted });
  const revert = useMutation({
    mutationFn: () => revertEdits(realm),
    onSettled: async () => {
      setConfirming(false);
      await client.invalidateQueries({ queryKey: ['realm', realm] });
      await client.invalidateQueries({ queryKey: FILES_KEY });
    },
  });
  const outcome = useFocusWhen<HTMLDivElement>(revert.isSuccess || revert.isError);
  // A later edit makes the outcome of the revert obsolete.
  const showsOutcome = revert.data !== undefined && (!isDrifted || revert.data.edits.length > 0);
  if (!isDrifted && revert.isIdle) return null;
  return (
    <section className="document">
      {isDrifted && (
        <>
          <h2>{strings.drift}</h2>
          <p className="help">{strings.driftLead}</p>
          <QueryResult query={drift}>
            {({ realms: [plan] }) => plan && <ChangeList label={strings.drift} changes={plan.edits} left={plan.left} />}
          </QueryResult>
          {realm === 'master' ? (
            <p className="help">{strings.masterStays}</p>
          ) : (
            <p className="actions">
              <button type="button" disabled={revert.isPending} onClick={() => setConfirming(true)}>
                {strings.takeBack}
              </button>
            </p>
          )}
        </>
      )}
      <div className="outcome" tabIndex={-1} ref={outcome}>
        {showsOutcome && (
          <section className="notice notice-good" role="status">
            <h2>{strings.tookBack}</h2>
            {revert.data.edits.length > 0 && <p>{strings.keptSome(revert.data.edits.length)}</p>}
          </section>
        )}
        {revert.error !== null && <FailureNotice failure={revert.error} />}
      </div>
      {isConfirming && (
        <Confirm
          title={strings.takeBackOf(realm)}
          action={strings.takeBack}
          isDangerous
          isBusy={revert.isPending}
          onConfirm={() => revert.mutate()}
          onClose={() => setConfirming(false)}
        >
          <p>{strings.takeBackMeans(file.edits.length, realm)}</p>
        </Confirm>
      )}
    </section>
  );
}
