import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { tokensOf, tokenTypes } from '../../api/action-tokens.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { useListState } from '../../parts/list-state.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { NoPolicy } from './no-policy.tsx';
import { texts } from './texts.ts';
import { TokenFilters } from './token-filters.tsx';
import { TokenPager } from './token-pager.tsx';
import { TokenTable } from './token-table.tsx';

export default function ActionTokensPage({ realm }: { realm: string }) {
  const strings = useTexts(texts);
  const may = useRights(realm);
  const { get, set } = useListState();
  const type = get('type');
  const userId = get('user');
  const clientId = get('client');
  const after = get('after');
  const types = useQuery(tokenTypes(realm));
  const query = useQuery(tokensOf(realm, { type, userId, clientId, after }));
  const hasFilter = [type, userId, clientId, after].some((one) => one !== '');
  const isListing = types.data?.some(({ isListed }) => isListed) ?? true;
  return (
    <Page title={strings.title(realm)} lead={strings.lead}>
      {may('manage-users') && types.data?.some(({ isMintable }) => isMintable) === true && (
        <p className="actions">
          <Link className="button" href={`/realms/${encodeSegment(realm)}/action-tokens/new`}>
            {strings.mint}
          </Link>
        </p>
      )}
      {!isListing && <NoPolicy realm={realm} title={strings.noPolicy} lead={strings.noPolicyLead} />}
      {isListing && (
        <section>
          {types.data !== undefined && (
            <TokenFilters
              realm={realm}
              types={types.data}
              filter={{ type, userId, clientId }}
              onFilter={(changes) => set({ ...changes, after: '' })}
            />
          )}
          <QueryResult query={query}>
            {({ actionTokens, next }) => (
              <>
                {actionTokens.length > 0 ? (
                  <TokenTable realm={realm} tokens={actionTokens} types={types.data ?? []} />
                ) : (
                  <div className="nothing" role="status">
                    <p>{next !== undefined ? strings.further : hasFilter ? strings.emptyFound : strings.empty}</p>
                    {hasFilter && (
                      <button type="button" onClick={() => set({ type: '', user: '', client: '', after: '' })}>
                        {strings.clear}
                      </button>
                    )}
                  </div>
                )}
                <TokenPager after={after} next={next} onAfter={(position) => set({ after: position })} />
              </>
            )}
          </QueryResult>
        </section>
      )}
    </Page>
  );
}
