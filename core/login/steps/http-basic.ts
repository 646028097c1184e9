import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { PasswordLogins } from '../../users/passwords/password-logins.js';

/** Maximum length of the header in characters. */
const TOO_LONG = 8192;

/**
 * Keycloak's HttpBasicAuthenticator: username and password of the `Authorization` header (RFC 7617). Unlike Keycloak,
 * it answers unknown usernames like wrong passwords, counts wrong passwords, and accepts an email if the realm does.
 */
export function httpBasic({ passwordLogins }: { passwordLogins: PasswordLogins }): ProviderDefinition {
  return provide(Authenticator, {
    id: 'http-basic-authenticator',
    describe: {
      displayName: 'HTTP Basic Authentication',
      helpText: 'Validates username and password from Authorization HTTP header',
      proves: true,
      requirements: ['REQUIRED', 'ALTERNATIVE', 'CONDITIONAL', 'DISABLED'],
    },
    open: () => ({
      create: ({ compiledRealm: realm, caller }: HostSession) => ({
        async authenticate({ form }): Promise<AuthenticationStep> {
          // In a token request the header authenticates the client, not the user.
          const sent = form === undefined ? credentialsOf(caller.authorization) : undefined;
          if (sent === undefined) return { outcome: 'attempted' };
          const { username, password } = sent;
          const result = await passwordLogins.check(realm, username, password, caller.ip);
          if (!('refused' in result)) {
            return { outcome: 'success', userId: result.user.id, credentialType: 'password' };
          }
          return {
            outcome: 'failure',
            error: result.refused,
            message: { key: 'invalidUserMessage' },
            ...(result.user !== undefined && { userId: result.user.id }),
            wwwAuthenticate: `Basic realm="${quotable(realm.name)}", charset="UTF-8"`,
          };
        },
      }),
    }),
  });
}

function credentialsOf(header = ''): { readonly username: string; readonly password: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header.slice(0, TOO_LONG)) ?? [];
  if (encoded === undefined) return undefined;
  const [, username, password] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return username === undefined || password === undefined ? undefined : { username, password };
}

/** Replaces the characters that a quoted string cannot contain (RFC 9110 §5.6.4). */
function quotable(text: string): string {
  return text.replace(/[^ -~]/g, '?').replace(/["\\]/g, '\\$&');
}
