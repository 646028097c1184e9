import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useRealmOfApps } from '../../frame/realm-of-apps.ts';
import { useMessages } from '../../messages/language.tsx';
import { HostFacts } from './host-facts.tsx';
import { OverviewProblems } from './overview-problems.tsx';
import { RealmList } from './realm-list.tsx';

/** The charts are loaded after the page. */
const Statistics = lazy(() => import('./statistics.tsx'));

export default function OverviewPage() {
  const { overview, loading } = useMessages();
  const realm = useRealmOfApps();
  const can = useRights(realm);
  return (
    <Page title={overview.title}>
      {(can('create-client') || can('manage-clients')) && (
        <p className="actions">
          <Link className="button" href={`/realms/${encodeSegment(realm)}/connect`}>
            {overview.connect(realm)}
          </Link>
        </p>
      )}
      <OverviewProblems />
      <RealmList />
      <Suspense fallback={<p className="loading">{loading}</p>}>
        <Statistics />
      </Suspense>
      <HostFacts />
    </Page>
  );
}
