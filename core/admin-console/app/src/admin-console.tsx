import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { BASE_PATH } from './address.ts';
import { ApiFailure } from './api/failure.ts';
import { who } from './api/who.ts';
import { Frame } from './frame/frame.tsx';
import { PageError } from './frame/page-error.tsx';
import { hasUnsaved } from './frame/unsaved.ts';
import { useMessages } from './messages/language.tsx';
import { FailureNotice } from './parts/failure-notice.tsx';
import { ROUTES } from './routes.tsx';
import { NotAdminPage } from './session/not-admin-page.tsx';

const NotFoundPage = lazy(() => import('./pages/not-found/not-found-page.tsx'));

/** How long an answer counts as fresh, in milliseconds. */
const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A refused request would be refused again.
        retry: (count, error) => count < MAX_RETRIES && error instanceof ApiFailure && error.kind === 'away',
      },
    },
  });
}

/** The admin console for a signed-in user. */
export function AdminConsole() {
  const [client] = useState(newQueryClient);
  const { form } = useMessages();
  return (
    <QueryClientProvider client={client}>
      <Router
        base={BASE_PATH}
        aroundNav={(navigate, to, options) => {
          if (!hasUnsaved() || window.confirm(form.leave)) navigate(to, options);
        }}
      >
        <AdminPages />
      </Router>
    </QueryClientProvider>
  );
}

function AdminPages() {
  const { data, error, refetch } = useQuery(who());
  if (error instanceof ApiFailure && error.kind === 'forbidden') return <NotAdminPage />;
  if (error !== null && data === undefined) {
    return (
      <main className="alone">
        <FailureNotice failure={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  if (data === undefined) return null;
  return (
    <Frame>
      <Pages />
    </Frame>
  );
}

function Pages() {
  const { loading } = useMessages();
  const [path] = useLocation();
  return (
    <PageError path={path}>
      <Suspense fallback={<p className="loading">{loading}</p>}>
        <Switch>
          {ROUTES.map(({ path: pattern, show }) => (
            <Route key={pattern} path={pattern}>
              {(names) => show(names as Readonly<Record<string, string>>)}
            </Route>
          ))}
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </PageError>
  );
}
