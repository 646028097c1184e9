import type { Connection } from './instructions.js';

/** Characters that end a quoted string in a shell or a language, or are special within one. */
const UNSAFE_CHARACTER = /['"`\\$\p{C}]/u;
/** Words that no shell interprets. */
const PLAIN_WORD = /^[\w.:/@%+-]+$/;

/**
 * Replaces values of a connection that are not safe in code. Users copy and run the code, and other people may have
 * chosen a client's ID and secret. A value that could end the quotes around it is replaced by a name.
 * @returns `replaced`: the names, each with a description of what it replaces
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
  const { realm, secret, wanted } = connection;
  const { clientId, url, redirectUris } = wanted;
  const safe = {
    ...connection,
    realm: replaceUnsafe('REALM', 'the realm name', realm),
    secret: secret && replaceUnsafe('CLIENT_SECRET', 'the client secret', secret),
    wanted: {
      ...wanted,
      clientId: replaceUnsafe('CLIENT_ID', 'the client ID', clientId),
      url: url !== undefined && UNSAFE_CHARACTER.test(new URL(url).href) ? undefined : url,
      redirectUris: redirectUris.filter((uri) => !UNSAFE_CHARACTER.test(uri)),
    },
  };
  return { safe, replaced };
}

/** One argument of a command, quoted if necessary. @param value from {@link safeInCode} */
export function shellWord(value: string): string {
  return PLAIN_WORD.test(value) ? value : `'${value}'`;
}
