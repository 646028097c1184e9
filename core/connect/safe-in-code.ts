import type { Connection } from './instructions.js';

/** Characters that end a quoted string in a shell or a language, or are special within one. */
const UNSAFE_CHARACTER = /['"`\\$\p{C}]/u;
/** Matches words in which no shell interprets any character. */
const PLAIN_WORD = /^[\w.:/@%+-]+$/;

/**
 * Replaces values of a connection that are not safe in code, by a name. These are values that could end the quotes
 * around them. Users copy and run the code, but other people may have chosen the ID and the secret of a client.
 * @returns the connection, and in `replaced` each name with a description of the value that it replaces
 */
export function safeInCode(connection: Connection): {
  readonly safe: Connection;
  readonly replaced: readonly (readonly [name: string, value: string])[];
} {
  const replaced: (readonly [string, string])[] = [];
  const replaceUnsafe = (name: string, description: string, value: string) => {
    if (!UNSAFE_CHARACTER.test(value)) return value;
    replaced.push([name, description]);
    return name;
  };
  const { realm, secret, client } = connection;
  const { clientId, url, redirectUris } = client;
  const safe = {
    ...connection,
    realm: replaceUnsafe('REALM', 'the realm name', realm),
    secret: secret && replaceUnsafe('CLIENT_SECRET', 'the client secret', secret),
    client: {
      ...client,
      clientId: replaceUnsafe('CLIENT_ID', 'the client ID', clientId),
      url: url !== undefined && UNSAFE_CHARACTER.test(new URL(url).href) ? undefined : url,
      redirectUris: redirectUris.filter((uri) => !UNSAFE_CHARACTER.test(uri)),
    },
  };
  return { safe, replaced };
}

/**
 * Returns a value as an argument of a shell command, quoted if necessary.
 * @param value a value that `safeInCode` has returned
 */
export function shellWord(value: string): string {
  return PLAIN_WORD.test(value) ? value : `'${value}'`;
}
