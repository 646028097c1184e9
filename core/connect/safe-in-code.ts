import type { Connection } from './instructions.js';

/** What would end the quotes of a shell or a language, or mean something within them. */
const ENDS_QUOTES = /['"`\\$\p{C}]/u;
/** What no shell takes for anything else. */
const PLAIN_WORD = /^[\w.:/@%+-]+$/;

/**
 * The connection as code may have it: whoever copies the code runs it, and a client's ID and secret are somebody else's words. A
 * value that could end the quotes around it has a name in its place.
 * @returns `replaced`: names and what they stand for
 */
export function safeInCode(connection: Connection): {
  readonly safe: Connection;
  readonly replaced: readonly (readonly [name: string, value: string])[];
} {
  const replaced: (readonly [string, string])[] = [];
  const quotable = (name: string, what: string, value: string) => {
    if (!ENDS_QUOTES.test(value)) return value;
    replaced.push([name, what]);
    return name;
  };
  const { realm, secret, wanted } = connection;
  const { clientId, url, redirectUris } = wanted;
  const safe = {
    ...connection,
    realm: quotable('REALM', 'the realm name', realm),
    secret: secret && quotable('CLIENT_SECRET', 'the client secret', secret),
    wanted: {
      ...wanted,
      clientId: quotable('CLIENT_ID', 'the client ID', clientId),
      url: url !== undefined && ENDS_QUOTES.test(new URL(url).href) ? undefined : url,
      redirectUris: redirectUris.filter((uri) => !ENDS_QUOTES.test(uri)),
    },
  };
  return { safe, replaced };
}

/** One argument of a command, without quotes where it needs none. @param value one that {@link safeInCode} left */
export function shellWord(value: string): string {
  return PLAIN_WORD.test(value) ? value : `'${value}'`;
}
