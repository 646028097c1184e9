import { GrantType, OAuthError } from '@keyhost/spi';
import type { Generation } from '../../registry/generations/generation.js';
import { enabledProvider } from '../../registry/generations/realm-providers.js';
import { AUTHORIZATION_CODE, checkCodeGrant } from './authorization-code.js';
import { CLIENT_CREDENTIALS, checkClientCredentialsGrant } from './client-credentials.js';
import { checkDeviceGrant, DEVICE_CODE_GRANT } from './device-code.js';
import { TOKEN_EXCHANGE } from './exchange-request.js';
import type { GrantCheck, GrantedTokens } from './granted-tokens.js';
import { checkPasswordGrant, PASSWORD } from './password.js';
import { checkTokenExchange } from './token-exchange.js';

const CHECKS_BY_GRANT: ReadonlyMap<string, GrantCheck> = new Map<string, GrantCheck>([
  [AUTHORIZATION_CODE, checkCodeGrant],
  [CLIENT_CREDENTIALS, checkClientCredentialsGrant],
  [DEVICE_CODE_GRANT, checkDeviceGrant],
  [PASSWORD, checkPasswordGrant],
  [TOKEN_EXCHANGE, checkTokenExchange],
]);

/**
 * Checks that the grant of a refresh token is still allowed. A plugin's grant only has to be enabled in the realm.
 * @throws OAuthError `invalid_grant`, with the description that the grant itself would give
 */
export async function requireStillGranted(providers: Generation, tokens: GrantedTokens): Promise<void> {
  const { by: grantType } = tokens.granted;
  const grant = enabledProvider(providers, tokens.realm, GrantType, grantType);
  if (grant === undefined) {
    throw new OAuthError('invalid_grant', `The realm has no grant ${grantType} any more`, {
      eventError: 'not_allowed',
    });
  }
  // A plugin that replaces a built-in grant has its own rules.
  if (!grant.registered.plugin.builtin) return;
  try {
    await CHECKS_BY_GRANT.get(grantType)?.(tokens);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new OAuthError('invalid_grant', error.errorDescription, { eventError: error.eventError ?? 'not_allowed' });
  }
}
