/** Where the desk is. */
export const DESK = '/admin/desk/';
/** Where the files of its program are. */
export const ASSETS = `${DESK}assets/`;
/** Keycloak's `/admin/{realm}/console`, of a realm that is called `desk`. */
const CONSOLE = `${DESK}console`;

/** True for what the desk answers: `/admin`, which leads to it, and everything below its own path. */
export function isOfDesk(path: string): boolean {
  if (path === '/admin' || path === '/admin/' || `${path}/` === DESK) return true;
  return path.startsWith(DESK) && path !== CONSOLE && !path.startsWith(`${CONSOLE}/`);
}
