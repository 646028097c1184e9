import type { PageField, PageFrame } from '@keyhost/spi';
import type { Endpoint, Exchange } from '../../http/exchange.js';
import { parseForm, readForm } from '../../http/form.js';
import type { RequestEvent } from '../../http/request-events.js';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { type AuthorizationParts, answerAuthorizationError } from '../../oidc/authorization/authorization-endpoint.js';
import { type AuthorizationRequest, PageRefusal } from '../../oidc/authorization/authorization-request.js';
import type { DeviceCodes, DeviceRequest } from '../../oidc/devices/device-codes.js';
import { parseUserCode } from '../../oidc/devices/user-codes.js';
import { wantedLevel } from '../../tokens/acr.js';
import type { UserCodeGuesses } from './user-code-guesses.js';

export interface DeviceParts extends Pick<AuthorizationParts, 'pages' | 'events' | 'login'> {
  readonly devices: DeviceCodes;
  readonly guesses: UserCodeGuesses;
  readonly clock: Clock;
}

const PATH = '/device';
const STATUS_PATH = '/device/status';
/** Keycloak's name of the field. */
const CODE_FIELD = 'device_user_code';
/** Maximum length of a wrong code that the page shows again, in characters. */
const MAX_REPEATED_LENGTH = 20;

/** `…/device`: the user enters the code of a device here (RFC 8628 §3.3), and sees the result. */
export function deviceEndpoints(parts: DeviceParts): Endpoint[] {
  return [
    {
      path: PATH,
      cors: 'none',
      // A HEAD request must not try a code.
      head: 'nothing',
      methods: {
        GET: (exchange) => verifyUserCode(parts, exchange, parseForm(exchange.ctx.querystring).get('user_code')),
        POST: async (exchange) => verifyUserCode(parts, exchange, (await readForm(exchange.ctx.req)).get(CODE_FIELD)),
      },
    },
    { path: STATUS_PATH, cors: 'none', methods: { GET: (exchange) => showStatus(parts, exchange) } },
  ];
}

/**
 * Starts a login for a valid code. In it the user must approve the device, even if the browser is signed in already.
 */
async function verifyUserCode(parts: DeviceParts, exchange: Exchange, input: string | undefined): Promise<void> {
  if (input === undefined) return showCodeForm(parts, exchange, 200);
  const { realm, ctx } = exchange;
  const refuse = (status: number, key: string, reason: string) => {
    emitEvent(parts, exchange, { error: 'invalid_oauth2_user_code', details: { reason } });
    return showCodeForm(parts, exchange, status, { value: input.slice(0, MAX_REPEATED_LENGTH), error: { key } });
  };
  const waitSeconds = await parts.guesses.countAttempt(exchange);
  if (waitSeconds > 0) {
    ctx.set('Retry-After', String(waitSeconds));
    return refuse(429, 'oauth2DeviceTooManyUserCodesMessage', 'too many wrong user codes');
  }
  const userCode = parseUserCode(input);
  const request = userCode === undefined ? undefined : await parts.devices.findByUserCode(realm, userCode);
  if (userCode === undefined || request === undefined) {
    return refuse(400, 'oauth2DeviceInvalidUserCodeMessage', 'user code not found (it may already have been used)');
  }
  await parts.guesses.uncount(exchange);
  if (request.expiresAt <= parts.clock.now()) {
    return refuse(400, 'oauth2DeviceExpiredUserCodeMessage', 'user code expired');
  }
  try {
    const client = clientOf(exchange, request);
    const { clientId, scope } = request;
    emitEvent(parts, exchange, { clientId, details: defined({ scope }) });
    await parts.login.begin(exchange, loginRequest(exchange, client, request, userCode), client);
  } catch (error) {
    await answerAuthorizationError(parts, exchange, error);
  }
}

/**
 * The client of the device's request.
 * @throws PageRefusal if the client has been deleted or disabled since then, or no longer has the device grant
 */
function clientOf({ realm }: Exchange, { clientId }: DeviceRequest): Client {
  const client = realm.clients.get(clientId);
  if (client?.enabled !== true) throw new PageRefusal('client_disabled', { key: 'clientDisabledMessage' }, { client });
  if (client.deviceGrantEnabled) return client;
  throw new PageRefusal('not_allowed', { key: 'oauth2DeviceAuthorizationGrantDisabledMessage' }, { client });
}

/** The authorization request for the browser. Its response goes to a page of the host and has no code. */
function loginRequest(
  { realm }: Exchange,
  client: Client,
  { clientId, scope }: DeviceRequest,
  userCode: string,
): AuthorizationRequest {
  const acr = wantedLevel(realm, client);
  return {
    clientId,
    userCode,
    ...defined({ acr, scope }),
    redirectUri: `${realm.issuer}${STATUS_PATH}`,
    responseType: 'none',
    responseMode: 'query',
    prompts: [],
  };
}

function showCodeForm(
  { pages }: DeviceParts,
  exchange: Exchange,
  status: number,
  attempt: Pick<PageField, 'value' | 'error'> = {},
): Promise<void> {
  const field = { name: CODE_FIELD, label: { key: 'oauth2DeviceUserCode' }, type: 'text', required: true } as const;
  return pages.show(exchange, status, {
    page: 'form',
    title: { key: 'oauth2DeviceVerificationTitle' },
    text: { key: 'verifyOAuth2DeviceUserCode' },
    action: urlPathOf(exchange, PATH),
    fields: [{ ...field, autocomplete: 'off', ...attempt }],
    submit: { key: 'doSubmit' },
  });
}

async function showStatus({ pages }: DeviceParts, exchange: Exchange): Promise<void> {
  const error = parseForm(exchange.ctx.querystring).get('error');
  const message = (severity: 'success' | 'error', key: string): PageFrame['message'] => ({ severity, key });
  if (error === undefined) {
    const title = { key: 'oauth2DeviceVerificationCompleteHeader' };
    const successMessage = message('success', 'oauth2DeviceVerificationCompleteMessage');
    return pages.show(exchange, 200, { page: 'info', title }, { message: successMessage });
  }
  const title = { key: 'oauth2DeviceVerificationFailedHeader' };
  const continueUrl = urlPathOf(exchange, PATH);
  const failureMessage = message('error', FAILURE_MESSAGES.get(error) ?? 'oauth2DeviceVerificationFailedMessage');
  return pages.show(exchange, 200, { page: 'info', title, continueUrl }, { message: failureMessage });
}

const FAILURE_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'oauth2DeviceConsentDeniedMessage'],
  ['expired_token', 'oauth2DeviceExpiredUserCodeMessage'],
]);

function emitEvent({ events }: DeviceParts, exchange: Exchange, event: Omit<RequestEvent, 'type'>): void {
  events.emit(exchange, { ...event, type: 'OAUTH2_DEVICE_VERIFY_USER_CODE' });
}

function urlPathOf({ realm }: Exchange, path: string): string {
  return `${new URL(realm.issuer).pathname}${path}`;
}
