import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { PasswordLogins } from '../../users/passwords/password-logins.js';

/** Maximum length of the header in characters. */
const MAX_HEADER_LENGTH = 8192;

/**
 * Keycloak's HttpBasicAuthenticator: checks the username and password in the `Authorization` header (RFC 7617). Unlike
 * in Keycloak, unknown usernames get the same answer as wrong passwords, and wrong passwords are counted. An email is
 * accepted if the realm allows that.
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
          // In a token request, the header is for the client and not for the user.
          const credentials = form === undefined ? credentialsOf(caller.authorization) : undefined;
          if (credentials === undefined) return { outcome: 'attempted' };
          const { username, password } = credentials;
          const result = await passwordLogins.check(realm, username, password, caller.ip);
          if (!('refused' in result)) {
            return { outcome: 'success', userId: result.user.id, credentialType: 'password' };
          }
          return {
            outcome: 'failure',
            error: result.refused,
            message: { key: 'invalidUserMessage' },
            ...(result.user !== undefined && { userId: result.user.id }),
            wwwAuthenticate: `Basic realm="${escapeQuoted(realm.name)}", charset="UTF-8"`,
          };
        },
      }),
    }),
  });
}

function credentialsOf(header = ''): { readonly username: string; readonly password: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header.slice(0, MAX_HEADER_LENGTH)) ?? [];
  if (encoded === undefined) return undefined;
  const [, username, password] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return username === undefined || password === undefined ? undefined : { username, password };
}

/** Replaces or escapes the characters that a quoted string cannot contain (RFC 9110 §5.6.4). */
function escapeQuoted(text: string): string {
  return text.replace(/[^ -~]/g, '?').replace(/["\\]/g, '\\$&');
}
