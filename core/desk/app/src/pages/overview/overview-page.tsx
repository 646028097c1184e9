import { Page } from '../../frame/page.tsx';
import { useMessages } from '../../messages/language.tsx';
import { HostFacts } from './host-facts.tsx';
import { RealmList } from './realm-list.tsx';
import { WrongList } from './wrong-list.tsx';

export default function OverviewPage() {
  const { overview } = useMessages();
  return (
    <Page title={overview.title}>
      <WrongList />
      <HostFacts />
      <RealmList />
    </Page>
  );
}
