import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { driftOf, FILES_KEY, type RealmFile, revertEdits } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { QueryResult } from '../../parts/loaded.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';
import { ChangeList } from './change-list.tsx';
import { texts } from './texts.ts';

/** The edits of a drifted realm, with a button to revert them. */
export function Drift({ realm, file }: { realm: string; file: RealmFile }) {
  const told = useTexts(texts);
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const isDrifted = file.state === 'drifted';
  const drift = useQuery({ ...driftOf(realm, file.version), enabled: isDrifted });
  const takeBack = useMutation({
    mutationFn: () => revertEdits(realm),
    onSettled: async () => {
      setAsked(false);
      await client.invalidateQueries({ queryKey: ['realm', realm] });
      await client.invalidateQueries({ queryKey: FILES_KEY });
    },
  });
  const outcome = useFocusWhen<HTMLDivElement>(takeBack.isSuccess || takeBack.isError);
  // A later edit makes the outcome of the revert obsolete.
  const isTold = takeBack.data !== undefined && (!isDrifted || takeBack.data.edits.length > 0);
  if (!isDrifted && takeBack.isIdle) return null;
  return (
    <section className="document">
      {isDrifted && (
        <>
          <h2>{told.drift}</h2>
          <p className="help">{told.driftLead}</p>
          <QueryResult query={drift}>
            {({ realms: [plan] }) => plan && <ChangeList label={told.drift} changes={plan.edits} left={plan.left} />}
          </QueryResult>
          {realm === 'master' ? (
            <p className="help">{told.masterStays}</p>
          ) : (
            <p className="actions">
              <button type="button" disabled={takeBack.isPending} onClick={() => setAsked(true)}>
                {told.takeBack}
              </button>
            </p>
          )}
        </>
      )}
      <div className="outcome" tabIndex={-1} ref={outcome}>
        {isTold && (
          <section className="notice notice-good" role="status">
            <h2>{told.tookBack}</h2>
            {takeBack.data.edits.length > 0 && <p>{told.keptSome(takeBack.data.edits.length)}</p>}
          </section>
        )}
        {takeBack.error !== null && <FailureNotice failure={takeBack.error} />}
      </div>
      {isAsked && (
        <Confirm
          title={told.takeBackOf(realm)}
          action={told.takeBack}
          isDangerous
          isBusy={takeBack.isPending}
          onConfirm={() => takeBack.mutate()}
          onClose={() => setAsked(false)}
        >
          <p>{told.takeBackMeans(file.edits.length, realm)}</p>
        </Confirm>
      )}
    </section>
  );
}
