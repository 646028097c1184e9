import { GrantType, OAuthError } from '@keyhost/spi';
import type { Generation } from '../../registry/generations/generation.js';
import { enabledProvider } from '../../registry/generations/realm-providers.js';
import { AUTHORIZATION_CODE, checkCodeGrant } from './authorization-code.js';
import { CLIENT_CREDENTIALS, serviceAccountTerms } from './client-credentials.js';
import { DEVICE_CODE_GRANT, deviceTerms } from './device-code.js';
import { TOKEN_EXCHANGE } from './exchange-request.js';
import type { GrantedTokens, GrantTerms } from './granted-tokens.js';
import { PASSWORD, passwordTerms } from './password.js';
import { exchangeTerms } from './token-exchange.js';

const TERMS_BY_GRANT: ReadonlyMap<string, GrantTerms> = new Map<string, GrantTerms>([
  [AUTHORIZATION_CODE, checkCodeGrant],
  [CLIENT_CREDENTIALS, serviceAccountTerms],
  [DEVICE_CODE_GRANT, deviceTerms],
  [PASSWORD, passwordTerms],
  [TOKEN_EXCHANGE, exchangeTerms],
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
    await TERMS_BY_GRANT.get(grantType)?.(tokens);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new OAuthError('invalid_grant', error.errorDescription, { eventError: error.eventError ?? 'not_allowed' });
  }
}
