import { GrantType, OAuthError } from '@keyhost/spi';
import { writeJson } from '../../http/errors.js';
import type { Endpoint, Exchange } from '../../http/exchange.js';
import type { Form } from '../../http/form.js';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import { enabledProvider } from '../../registry/generations/realm-providers.js';
import { withParameters } from '../authorization/authorization-response.js';
import { readProofKey } from '../authorization/proof-key.js';
import { isMalformedParameter } from '../authorization/read-authorization-request.js';
import type { ClientRequestHandler, ClientRequestRunner } from '../client-requests.js';
import { DEVICE_CODE_GRANT } from '../grants/device-code.js';
import { RequestLimit } from '../request-limit.js';
import type { DeviceCodes } from './device-codes.js';
import { formatUserCode } from './user-codes.js';

export const DEVICE_AUTHORIZATION_PATH = '/protocol/openid-connect/auth/device';

export interface DeviceAuthorizationParts {
  readonly requests: ClientRequestRunner;
  readonly devices: DeviceCodes;
  readonly clock: Clock;
}

/** `POST …/protocol/openid-connect/auth/device`: the Device Authorization Request (RFC 8628 §3.1). */
export function deviceAuthorizationEndpoint(parts: DeviceAuthorizationParts): Endpoint {
  const limit = new RequestLimit(parts.clock, 'deviceAuthorizationRequestsPerSecond');
  return {
    path: DEVICE_AUTHORIZATION_PATH,
    cors: 'client',
    methods: { POST: (exchange) => authorize(parts, exchange, limit) },
  };
}

function authorize(parts: DeviceAuthorizationParts, exchange: Exchange, limit: RequestLimit): Promise<void> {
  const { ctx, realm } = exchange;
  const run: ClientRequestHandler = async (form, client) => {
    const isOffered = enabledProvider(ctx.providers, realm, GrantType, DEVICE_CODE_GRANT) !== undefined;
    if (!isOffered || !client.deviceGrantEnabled) {
      throw new OAuthError(
        'unauthorized_client',
        'Client is not allowed to initiate OAuth 2.0 Device Authorization Grant. The flow is disabled for the client.',
        { eventError: 'not_allowed' },
      );
    }
    const lifespan = client.settings.deviceCodeLifespan || realm.settings.deviceCodeLifespan;
    const interval = client.settings.devicePollingInterval ?? realm.settings.devicePollingInterval;
    const deviceRequest = { clientId: client.clientId, interval, ...readRequest(form, client) };
    const { deviceCode, userCode } = await parts.devices.issue(realm, deviceRequest, lifespan);
    const verificationUri = realm.settings.shortVerificationUri ?? `${realm.issuer}/device`;
    const displayedCode = formatUserCode(userCode);
    writeJson(ctx, 200, {
      device_code: deviceCode,
      user_code: displayedCode,
      verification_uri: verificationUri,
      verification_uri_complete: withParameters(verificationUri, 'query', `user_code=${displayedCode}`),
      expires_in: lifespan,
      interval,
    });
    return {};
  };
  return parts.requests.serve(exchange, 'OAUTH2_DEVICE_AUTH', run, { limit });
}

function readRequest(form: Form, client: Client) {
  const refuse = (description: string) => new OAuthError('invalid_request', description);
  const scope = form.get('scope');
  const nonce = form.get('nonce');
  for (const [name, value = ''] of [
    ['scope', scope],
    ['nonce', nonce],
  ] as const) {
    if (isMalformedParameter(value)) throw refuse(`Invalid parameter: ${name}`);
  }
  if (!client.selectScope(scope).isValid) throw new OAuthError('invalid_scope', `Invalid scopes: ${scope}`);
  // A device has no redirect that PKCE could protect, so require PKCE only if the client is configured for it.
  return { scope, nonce, ...readProofKey(form, client.settings.pkceMethod, refuse) };
}
