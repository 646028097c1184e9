import { GrpcService, OAuthError, type Principal, RealmResourceProvider } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';

/** A caller with valid credentials. */
export interface AuthenticatedCaller {
  readonly principal: Principal;
  /** The audiences to which the access token is restricted; undefined if it is valid for any resource of the realm. */
  readonly audiences?: readonly string[];
}

/** SPIs whose providers accept access tokens. The provider's ID is the audience, and the scope, of these tokens. */
const TOKEN_SPIS: readonly string[] = [RealmResourceProvider.id, GrpcService.id];

/**
 * Refuses an access token for other resources: a token that was issued for a single purpose gives no access to the
 * paths of a plugin (RFC 9068 §4).
 * @param scope a scope that the route or method requires; a token with this scope is accepted
 * @throws OAuthError `insufficient_scope` (403), with the missing audience or scope
 */
export function requireAudience(
  { generation, realm }: { readonly generation: Generation; readonly realm: { readonly name: string } },
  plugin: string,
  { principal, audiences }: AuthenticatedCaller,
  scope: string | undefined,
): void {
  if (audiences === undefined || (scope !== undefined && principal.scopes.includes(scope))) return;
  const own = generation.list().filter((provider) => provider.plugin.name === plugin);
  if (own.some((provider) => provider.plugin.builtin)) return;
  if (own.some((provider) => provider.plugin.rights?.in(realm.name).has('any-token') === true)) return;
  const reached = own.filter(({ spi }) => TOKEN_SPIS.includes(spi.id)).map(({ id }) => id);
  const names = reached.length > 0 ? reached : [plugin];
  if (names.some((name) => audiences.includes(name) || principal.scopes.includes(name))) return;
  const audience = audiences.join(', ') || 'no audience';
  const named = names.join(' or ');
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
