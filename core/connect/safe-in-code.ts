import type { Connection } from './instructions.js';

/** Characters that end a quoted string in a shell or a language, or are special within one. */
const ENDS_QUOTES = /['"`\\$\p{C}]/u;
/** Words that no shell interprets. */
const PLAIN_WORD = /^[\w.:/@%+-]+$/;

/**
 * The connection with values that are safe in code, because users copy and run the code, and others may have chosen a
 * client's ID and secret. A value that could end the quotes around it is replaced by a name.
 * @returns `replaced`: the names, and what they replace
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

/** One argument of a command, quoted if necessary. @param value from {@link safeInCode} */
export function shellWord(value: string): string {
  return PLAIN_WORD.test(value) ? value : `'${value}'`;
}
