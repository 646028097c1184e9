import { AdminPage, type AdminPageDeclaration, type AdminPageProvider } from '@keyhost/spi';
import { isEnabledInRealm } from '../../registry/generations/realm-providers.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { Admin } from '../admin.js';
import { forbiddenError, notFoundError } from '../admin.js';
import type { AdminCall } from '../operation.js';

export type RegisteredPage = RegisteredProvider<AdminPageDeclaration, AdminPageProvider>;

/** The role that a caller needs to see the subject of a page. */
const SUBJECT_ROLE = { user: 'view-users', client: 'view-clients', realm: undefined, provider: undefined } as const;

/** The pages that are enabled in the realm. @throws HostError 403 for callers without any role in the realm */
export function enabledPages({ admin, realm, caller }: AdminCall): readonly RegisteredPage[] {
  if (admin.rolesOver(realm.name).size === 0) throw forbiddenError();
  return caller.providers.all(AdminPage).filter((page) => isEnabledInRealm(realm, page));
}

/** Finds the page of the path. @throws AdminError 404 if the page does not exist or is disabled in the realm */
export function requirePage(call: AdminCall): RegisteredPage {
  const { provider = '' } = call.params;
  const page = enabledPages(call).find(({ id }) => id === provider);
  if (page === undefined) throw notFoundError('Page not found in this realm');
  return page;
}

/** True if an admin may see the page and its subject. */
export function maySeePage({ admin, realm }: AdminCall, { view, at }: AdminPageDeclaration): boolean {
  const role = SUBJECT_ROLE[at];
  return hasAnyRole(admin, realm.name, view) && (role === undefined || admin.can(realm.name, role));
}

/** True if the admin has one of the roles. A realm's admins in `master` have no role called `realm-admin`. */
export function hasAnyRole(admin: Admin, realm: string, roles: readonly string[]): boolean {
  return roles.some((role) => (role === 'realm-admin' ? admin.isRealmAdmin(realm) : admin.can(realm, role)));
}
