import { Page } from '../../frame/page.tsx';
import { useMessages } from '../../messages/language.tsx';
import { HostFacts } from './host-facts.tsx';
import { RealmList } from './realm-list.tsx';

export default function OverviewPage() {
  const { overview } = useMessages();
  return (
    <Page title={overview.title}>
      <HostFacts />
      <RealmList />
    </Page>
  );
}
