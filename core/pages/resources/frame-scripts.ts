/**
 * Answers `"<client id> <session state>"` from an application with `unchanged`, `changed` or `error` (OpenID Connect
 * Session Management 1.0 §3). The cookie holds the hash of the session's ID. Browsers cannot hash on plain http: then
 * the host compares.
 */
const LOGIN_STATUS_SCRIPT = `const known = new Set();
const cookie = () => /(?:^|; )KEYCLOAK_SESSION="?([^;"]+)/.exec(document.cookie)?.[1];
const hashed = async (text) => {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};
const ask = (parameters) => fetch(location.pathname + '/init?' + new URLSearchParams(parameters), { cache: 'no-store' });
const check = async (client_id, origin, session_state) => {
  const pair = client_id + ' ' + origin;
  if (!known.has(pair)) {
    if ((await ask({ client_id, origin })).status !== 204) return 'error';
    known.add(pair);
  }
  const current = cookie();
  if (current === undefined || session_state === '') {
    return current === undefined && session_state === '' ? 'unchanged' : 'changed';
  }
  if (globalThis.crypto?.subtle === undefined) {
    const answer = await ask({ client_id, origin, session_state });
    return answer.status === 200 ? answer.text() : 'error';
  }
  return (await hashed(session_state)) === current ? 'unchanged' : 'changed';
};
addEventListener('message', (event) => {
  if (typeof event.data !== 'string' || event.source === null || event.origin === 'null') return;
  const [clientId, sessionState] = event.data.split(' ');
  if (sessionState === undefined) return;
  check(clientId, event.origin, sessionState)
    .catch(() => 'error')
    .then((answer) => event.source.postMessage(answer, event.origin));
});
`;

/** Sets a test cookie with the attributes of the host's own cookies. The next page checks for it. */
const COOKIE_STEP_1 = `document.cookie = 'KEYCLOAK_3P_COOKIE=supported'
  + (location.protocol === 'https:' ? '; SameSite=None; Secure' : '; SameSite=Lax');
location.replace('step2.html');
`;

/** Posts the result to any site that frames the page, because it reveals nothing about the user. */
const COOKIE_STEP_2 = `const supported = document.cookie.includes('KEYCLOAK_3P_COOKIE=supported');
document.cookie = 'KEYCLOAK_3P_COOKIE=; Max-Age=0'
  + (location.protocol === 'https:' ? '; SameSite=None; Secure' : '; SameSite=Lax');
parent.postMessage(supported ? 'supported' : 'unsupported', '*');
`;

/** The scripts of the pages that applications frame. */
export const FRAME_SCRIPTS = {
  'login-status': { file: 'login-status.js', text: LOGIN_STATUS_SCRIPT },
  'cookie-step-1': { file: 'cookie-step-1.js', text: COOKIE_STEP_1 },
  'cookie-step-2': { file: 'cookie-step-2.js', text: COOKIE_STEP_2 },
} as const;
