import type { Library } from './library.js';
import { Token } from './token.js';

/**
 * The token of each realm, by the realm's name. Realms that name one token share it, so that a wrong PIN is tried once
 * and not once for each.
 *
 * @throws Error for a token with two PINs
 */
export function tokensOf(
  library: Library,
  realms: Readonly<Record<string, { readonly token: string; readonly pin: string }>>,
): ReadonlyMap<string, Token> {
  const tokens = new Map<string, { readonly first: string; readonly pin: string; readonly token: Token }>();
  return new Map(
    Object.entries(realms).map(([name, one]) => {
      const known = tokens.get(one.token) ?? { first: name, pin: one.pin, token: new Token(library, one) };
      if (known.pin !== one.pin)
        throw new Error(`the realms ${known.first} and ${name} name the token ${one.token} with two different PINs`);
      tokens.set(one.token, known);
      return [name, known.token];
    }),
  );
}
