import { GrantType, OAuthError, provide } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { checkVerifier } from '../authorization/proof-key.js';
import type { GrantCheck } from './granted-tokens.js';
import { clientOf, type GrantServices } from './services.js';
import { planSessionTokens, requireConsent } from './tokens-of-session.js';

export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** RFC 8628 §3.4: a device polls for its user's approval, and gets tokens for the browser's login. */
export const deviceCode = (services: GrantServices) =>
  provide(GrantType, {
    id: DEVICE_CODE_GRANT,
    eventType: 'OAUTH2_DEVICE_CODE_TO_TOKEN',
    open: () => ({
      create: (session: HostSession) => ({
        async authorize({ client: { clientId }, form }) {
          const { devices } = services;
          const realm = session.compiledRealm;
          const client = clientOf(session, clientId);
          requireDeviceGrant(client);
          if (form.device_code === undefined) {
            const eventError = 'invalid_oauth2_device_code';
            throw new OAuthError('invalid_request', 'Missing parameter: device_code', { eventError });
          }
          const { request, sessionId, userId } = await devices.poll(realm, client, form.device_code);
          checkVerifier(request, form.code_verifier);
          await devices.redeem(realm, form.device_code);
          const { scope, nonce } = request;
          const login = { client, sessionId, userId, scope, nonce };
          return planSessionTokens(services, session, { ...login, grant: 'dg', grantType: DEVICE_CODE_GRANT });
        },
      }),
    }),
  });

export const checkDeviceGrant: GrantCheck = ({ realm, client, user, scope }) => {
  requireDeviceGrant(client);
  requireConsent(realm, client, user, scope);
};

function requireDeviceGrant(client: Client): void {
  if (client.deviceGrantEnabled) return;
  const eventError = 'not_allowed';
  throw new OAuthError('invalid_grant', 'Client not allowed OAuth 2.0 Device Authorization Grant', { eventError });
}
