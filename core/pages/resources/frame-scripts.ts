/**
 * Answers `"<client id> <session state>"` from an application with `unchanged`, `changed` or `error` (OpenID Connect
 * Session Management 1.0 §3). The cookie holds the hash of the session's ID. Browsers cannot hash on plain http: then
 * the host compares.
 */
const LOGIN_STATUS_SCRIPT = `(function () {
  var known = {};
  function cookie() {
    var found = /(?:^|; )KEYCLOAK_SESSION="?([^;"]+)/.exec(document.cookie);
    return found ? found[1] : undefined;
  }
  function hashed(text) {
    return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)).then(function (digest) {
      var encoded = btoa(String.fromCharCode.apply(null, new Uint8Array(digest)));
      return encoded.replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=/g, '');
    });
  }
  function ask(parameters) {
    var query = Object.keys(parameters).map(function (name) {
      return name + '=' + encodeURIComponent(parameters[name]);
    });
    return fetch(location.pathname + '/init?' + query.join('&'), { cache: 'no-store' });
  }
  function compare(clientId, origin, sessionState) {
    var current = cookie();
    if (current === undefined || sessionState === '') {
      return current === undefined && sessionState === '' ? 'unchanged' : 'changed';
    }
    if (window.crypto === undefined || window.crypto.subtle === undefined) {
      return ask({ client_id: clientId, origin: origin, session_state: sessionState }).then(function (answer) {
        return answer.status === 200 ? answer.text() : 'error';
      });
    }
    return hashed(sessionState).then(function (hash) {
      return hash === current ? 'unchanged' : 'changed';
    });
  }
  function check(clientId, origin, sessionState) {
    var pair = clientId + ' ' + origin;
    if (known[pair]) return Promise.resolve(compare(clientId, origin, sessionState));
    return ask({ client_id: clientId, origin: origin }).then(function (answer) {
      if (answer.status !== 204) return 'error';
      known[pair] = true;
      return compare(clientId, origin, sessionState);
    });
  }
  addEventListener('message', function (event) {
    if (typeof event.data !== 'string' || event.source === null || event.origin === 'null') return;
    var words = event.data.split(' ');
    if (words[1] === undefined) return;
    check(words[0], event.origin, words[1])
      .catch(function () { return 'error'; })
      .then(function (answer) { event.source.postMessage(answer, event.origin); });
  });
})();
`;

/** Sets a test cookie with the attributes of the host's own cookies. The next page checks for it. */
const COOKIE_STEP_1 = `document.cookie = 'KEYCLOAK_3P_COOKIE=supported'
  + (location.protocol === 'https:' ? '; SameSite=None; Secure' : '; SameSite=Lax');
location.replace('step2.html');
`;

/** Posts the result to any site that frames the page, because it reveals nothing about the user. */
const COOKIE_STEP_2 = `(function () {
  var supported = document.cookie.indexOf('KEYCLOAK_3P_COOKIE=supported') >= 0;
  document.cookie = 'KEYCLOAK_3P_COOKIE=; Max-Age=0'
    + (location.protocol === 'https:' ? '; SameSite=None; Secure' : '; SameSite=Lax');
  parent.postMessage(supported ? 'supported' : 'unsupported', '*');
})();
`;

/** The scripts of the pages that applications frame, in ECMAScript 5 (see `scripts.ts`). */
export const FRAME_SCRIPTS = {
  'login-status': { file: 'login-status.js', text: LOGIN_STATUS_SCRIPT },
  'cookie-step-1': { file: 'cookie-step-1.js', text: COOKIE_STEP_1 },
  'cookie-step-2': { file: 'cookie-step-2.js', text: COOKIE_STEP_2 },
} as const;
