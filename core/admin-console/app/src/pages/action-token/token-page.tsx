import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { historyOf, revokeToken, tokensKey, tokenTypes } from '../../api/action-tokens.ts';
import { useRights } from '../../api/rights.ts';
import { oneUser } from '../../api/users.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useFocusWhen } from '../../parts/use-focus-when.ts';
import { texts } from '../action-tokens/texts.ts';
import { TokenFacts } from './token-facts.tsx';
import { TokenHistoryTable } from './token-history.tsx';

export default function TokenPage({ realm, user, token }: { realm: string; user: string; token: string }) {
  const strings = useTexts(texts);
  const client = useQueryClient();
  const may = useRights(realm);
  const query = useQuery(historyOf(realm, user, token));
  const types = useQuery(tokenTypes(realm));
  const { data: owner } = useQuery(oneUser(realm, user));
  const [isConfirming, setConfirming] = useState(false);
  const revoke = useMutation({
    mutationFn: () => revokeToken(realm, user, token),
    onSettled: async () => {
      setConfirming(false);
      await client.invalidateQueries({ queryKey: tokensKey(realm) });
    },
  });
  const outcome = useFocusWhen<HTMLDivElement>(revoke.isSuccess || revoke.isError);
  const username = owner?.body.username ?? user;
  return (
    <Page title={strings.tokenTitle} lead={strings.tokenLead(username, realm)}>
      <QueryResult query={query}>
        {(history) => (
          <>
            <TokenFacts token={history} types={types.data ?? []} />
            {history.state === 'out' && may('manage-users') && (
              <p className="actions">
                <button type="button" className="danger" onClick={() => setConfirming(true)}>
                  {strings.revoke}
                </button>
              </p>
            )}
            <div className="outcome" tabIndex={-1} ref={outcome}>
              <p role="status">{revoke.isSuccess && strings.revoked}</p>
              {revoke.error !== null && <FailureNotice failure={revoke.error} />}
            </div>
            <TokenHistoryTable token={history} />
          </>
        )}
      </QueryResult>
      {isConfirming && (
        <Confirm
          title={strings.revokeIt(username)}
          action={strings.revoke}
          isDangerous
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate()}
          onClose={() => setConfirming(false)}
        >
          <p>{strings.revokeMeans}</p>
        </Confirm>
      )}
    </Page>
  );
}
