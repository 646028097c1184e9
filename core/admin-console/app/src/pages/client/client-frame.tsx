import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type Client, clientKey, clientsKey, oneClient, removeClient } from '../../api/clients.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { kindOf } from '../clients/client-kind.ts';
import { isBuiltInClient, isProtectedClient } from '../clients/protected-clients.ts';
import { texts as clientsTexts } from '../clients/texts.ts';
import { texts as clientTexts } from './texts.ts';

/** The properties of each part of a client's pages. */
export interface ClientSectionProps {
  readonly realm: string;
  readonly client: Client;
  readonly tag: string | undefined;
}

/** The pages of one client, in their order. */
export type ClientTab = 'settings' | 'credentials' | 'roles' | 'client-scopes' | 'mappers' | 'evaluate';

/** A page of a client: its name and state, and links to its other pages. */
export function ClientFrame(props: {
  realm: string;
  id: string;
  tab: ClientTab;
  children: (props: ClientSectionProps) => ReactNode;
}) {
  const { realm, id, tab, children } = props;
  const texts = useTexts(clientTexts);
  const query = useQuery(oneClient(realm, id));
  const back = <Link href={`/realms/${encodeSegment(realm)}/clients`}>{texts.back}</Link>;
  return (
    <Page title={query.data?.body.clientId ?? id} lead={back}>
      <QueryResult query={query}>
        {({ body: client, tag }) => (
          <>
            <ClientLine realm={realm} client={client} tag={tag} />
            <Tabs realm={realm} client={client} tab={tab} />
            {!client.access.manage && (
              <p className="notice">{isProtectedClient(realm, client.clientId) ? texts.kept : texts.readOnly}</p>
            )}
            {children({ realm, client, tag })}
          </>
        )}
      </QueryResult>
    </Page>
  );
}

/** The client's state, and a button to delete it. */
function ClientLine({ realm, client, tag }: ClientSectionProps) {
  const texts = useTexts(clientTexts);
  const clients = useTexts(clientsTexts);
  const { id, clientId, enabled, access } = client;
  const list = `/realms/${encodeSegment(realm)}/clients`;
  return (
    <div className="page-line">
      {enabled ? <Badge tone="good">{clients.enabled}</Badge> : <Badge tone="neutral">{clients.disabled}</Badge>}
      {client.protocol === 'openid-connect' && (
        <Link className="button" href={`${list}/${encodeSegment(id)}/connect`}>
          {texts.connect}
        </Link>
      )}
      {access.manage && !isBuiltInClient(realm, clientId) && (
        <RemoveButton
          name={clientId}
          texts={texts}
          list={list}
          keys={{ one: clientKey(realm, id), lists: [...clientsKey(realm), 'list'] }}
          onRemove={() => removeClient(realm, id, tag)}
        />
      )}
    </div>
  );
}

function Tabs({ realm, client, tab }: { realm: string; client: Client; tab: ClientTab }) {
  const { tabs, tabsOf } = useTexts(clientTexts);
  const basePath = `/realms/${encodeSegment(realm)}/clients/${encodeSegment(client.id)}`;
  const isOidc = client.protocol === 'openid-connect';
  const shown: readonly ClientTab[] = [
    'settings',
    ...(kindOf(client) === 'confidential' && isOidc ? (['credentials'] as const) : []),
    ...(['roles', 'client-scopes', 'mappers'] as const),
    ...(isOidc ? (['evaluate'] as const) : []),
  ];
  return (
    <nav className="tabs" aria-label={tabsOf(client.clientId)}>
      {shown.map((one) => (
        <Link
          key={one}
          href={one === 'settings' ? basePath : `${basePath}/${one}`}
          aria-current={one === tab ? 'page' : undefined}
        >
          {tabs[one]}
        </Link>
      ))}
    </nav>
  );
}
