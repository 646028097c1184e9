/** The path of the console program's files, the same for all realms. */
export const CONSOLE_ASSETS = '/resources/keycloak-console/assets/';
/**
 * Keycloak's path of a realm's console, and below it the realm's own texts. The Admin API answers all other paths below
 * it.
 */
const PATH = /^\/admin\/([^/]+)\/console(?:(\/)(?:messages\/([^/]+))?)?$/;

/** The parts of a path of the console. */
export interface ConsolePath {
  /** As in the path. */
  readonly realm: string;
  /** The language of the requested texts, a BCP 47 tag; undefined for the page. */
  readonly language?: string;
  /** False if the trailing slash is missing, which the page's relative addresses need. */
  readonly isWhole: boolean;
}

/** @returns undefined for every other path */
export function readConsolePath(path: string): ConsolePath | undefined {
  const [, realm, slash, language] = PATH.exec(path) ?? [];
  const names = [realm, language].map((name) => name && decoded(name));
  if (names[0] === undefined || (language !== undefined && names[1] === undefined)) return undefined;
  return { realm: names[0], isWhole: slash !== undefined, ...(names[1] === undefined ? {} : { language: names[1] }) };
}

export function isKeycloakConsolePath(path: string): boolean {
  return path.startsWith(CONSOLE_ASSETS) || readConsolePath(path) !== undefined;
}

/** @returns undefined for an invalid percent-encoding */
function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
