import { lazy, Suspense } from 'react';
import { Page } from '../../frame/page.tsx';
import { useMessages } from '../../messages/language.tsx';
import { HostFacts } from './host-facts.tsx';
import { RealmList } from './realm-list.tsx';
import { WrongList } from './wrong-list.tsx';

/** Charts are loaded after the page. */
const Statistics = lazy(() => import('./statistics.tsx'));

export default function OverviewPage() {
  const { overview, loading } = useMessages();
  return (
    <Page title={overview.title}>
      <WrongList />
      <Suspense fallback={<p className="loading">{loading}</p>}>
        <Statistics />
      </Suspense>
      <HostFacts />
      <RealmList />
    </Page>
  );
}
