import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { segment } from '../../address.ts';
import { tokensOf, tokenTypes } from '../../api/action-tokens.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { useListState } from '../../parts/list-state.ts';
import { QueryResult } from '../../parts/loaded.tsx';
import { NoPolicy } from './no-policy.tsx';
import { texts } from './texts.ts';
import { TokenFilters } from './token-filters.tsx';
import { TokenPages } from './token-pages.tsx';
import { TokenTable } from './token-table.tsx';

export default function ActionTokensPage({ realm }: { realm: string }) {
  const told = useTexts(texts);
  const may = useRights(realm);
  const { get, set } = useListState();
  const type = get('type');
  const userId = get('user');
  const clientId = get('client');
  const after = get('after');
  const types = useQuery(tokenTypes(realm));
  const query = useQuery(tokensOf(realm, { type, userId, clientId, after }));
  const isNarrowed = [type, userId, clientId, after].some((one) => one !== '');
  const isListing = types.data?.some(({ isListed }) => isListed) ?? true;
  return (
    <Page title={told.title(realm)} lead={told.lead}>
      {may('manage-users') && types.data?.some(({ isMintable }) => isMintable) === true && (
        <p className="actions">
          <Link className="button" href={`/realms/${segment(realm)}/action-tokens/new`}>
            {told.mint}
          </Link>
        </p>
      )}
      {!isListing && <NoPolicy realm={realm} title={told.noPolicy} lead={told.noPolicyLead} />}
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
                    <p>{next !== undefined ? told.further : isNarrowed ? told.emptyFound : told.empty}</p>
                    {isNarrowed && (
                      <button type="button" onClick={() => set({ type: '', user: '', client: '', after: '' })}>
                        {told.clear}
                      </button>
                    )}
                  </div>
                )}
                <TokenPages after={after} next={next} onAfter={(place) => set({ after: place })} />
              </>
            )}
          </QueryResult>
        </section>
      )}
    </Page>
  );
}
