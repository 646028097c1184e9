import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type ClientScope, oneScope, removeScope, scopeKey, scopesKey } from '../../api/client-scopes.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { scopeHref } from '../client-scopes/scope-href.ts';
import { texts as scopeTexts } from './texts.ts';

/** The properties of each part of a client scope's pages. */
export interface ScopeSectionProps {
  readonly realm: string;
  readonly scope: ClientScope;
  readonly tag: string | undefined;
  readonly canManage: boolean;
}

const TABS = ['settings', 'mappers', 'access'] as const;

/** A page of a client scope: its name, and links to its other pages. */
export function ScopeFrame(props: {
  realm: string;
  id: string;
  tab: (typeof TABS)[number];
  children: (props: ScopeSectionProps) => ReactNode;
}) {
  const { realm, id, tab, children } = props;
  const texts = useTexts(scopeTexts);
  const query = useQuery(oneScope(realm, id));
  const canManage = useRights(realm)('manage-clients');
  const list = scopeHref(realm);
  const href = scopeHref(realm, id);
  return (
    <Page title={query.data?.body.name ?? id} lead={<Link href={list}>{texts.back}</Link>}>
      <QueryResult query={query}>
        {({ body: scope, tag }) => (
          <>
            {canManage && (
              <div className="page-line">
                <RemoveButton
                  name={scope.name}
                  texts={texts}
                  list={list}
                  keys={{ one: scopeKey(realm, id), lists: scopesKey(realm) }}
                  onRemove={() => removeScope(realm, id, tag)}
                />
              </div>
            )}
            <nav className="tabs" aria-label={texts.tabsOf(scope.name)}>
              {TABS.map((one) => (
                <Link
                  key={one}
                  href={one === 'settings' ? href : `${href}/${one}`}
                  aria-current={one === tab ? 'page' : undefined}
                >
                  {texts.tabs[one]}
                </Link>
              ))}
            </nav>
            {!canManage && <p className="notice">{texts.readOnly}</p>}
            {children({ realm, scope, tag, canManage })}
          </>
        )}
      </QueryResult>
    </Page>
  );
}
