/** The path of the admin console. */
export const ADMIN_CONSOLE_PATH = '/admin/desk/';
/** The path of its program's files. */
export const ASSETS = `${ADMIN_CONSOLE_PATH}assets/`;
/** Keycloak's path `/admin/{realm}/console` for a realm called `admin console`. */
const CONSOLE = `${ADMIN_CONSOLE_PATH}console`;

/** True for the paths of the admin console: `/admin`, which redirects to it, and everything below its own path. */
export function isAdminConsolePath(path: string): boolean {
  if (path === '/admin' || path === '/admin/' || `${path}/` === ADMIN_CONSOLE_PATH) return true;
  return path.startsWith(ADMIN_CONSOLE_PATH) && path !== CONSOLE && !path.startsWith(`${CONSOLE}/`);
}
