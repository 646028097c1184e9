import { type ComponentType, lazy, type ReactNode } from 'react';
import { decodeSegment } from './address.ts';
import OverviewPage from './pages/overview/overview-page.tsx';

/** The names in a path, by their placeholders in the pattern. */
type Names = Readonly<Record<string, string>>;

export interface PageRoute {
  readonly path: string;
  readonly show: (names: Names) => ReactNode;
}

/**
 * All pages. If two patterns match, the first one wins. A page is loaded when it is opened, and gets the names in its
 * path.
 */
export const ROUTES: readonly PageRoute[] = [
  { path: '/', show: () => <OverviewPage /> },
  route('/plugins', () => import('./pages/plugins/plugins-page.tsx')),
  route('/plugins/catalogue', () => import('./pages/plugins/catalogue-page.tsx')),
  route('/plugins/:module', () => import('./pages/plugin/plugin-page.tsx')),
  route('/files', () => import('./pages/files/files-page.tsx')),
  route('/realms/:realm/action-tokens', () => import('./pages/action-tokens/action-tokens-page.tsx')),
  route('/realms/:realm/action-tokens/new', () => import('./pages/action-token/mint-page.tsx')),
  route('/realms/:realm/action-tokens/:user/:token', () => import('./pages/action-token/token-page.tsx')),
  route('/realms/:realm/file', () => import('./pages/file/file-page.tsx')),
  route('/realms/:realm/providers', () => import('./pages/providers/providers-page.tsx')),
  route('/realms/:realm/providers/:spi/:id', () => import('./pages/provider/provider-page.tsx')),
  route('/realms/:realm/users', () => import('./pages/users/users-page.tsx')),
  route('/realms/:realm/users/:id', () => import('./pages/user/user-page.tsx')),
  route('/realms/:realm/users/:id/sign-in', () => import('./pages/user/user-sign-in-page.tsx')),
  route('/realms/:realm/users/:id/roles', () => import('./pages/user/user-roles-page.tsx')),
  route('/realms/:realm/users/:id/groups', () => import('./pages/user/user-groups-page.tsx')),
  route('/realms/:realm/users/:id/sessions', () => import('./pages/user/user-sessions-page.tsx')),
  route('/realms/:realm/users/:id/linked-accounts', () => import('./pages/user/user-accounts-page.tsx')),
  route('/realms/:realm/users/:id/activity', () => import('./pages/user/user-activity-page.tsx')),
  route('/realms/:realm/users/:id/links', () => import('./pages/user/user-links-page.tsx')),
  route('/realms/:realm/administrators', () => import('./pages/administrators/administrators-page.tsx')),
  route('/realms/:realm/administrators/new', () => import('./pages/administrators/add-administrator-page.tsx')),
  route('/realms/:realm/clients', () => import('./pages/clients/clients-page.tsx')),
  route('/realms/:realm/connect', () => import('./pages/connect/connect-page.tsx')),
  route('/realms/:realm/clients/:id/connect', () => import('./pages/client-connect/client-connect-page.tsx')),
  route('/realms/:realm/clients/:id', () => import('./pages/client/client-page.tsx')),
  route('/realms/:realm/clients/:id/credentials', () => import('./pages/client/client-credentials-page.tsx')),
  route('/realms/:realm/clients/:id/roles', () => import('./pages/client/client-roles-page.tsx')),
  route('/realms/:realm/clients/:id/roles/:role', () => import('./pages/role/client-role-page.tsx')),
  route('/realms/:realm/clients/:id/client-scopes', () => import('./pages/client/client-scopes-page.tsx')),
  route('/realms/:realm/clients/:id/mappers', () => import('./pages/client/client-mappers-page.tsx')),
  route('/realms/:realm/clients/:id/evaluate', () => import('./pages/client/client-evaluate-page.tsx')),
  route('/realms/:realm/client-scopes', () => import('./pages/client-scopes/client-scopes-page.tsx')),
  route('/realms/:realm/client-scopes/:id', () => import('./pages/client-scope/client-scope-page.tsx')),
  route('/realms/:realm/client-scopes/:id/mappers', () => import('./pages/client-scope/scope-mappers-page.tsx')),
  route('/realms/:realm/client-scopes/:id/access', () => import('./pages/client-scope/scope-access-page.tsx')),
  route('/realms/:realm/roles', () => import('./pages/roles/roles-page.tsx')),
  route('/realms/:realm/roles/:id', () => import('./pages/role/role-page.tsx')),
  route('/realms/:realm/groups', () => import('./pages/groups/groups-page.tsx')),
  route('/realms/:realm/groups/:id', () => import('./pages/group/group-page.tsx')),
  route('/realms/:realm/identity-providers', () => import('./pages/identity-providers/identity-providers-page.tsx')),
  route(
    '/realms/:realm/identity-providers/:alias',
    () => import('./pages/identity-provider/identity-provider-page.tsx'),
  ),
  route('/realms/:realm/keys', () => import('./pages/keys/keys-page.tsx')),
  route('/realms/:realm/keys/:kid', () => import('./pages/key/key-page.tsx')),
  route('/realms/:realm/sessions', () => import('./pages/sessions/sessions-page.tsx')),
  route('/realms/:realm/events', () => import('./pages/events/events-page.tsx')),
  route('/realms/:realm/events/admin', () => import('./pages/events/admin-events-page.tsx')),
  route('/realms/:realm/events/admin/:id', () => import('./pages/event/admin-event-page.tsx')),
  route('/realms/:realm/events/user/:id', () => import('./pages/events/user-story-page.tsx')),
  route('/realms/:realm/events/:id', () => import('./pages/event/event-page.tsx')),
  route('/realms/:realm/settings', () => import('./pages/realm-settings/general-page.tsx')),
  route('/realms/:realm/settings/login', () => import('./pages/realm-settings/login-page.tsx')),
  route('/realms/:realm/settings/email', () => import('./pages/realm-settings/email-page.tsx')),
  route('/realms/:realm/settings/events', () => import('./pages/realm-settings/events-page.tsx')),
  route('/realms/:realm/settings/security', () => import('./pages/realm-settings/security-page.tsx')),
  route('/realms/:realm/settings/sessions', () => import('./pages/realm-settings/sessions-page.tsx')),
  route('/realms/:realm/settings/tokens', () => import('./pages/realm-settings/tokens-page.tsx')),
  route('/realms/:realm/pages', () => import('./pages/plugin-page/plugin-pages-page.tsx')),
  route('/realms/:realm/pages/:provider', () => import('./pages/plugin-page/plugin-page.tsx')),
];

/** A route with other names is another page, so that input in one is not shown in the other. */
function route<P extends object>(path: string, load: () => Promise<{ default: ComponentType<P> }>): PageRoute {
  const Page = lazy(load);
  return {
    path,
    show: (names) => {
      const decoded = Object.fromEntries(Object.entries(names).map(([name, value]) => [name, decodeSegment(value)]));
      return <Page key={JSON.stringify(decoded)} {...(decoded as P)} />;
    },
  };
}
