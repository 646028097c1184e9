import { GrpcService, OAuthError, type Principal, RealmResourceProvider } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';

/** A caller with valid credentials. */
export interface AuthenticatedCaller {
  readonly principal: Principal;
  /** The audiences to which the access token is restricted; undefined if every resource of the realm accepts it. */
  readonly audiences?: readonly string[];
}

/**
 * The SPIs whose providers accept access tokens. The ID of the provider is the audience or the scope of a token for it.
 */
const TOKEN_SPIS: readonly string[] = [RealmResourceProvider.id, GrpcService.id];

/**
 * Rejects an access token that was issued for other resources (RFC 9068 §4). A token for a single purpose must give no
 * access to the endpoints of a plugin. Built-in providers, and plugins with the right `any-token`, accept every token.
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
  const providers = generation.list().filter((provider) => provider.plugin.name === plugin);
  if (providers.some((provider) => provider.plugin.builtin)) return;
  if (providers.some((provider) => provider.plugin.rights?.forRealm(realm.name).has('any-token') === true)) return;
  const audienceIds = providers.filter(({ spi }) => TOKEN_SPIS.includes(spi.id)).map(({ id }) => id);
  const names = audienceIds.length > 0 ? audienceIds : [plugin];
  if (names.some((name) => audiences.includes(name) || principal.scopes.includes(name))) return;
  const audience = audiences.join(', ') || 'no audience';
  const nameList = names.join(' or ');
  throw new OAuthError(
    'insufficient_scope',
    `The access token is for ${audience} only. ${plugin} requires the audience or the scope ${nameList}`,
    {
      status: 403,
      headers: {
        'www-authenticate': `Bearer realm="${realm.name}", error="insufficient_scope", scope="${scope ?? names[0]}"`,
      },
    },
  );
}
