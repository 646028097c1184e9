import { AdminPage, type AdminPageDeclaration, type AdminPageProvider } from '@keyhost/spi';
import { isOn } from '../../registry/generations/realm-providers.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { Admin } from '../admin.js';
import { forbidden, notFound } from '../admin.js';
import type { AdminCall } from '../operation.js';

export type RegisteredPage = RegisteredProvider<AdminPageDeclaration, AdminPageProvider>;

/** What it takes to see whom a page is about. */
const SUBJECT_ROLE = { user: 'view-users', client: 'view-clients', realm: undefined, provider: undefined } as const;

/** The pages that are on in the realm. @throws HostError 403 for who administers nothing of it */
export function pagesOf({ admin, realm, caller }: AdminCall): readonly RegisteredPage[] {
  if (admin.rolesOver(realm.name).size === 0) throw forbidden();
  return caller.providers.all(AdminPage).filter((page) => isOn(realm, page));
}

/** @throws AdminError 404 where there is none of that name, or it is off in the realm */
export function pageOf(call: AdminCall): RegisteredPage {
  const { provider = '' } = call.params;
  const page = pagesOf(call).find(({ id }) => id === provider);
  if (page === undefined) throw notFound('Page not found in this realm');
  return page;
}

/** Whether an admin may see the page, and whom it is about. */
export function maySee({ admin, realm }: AdminCall, { view, at }: AdminPageDeclaration): boolean {
  const role = SUBJECT_ROLE[at];
  return holdsOne(admin, realm.name, view) && (role === undefined || admin.can(realm.name, role));
}

/** One of the roles suffices. A realm's admins in `master` have no `realm-admin` by that name. */
export function holdsOne(admin: Admin, realm: string, roles: readonly string[]): boolean {
  return roles.some((role) => (role === 'realm-admin' ? admin.mayEverything(realm) : admin.can(realm, role)));
}
