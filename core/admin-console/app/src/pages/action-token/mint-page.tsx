import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type MintRequest, mintToken, tokensKey, tokenTypes } from '../../api/action-tokens.ts';
import type { ListedUser } from '../../api/users.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { NoPolicy } from '../action-tokens/no-policy.tsx';
import { texts } from '../action-tokens/texts.ts';
import { MintForm } from './mint-form.tsx';
import { MintedLink } from './minted-link.tsx';

export default function MintPage({ realm }: { realm: string }) {
  const strings = useTexts(texts);
  const client = useQueryClient();
  const types = useQuery(tokenTypes(realm));
  const [formKey, setFormKey] = useState(0);
  const mint = useMutation({
    // The link is a secret, so it is dropped with the page.
    gcTime: 0,
    mutationFn: ({ user, request }: { user: ListedUser; request: MintRequest }) => mintToken(realm, user.id, request),
    onSuccess: () => client.invalidateQueries({ queryKey: tokensKey(realm) }),
  });
  return (
    <Page title={strings.mintTitle} lead={strings.mintLead(realm)}>
      {mint.data !== undefined ? (
        <MintedLink
          realm={realm}
          user={mint.variables.user}
          minted={mint.data}
          onAgain={() => {
            mint.reset();
            setFormKey(formKey + 1);
          }}
        />
      ) : (
        <QueryResult query={types}>
          {(all) => {
            const mintable = all.filter(({ isMintable }) => isMintable);
            if (mintable.length === 0)
              return <NoPolicy realm={realm} title={strings.notMintable} lead={strings.notMintableLead} />;
            return (
              <MintForm
                key={formKey}
                realm={realm}
                types={mintable}
                isBusy={mint.isPending}
                failure={mint.error}
                onMint={(user, request) => mint.mutate({ user, request })}
              />
            );
          }}
        </QueryResult>
      )}
    </Page>
  );
}
