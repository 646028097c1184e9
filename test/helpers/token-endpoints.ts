import { codeRequest } from './form-browser.js';
import { fetchAnswer, type TestHost } from './host.js';
import { bearer, follow, generate, introspect, NL, post, press, WEB } from './login.js';
import { ACCESS_TOKEN, ALICE, idIn, NAKED } from './realms.js';

/** The answers of every endpoint that accepts a token to this one: `status body`, by the endpoint's name. */
export async function showEverywhere(
  host: TestHost,
  token: string,
  realm = host.defaultRealm,
): Promise<Record<string, string>> {
  const form = (path: string, values: Record<string, string>) => () => post(host, path, values, {}, realm);
  const doors: Record<string, () => Promise<{ status: number; text: string }>> = {
    userinfo: () => fetchAnswer(`${host.oidc(realm)}/userinfo`, { headers: headers(token) }),
    'userinfo, in the body': form('userinfo', { access_token: token }),
    introspection: () => introspect(host, token, {}, realm),
    'introspection by nl': () => introspect(host, token, NL, realm),
    'introspection as a refresh token': () => introspect(host, token, { token_type_hint: 'refresh_token' }, realm),
    'refresh grant': form('token', { ...WEB, grant_type: 'refresh_token', refresh_token: token }),
    'token exchange': form('token', {
      ...WEB,
      grant_type: NAKED,
      subject_token: token,
      subject_token_type: ACCESS_TOKEN,
    }),
    'naked exchange': form('token', {
      ...NL,
      grant_type: NAKED,
      subject_token: token,
      requested_subject: ALICE,
      scope: 'newsletterscope42',
      audience: 'newsletter-api',
    }),
    'client assertion': form('token', {
      grant_type: 'client_credentials',
      client_assertion: token,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }),
    'authorization, as a hint': () => hinted(host, token, realm),
    account: () => fetchAnswer(`${host.realm(realm)}/account`, { headers: headers(token) }),
    'client registration': () =>
      fetchAnswer(`${host.realm(realm)}/clients-registrations/openid-connect`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers(token) },
        body: '{}',
      }),
    'registered client': () =>
      fetchAnswer(`${host.realm(realm)}/clients-registrations/default/web`, { headers: headers(token) }),
    administration: () => fetchAnswer(`${host.url}/admin/realms/${realm}/clients`, { headers: headers(token) }),
    'action link': () => follow(host, token, {}, realm),
    'action link, posted': () => press(host, token, realm),
    'generate-token': () => generate(host, { userId: idIn(realm), applicationId: '42' }, headers(token), realm),
  };
  const answers = await Promise.all(
    Object.entries(doors).map(async ([name, open]) => {
      const { status, text } = await open();
      return [name, `${status} ${text}`] as const;
    }),
  );
  return Object.fromEntries(answers);
}

/**
 * The endpoints that accepted a token or failed on it: those that did not answer 400, 401, 403, 413, 431 or `active:
 * false`.
 */
export async function opened(host: TestHost, token: string, realm = host.defaultRealm): Promise<string[]> {
  const answers = Object.entries(await showEverywhere(host, token, realm));
  return answers
    .filter(([, answer]) => !/^(400|401|403|413|431) /.test(answer) && answer !== '200 {"active":false}')
    .map(([door, answer]) => `${door}: ${answer.slice(0, 200)}`);
}

/** `login_required` means that the token was accepted: it identified its user. */
async function hinted(host: TestHost, token: string, realm: string): Promise<{ status: number; text: string }> {
  const { url } = codeRequest(host, { id_token_hint: token, prompt: 'none' }, realm);
  const { status, headers: given, text } = await fetchAnswer(url);
  const error = new URL(given.get('location') ?? url).searchParams.get('error');
  return error === 'invalid_request' ? { status: 400, text: error } : { status, text: error ?? text };
}

/** A token with line breaks cannot be sent in a header. */
function headers(token: string): Record<string, string> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return /[\u0000-\u001f\u007f-\uffff]/.test(token) ? {} : bearer(token);
}
