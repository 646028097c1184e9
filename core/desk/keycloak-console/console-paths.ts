/** Where the files of the console's program are: the same for all realms. */
export const CONSOLE_ASSETS = '/resources/keycloak-console/assets/';
/** Keycloak's address of a realm's console, and below it the texts of a realm's own. What else is below it the Admin API answers. */
const PATH = /^\/admin\/([^/]+)\/console(?:(\/)(?:messages\/([^/]+))?)?$/;

/** What a path of the console asks for. */
export interface ConsolePath {
  /** As it stands in the path. */
  readonly realm: string;
  /** Of texts: a BCP 47 tag; undefined: the page. */
  readonly language?: string;
  /** False where the slash at the end is missing, from which the page's addresses go on. */
  readonly isWhole: boolean;
}

/** @returns undefined for every path that is not the console's own */
export function readConsolePath(path: string): ConsolePath | undefined {
  const [, realm, slash, language] = PATH.exec(path) ?? [];
  const names = [realm, language].map((name) => name && decoded(name));
  if (names[0] === undefined || (language !== undefined && names[1] === undefined)) return undefined;
  return { realm: names[0], isWhole: slash !== undefined, ...(names[1] === undefined ? {} : { language: names[1] }) };
}

export function isOfConsole(path: string): boolean {
  return path.startsWith(CONSOLE_ASSETS) || readConsolePath(path) !== undefined;
}

/** @returns undefined where percent signs stand for nothing */
function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
