/** The path of the admin console. */
export const DESK = '/admin/desk/';
/** The path of its program's files. */
export const ASSETS = `${DESK}assets/`;
/** Keycloak's path `/admin/{realm}/console` for a realm called `desk`. */
const CONSOLE = `${DESK}console`;

/** True for the paths of the admin console: `/admin`, which redirects to it, and everything below its own path. */
export function isAdminConsolePath(path: string): boolean {
  if (path === '/admin' || path === '/admin/' || `${path}/` === DESK) return true;
  return path.startsWith(DESK) && path !== CONSOLE && !path.startsWith(`${CONSOLE}/`);
}
