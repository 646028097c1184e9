import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import {
  type IdentityProvider,
  identityProviderKey,
  identityProvidersKey,
  oneIdentityProvider,
  removeIdentityProvider,
} from '../../api/identity-providers.ts';
import { useRights } from '../../api/rights.ts';
import { type IdentityProviderKind, serverInfo } from '../../api/server-info.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { ProviderState } from '../identity-providers/provider-state.tsx';
import { RedirectUri } from '../identity-providers/redirect-uri.tsx';
import { texts as listTexts } from '../identity-providers/texts.ts';
import { ProviderMappers } from './provider-mappers.tsx';
import { ProviderSettings } from './provider-settings.tsx';
import { texts as providerTexts } from './texts.ts';

/** The properties of each part of the page. */
export interface ProviderSectionProps {
  readonly realm: string;
  readonly provider: IdentityProvider;
  /** Undefined if the host does not support it, so that users cannot sign in with it. */
  readonly kind: IdentityProviderKind | undefined;
  readonly tag: string | undefined;
  readonly canManage: boolean;
}

export default function IdentityProviderPage({ realm, alias }: { realm: string; alias: string }) {
  const texts = useTexts(providerTexts);
  const query = useQuery(oneIdentityProvider(realm, alias));
  const back = <Link href={`/realms/${encodeSegment(realm)}/identity-providers`}>{texts.back}</Link>;
  return (
    <Page title={query.data?.body.displayName || alias} lead={back}>
      <QueryResult query={query}>{({ body, tag }) => <Sections realm={realm} provider={body} tag={tag} />}</QueryResult>
    </Page>
  );
}

function Sections({ realm, provider, tag }: Pick<ProviderSectionProps, 'realm' | 'provider' | 'tag'>) {
  const texts = useTexts(providerTexts);
  const list = useTexts(listTexts);
  const canManage = useRights(realm)('manage-identity-providers');
  const host = useQuery(serverInfo());
  const { alias, providerId } = provider;
  return (
    <QueryResult query={host}>
      {({ identityProviders }) => {
        const kind = identityProviders.find(({ id }) => id === providerId);
        const props = { realm, provider, kind, tag, canManage };
        return (
          <>
            <div className="page-line">
              <ProviderState provider={provider} />
              {canManage && (
                <RemoveButton
                  name={alias}
                  texts={texts}
                  list={`/realms/${encodeSegment(realm)}/identity-providers`}
                  keys={{
                    one: identityProviderKey(realm, alias),
                    lists: [...identityProvidersKey(realm), 'list'],
                  }}
                  onRemove={() => removeIdentityProvider(realm, alias, tag)}
                />
              )}
            </div>
            {kind === undefined && <p className="notice notice-warning">{texts.unsupported}</p>}
            {!canManage && <p className="notice">{texts.readOnly}</p>}
            <Facts
              facts={[
                [texts.alias, <code key="alias">{alias}</code>],
                [texts.kind, kind?.name ?? providerId],
                [list.redirectUri, <RedirectUri key="uri" realm={realm} alias={alias} />],
              ]}
            />
            <ProviderSettings {...props} />
            <ProviderMappers {...props} />
          </>
        );
      }}
    </QueryResult>
  );
}
