import type { Session } from '@keyhost/spi';
import { jwtVerify, SignJWT } from 'jose';

/** The settings of one application in Duo. */
export interface DuoSettings {
  /** Such as `api-1234abcd.duosecurity.com`, or an address with a scheme. */
  readonly host: string;
  readonly clientId: string;
  readonly secret: string;
}

/** The parameters of a prompt. */
export interface Prompt {
  readonly username: string;
  readonly returnTo: { readonly url: string; readonly state: string };
  readonly nonce: string;
}

const ALG = 'HS512';
/** The lifetime of JWTs for Duo, and the tolerance for its clock, in seconds. */
const LIFETIME = 300;
const LEEWAY = 60;
/**
 * The timeout of a request to Duo, in seconds. It is below the 30 seconds of a call of the step, so that the step can
 * still react.
 */
const TIMEOUT = 10;

const keyOf = ({ secret }: DuoSettings) => new TextEncoder().encode(secret);
const baseOf = ({ host }: DuoSettings) => (host.includes('://') ? host : `https://${host}`).replace(/\/+$/, '');

/** The reason why there is no usable answer. */
export interface Failure {
  /**
   * - `down`: Duo is unreachable, or fails (5xx).
   * - `busy`: it has no capacity for this request (408, 429).
   * - `refused`: it rejects this application, or the host is not Duo.
   */
  readonly state: 'down' | 'busy' | 'refused';
  readonly cause: string;
}
type Body = Readonly<Record<string, unknown>>;

function signJwt({ clock }: Session, settings: DuoSettings, claims: Readonly<Record<string, string>>): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  const jwt = new SignJWT({ iss: settings.clientId, jti: crypto.randomUUID(), ...claims });
  return jwt
    .setProtectedHeader({ alg: ALG })
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME)
    .sign(keyOf(settings));
}

function failureState(status: number): Failure['state'] {
  if (status >= 500) return 'down';
  return status === 408 || status === 429 ? 'busy' : 'refused';
}

/** Duo's own error texts, without line breaks. */
function causeOf(status: number, { error, error_description, code, message, message_detail }: Body): string {
  const words = [code, error, message, error_description, message_detail].filter((word) => word !== undefined);
  return `status ${status}: ${words.map(String).join(', ').replaceAll(/\s+/g, ' ').slice(0, 300)}`;
}

function bodyOf(bytes: Uint8Array): Body | undefined {
  try {
    const body = JSON.parse(new TextDecoder().decode(bytes));
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Posts a form to Duo.
 * @throws HostError if the session has ended
 */
async function post(
  session: Session,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly body: Body } | Failure> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  try {
    const { status, body } = await session.outbound.request({
      timeout: TIMEOUT,
      url,
      method: 'POST',
      headers,
      body: String(new URLSearchParams(form)),
    });
    const parsed = bodyOf(body);
    if (status === 200 && parsed !== undefined) return { body: parsed };
    return { state: failureState(status), cause: causeOf(status, parsed ?? { error: 'no JSON object' }) };
  } catch (error) {
    // A session that ends, for instance because of `limits.callTimeout`, must not look like an outage of Duo.
    if (session.signal.aborted || !(error instanceof Error) || !('code' in error)) throw error;
    const { code, message } = error;
    if (code === 'outbound_timeout' || code === 'outbound_failed') return { state: 'down', cause: message };
    if (code === 'outbound_refused' || code === 'invalid_argument') return { state: 'refused', cause: message };
    throw error;
  }
}

/** Returns a client assertion, signed with the secret. */
async function clientAssertion(session: Session, settings: DuoSettings, url: string) {
  return signJwt(session, settings, { sub: settings.clientId, aud: url });
}

/**
 * Runs Duo's health check, which also verifies that Duo has this application.
 * @returns undefined if all is well
 * @throws HostError if the session has ended
 */
export async function checkHealth(session: Session, settings: DuoSettings): Promise<Failure | undefined> {
  const url = `${baseOf(settings)}/oauth/v1/health_check`;
  const client_assertion = await clientAssertion(session, settings, url);
  const answer = await post(session, url, { client_id: settings.clientId, client_assertion });
  if ('state' in answer) return answer;
  return answer.body.stat === 'OK' ? undefined : { state: 'refused', cause: causeOf(200, answer.body) };
}

/** The URL that the browser is sent to. */
export async function authorizationUrl(
  session: Session,
  settings: DuoSettings,
  { username, returnTo, nonce }: Prompt,
): Promise<string> {
  const request = {
    response_type: 'code',
    scope: 'openid',
    client_id: settings.clientId,
    redirect_uri: returnTo.url,
    state: returnTo.state,
    nonce,
  };
  const claims = { ...request, aud: baseOf(settings), duo_uname: username };
  const query = new URLSearchParams({ ...request, request: await signJwt(session, settings, claims) });
  return `${baseOf(settings)}/oauth/v1/authorize?${query}`;
}

/** Exchanges the code for Duo's verdict on the user who returned with it. @throws HostError if the session has ended */
export async function exchange(
  session: Session,
  settings: DuoSettings,
  code: string,
  prompt: Prompt,
): Promise<'allow' | 'deny' | Failure> {
  const url = `${baseOf(settings)}/oauth/v1/token`;
  const answer = await post(session, url, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: prompt.returnTo.url,
    client_id: settings.clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await clientAssertion(session, settings, url),
  });
  if ('state' in answer) return answer;
  try {
    const { payload } = await jwtVerify(String(answer.body.id_token), keyOf(settings), {
      algorithms: [ALG],
      issuer: url,
      audience: settings.clientId,
      requiredClaims: ['exp', 'iat', 'preferred_username', 'nonce'],
      clockTolerance: LEEWAY,
      currentDate: new Date(session.clock.now()),
    });
    const { status } = (payload.auth_result ?? {}) as { readonly status?: unknown };
    const matchesPrompt = payload.nonce === prompt.nonce && payload.preferred_username === prompt.username;
    return matchesPrompt && status === 'allow' ? 'allow' : 'deny';
  } catch {
    return 'deny';
  }
}
