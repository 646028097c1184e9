import { GrpcService, OAuthError, type Principal, RealmResourceProvider } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';

/** A caller whose credentials are right. */
export interface AuthenticatedCaller {
  readonly principal: Principal;
  /** The audiences that the access token is for and no others; undefined if it is for any resource of the realm. */
  readonly onlyFor?: readonly string[];
}

/** Kinds whose providers callers reach with an access token. The id is the audience, and the scope, of their tokens. */
const REACHED: readonly string[] = [RealmResourceProvider.id, GrpcService.id];

/**
 * Refuses an access token that is for other resources: the holder of one that was issued for a single purpose has no other rights of
 * its user at the paths of a plugin (RFC 9068 §4).
 * @param scope a scope that the route or method asks for by itself, which the token has if it is meant
 * @throws OAuthError 403 `insufficient_scope`, with what the token lacks
 */
export function requireMeant(
  { generation, realm }: { readonly generation: Generation; readonly realm: { readonly name: string } },
  plugin: string,
  { principal, onlyFor }: AuthenticatedCaller,
  scope: string | undefined,
): void {
  if (onlyFor === undefined || (scope !== undefined && principal.scopes.includes(scope))) return;
  const own = generation.list().filter((provider) => provider.plugin.name === plugin);
  if (own.some((provider) => provider.plugin.builtin)) return;
  if (own.some((provider) => provider.plugin.rights?.in(realm.name).has('any-token') === true)) return;
  const reached = own.filter(({ spi }) => REACHED.includes(spi.id)).map(({ id }) => id);
  const names = reached.length > 0 ? reached : [plugin];
  if (names.some((name) => onlyFor.includes(name) || principal.scopes.includes(name))) return;
  const [audience, named] = [onlyFor.join(', ') || 'no audience', names.join(' or ')];
  throw new OAuthError(
    'insufficient_scope',
    `The access token is for ${audience} only. ${plugin} requires the audience or the scope ${named}`,
    {
      status: 403,
      headers: {
        'www-authenticate': `Bearer realm="${realm.name}", error="insufficient_scope", scope="${scope ?? names[0]}"`,
      },
    },
  );
}
