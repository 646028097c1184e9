import { useMessages, useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PagesAt } from '../plugin-page/pages-at.tsx';
import { ClientFrame } from './client-frame.tsx';
import { ClientSettings } from './client-settings.tsx';
import { texts as clientTexts } from './texts.ts';

export default function ClientPage({ realm, id }: { realm: string; id: string }) {
  const texts = useTexts(clientTexts);
  const { none } = useMessages();
  return (
    <ClientFrame realm={realm} id={id} tab="settings">
      {(of) => (
        <>
          <Facts
            facts={[
              [texts.id, <code key="id">{of.client.id}</code>],
              [texts.protocol, of.client.protocol],
              [texts.defaults, of.client.defaultClientScopes.join(', ') || none],
              [texts.optional, of.client.optionalClientScopes.join(', ') || none],
            ]}
          />
          <ClientSettings {...of} />
          <PagesAt realm={realm} place={{ at: 'client', subject: of.client.id }} />
        </>
      )}
    </ClientFrame>
  );
}
