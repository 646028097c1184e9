import type { Session } from '@keyhost/spi';
import { jwtVerify, SignJWT } from 'jose';

/** Of one application in Duo. */
export interface DuoSettings {
  /** Such as `api-1234abcd.duosecurity.com`. */
  readonly host: string;
  readonly clientId: string;
  readonly secret: string;
}

/** What Duo is asked for. */
export interface Prompt {
  readonly username: string;
  readonly returnTo: { readonly url: string; readonly state: string };
  readonly nonce: string;
}

const ALG = 'HS512';
/** Seconds that what is signed for Duo holds, and by how much its clock may differ. */
const LIFETIME = 300;
const LEEWAY = 60;
/** Seconds that Duo may take for an answer. */
const TIMEOUT = 30;

const keyOf = ({ secret }: DuoSettings) => new TextEncoder().encode(secret);
const baseOf = ({ host }: DuoSettings) => (host.includes('://') ? host : `https://${host}`);

function signed({ clock }: Session, settings: DuoSettings, claims: Readonly<Record<string, string>>): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  const jwt = new SignJWT({ iss: settings.clientId, jti: crypto.randomUUID(), ...claims });
  return jwt
    .setProtectedHeader({ alg: ALG })
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME)
    .sign(keyOf(settings));
}

async function post(
  session: Session,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, body } = await session.outbound.request({
    timeout: TIMEOUT,
    url,
    method: 'POST',
    headers,
    body: String(new URLSearchParams(form)),
  });
  return { ...JSON.parse(new TextDecoder().decode(body)), status };
}

/** Who calls, proven by the secret. */
async function assertionFor(session: Session, settings: DuoSettings, url: string) {
  return signed(session, settings, { sub: settings.clientId, aud: url });
}

/** Duo's health check: it also says whether Duo knows the application. */
export async function isHealthy(session: Session, settings: DuoSettings): Promise<boolean> {
  const url = `${baseOf(settings)}/oauth/v1/health_check`;
  const client_assertion = await assertionFor(session, settings, url);
  const form = { client_id: settings.clientId, client_assertion };
  return post(session, url, form).then(
    ({ stat }) => stat === 'OK',
    () => false,
  );
}

/** Where the browser goes. */
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
  const more = { ...request, aud: baseOf(settings), duo_uname: username };
  const query = new URLSearchParams({ ...request, request: await signed(session, settings, more) });
  return `${baseOf(settings)}/oauth/v1/authorize?${query}`;
}

/** What Duo says of the user who came back with this code. */
export async function exchange(
  session: Session,
  settings: DuoSettings,
  code: string,
  prompt: Prompt,
): Promise<'allow' | 'deny' | 'away'> {
  const url = `${baseOf(settings)}/oauth/v1/token`;
  const answer = await post(session, url, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: prompt.returnTo.url,
    client_id: settings.clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertionFor(session, settings, url),
  }).catch(() => undefined);
  if (answer === undefined) return 'away';
  try {
    const { payload } = await jwtVerify(String(answer.id_token), keyOf(settings), {
      algorithms: [ALG],
      issuer: url,
      audience: settings.clientId,
      requiredClaims: ['exp', 'iat', 'preferred_username', 'nonce'],
      clockTolerance: LEEWAY,
      currentDate: new Date(session.clock.now()),
    });
    const { status } = (payload.auth_result ?? {}) as { readonly status?: unknown };
    const isAsked = payload.nonce === prompt.nonce && payload.preferred_username === prompt.username;
    return isAsked && status === 'allow' ? 'allow' : 'deny';
  } catch {
    return 'deny';
  }
}
