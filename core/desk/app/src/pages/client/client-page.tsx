import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { segment } from '../../address.ts';
import { type Client, oneClient } from '../../api/clients.ts';
import type { Tagged } from '../../api/request.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { kindOf } from '../clients/client-kind.ts';
import { texts as clientsTexts } from '../clients/texts.ts';
import { PagesAt } from '../plugin-page/pages-at.tsx';
import { ClientSecret } from './client-secret.tsx';
import { ClientSettings } from './client-settings.tsx';
import { TestToken } from './test-token.tsx';
import { texts as clientTexts } from './texts.ts';

/** What each part of the page is about. */
export interface OfClient {
  readonly realm: string;
  readonly client: Client;
  readonly tag: string | undefined;
}

export default function ClientPage({ realm, id }: { realm: string; id: string }) {
  const texts = useTexts(clientTexts);
  const query = useQuery(oneClient(realm, id));
  const back = <Link href={`/realms/${segment(realm)}/clients`}>{texts.back}</Link>;
  return (
    <Page title={query.data?.body.clientId ?? id} lead={back}>
      <Loaded query={query}>{(tagged) => <Parts realm={realm} tagged={tagged} />}</Loaded>
    </Page>
  );
}

function Parts({ realm, tagged: { body: client, tag } }: { realm: string; tagged: Tagged<Client> }) {
  const texts = useTexts(clientTexts);
  const clients = useTexts(clientsTexts);
  const { none } = useMessages();
  const of = { realm, client, tag };
  const { access, enabled } = client;
  return (
    <>
      <div className="page-line">
        {enabled ? <Badge tone="good">{clients.enabled}</Badge> : <Badge tone="neutral">{clients.disabled}</Badge>}
      </div>
      {!access.manage && <p className="notice">{texts.readOnly}</p>}
      <Facts
        facts={[
          [texts.id, <code key="id">{client.id}</code>],
          [texts.protocol, client.protocol],
          [texts.defaults, client.defaultClientScopes.join(', ') || none],
          [texts.optional, client.optionalClientScopes.join(', ') || none],
        ]}
      />
      <ClientSettings {...of} />
      {kindOf(client) === 'confidential' && access.manage && <ClientSecret {...of} />}
      {client.protocol === 'openid-connect' && <TestToken realm={realm} client={client} />}
      <PagesAt realm={realm} place={{ at: 'client', subject: client.id }} />
    </>
  );
}
