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
      {(props) => (
        <>
          <Facts
            facts={[
              [texts.id, <code key="id">{props.client.id}</code>],
              [texts.protocol, props.client.protocol],
              [texts.defaults, props.client.defaultClientScopes.join(', ') || none],
              [texts.optional, props.client.optionalClientScopes.join(', ') || none],
            ]}
          />
          <ClientSettings {...props} />
          <PagesAt realm={realm} place={{ at: 'client', subject: props.client.id }} />
        </>
      )}
    </ClientFrame>
  );
}
