import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { BASE } from './address.ts';
import { ApiFailure } from './api/failure.ts';
import { who } from './api/who.ts';
import { Frame } from './frame/frame.tsx';
import { PageError } from './frame/page-error.tsx';
import { useMessages } from './messages/language.tsx';
import OverviewPage from './pages/overview/overview-page.tsx';
import { FailureNotice } from './parts/failure-notice.tsx';
import { NotAdminPage } from './session/not-admin-page.tsx';

const ProvidersPage = lazy(() => import('./pages/providers/providers-page.tsx'));
const UsersPage = lazy(() => import('./pages/users/users-page.tsx'));
const UserPage = lazy(() => import('./pages/user/user-page.tsx'));
const ClientsPage = lazy(() => import('./pages/clients/clients-page.tsx'));
const ClientPage = lazy(() => import('./pages/client/client-page.tsx'));
const SessionsPage = lazy(() => import('./pages/sessions/sessions-page.tsx'));
const NotFoundPage = lazy(() => import('./pages/not-found/not-found-page.tsx'));

/** Milliseconds for which an answer counts as new. */
const FRESH_MS = 5_000;
const RETRIES = 2;

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // What the host refuses it refuses again.
        retry: (count, error) => count < RETRIES && error instanceof ApiFailure && error.kind === 'away',
      },
    },
  });
}

/** The desk of a user who is signed in. */
export function Desk() {
  const [client] = useState(newQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Router base={BASE}>
        <Admitted />
      </Router>
    </QueryClientProvider>
  );
}

function Admitted() {
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
          <Route path="/" component={OverviewPage} />
          <Route path="/realms/:realm/providers" component={ProvidersPage} />
          <Route path="/realms/:realm/users">{({ realm }) => <UsersPage key={realm} realm={realm} />}</Route>
          <Route path="/realms/:realm/users/:id">
            {(names) => <UserPage key={`${names.realm} ${names.id}`} {...names} />}
          </Route>
          <Route path="/realms/:realm/clients">{({ realm }) => <ClientsPage key={realm} realm={realm} />}</Route>
          <Route path="/realms/:realm/clients/:id">
            {(names) => <ClientPage key={`${names.realm} ${names.id}`} {...names} />}
          </Route>
          <Route path="/realms/:realm/sessions">{({ realm }) => <SessionsPage key={realm} realm={realm} />}</Route>
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </PageError>
  );
}
