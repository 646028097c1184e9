/** Where Keycloak's console is. */
const CONSOLE = /^\/admin\/[^/]+\/console\/?$/;

export function isConsole(path: string): boolean {
  return CONSOLE.test(path);
}

/** What the page of a host answers. */
export function isWelcome(path: string): boolean {
  return path === '/' || isConsole(path);
}
