import { CODES_SCRIPT } from './codes-script.js';
import { WEBAUTHN_SCRIPT } from './webauthn-script.js';

/**
 * Lets users reload a page after a form, or navigate back to it, without sending that form and its password again.
 * Within a login, the URL of a page becomes that of its form.
 */
const NO_RESUBMISSION = `(function () {
  var isLogin = location.pathname.indexOf('/login-actions/') >= 0;
  var form = isLogin && document.querySelector('main form[method=post]');
  history.replaceState(history.state, '', form ? form.getAttribute('action') : location.href);
})();
`;

/**
 * Shows or hides a password by a button, which stays hidden without this script. On submit, the field becomes a
 * password field again.
 */
const SHOW_PASSWORD = `Array.prototype.forEach.call(document.querySelectorAll('.show-password'), function (button) {
  var input = document.getElementById(button.getAttribute('aria-controls'));
  var labels = [button.getAttribute('aria-label'), button.dataset.otherLabel];
  function show(shown) {
    input.type = shown ? 'text' : 'password';
    button.setAttribute('aria-label', labels[shown ? 1 : 0]);
    if (shown) button.setAttribute('data-shown', '');
    else button.removeAttribute('data-shown');
  }
  button.hidden = false;
  button.addEventListener('click', function () { show(input.type === 'password'); });
  input.form.addEventListener('submit', function () { show(false); });
});
`;

/** Sends the form at once. It calls the prototype's method, because a field named `submit` hides the form's own. */
const FORM_POST = `HTMLFormElement.prototype.submit.call(document.getElementById('kc-form-post'));
`;

/** Continues once every application's frame has loaded, or after five seconds. */
const FRONTCHANNEL_LOGOUT = `(function () {
  var next = document.getElementById('kc-continue');
  function goOn() {
    if (next) location.replace(next.href);
  }
  addEventListener('load', goOn);
  setTimeout(goOn, 5000);
})();
`;

/**
 * Polls whether a form can be sent, and sends it. It also sends the form if the host refuses to answer, for example
 * because the login has ended: the response then shows the result.
 */
const POLL = `(function () {
  var polling = document.querySelector('form[data-poll]');
  if (!polling) return;
  function send() {
    HTMLFormElement.prototype.submit.call(polling);
  }
  function wait() {
    setTimeout(ask, 1000 * Number(polling.dataset.interval));
  }
  function ask() {
    fetch(polling.dataset.poll, { cache: 'no-store' }).then(
      function (response) {
        if (!response.ok) return response.status !== 429 && response.status < 500 ? send() : wait();
        return response.json().then(function (answer) {
          document.dispatchEvent(new CustomEvent('keyhost:poll', { detail: answer.data }));
          return answer.ready ? send() : wait();
        });
      },
      wait
    );
  }
  wait();
})();
`;

/** The script of pages with forms. Each part works only on elements that exist. */
const FORM = NO_RESUBMISSION + SHOW_PASSWORD + WEBAUTHN_SCRIPT + CODES_SCRIPT + POLL;

/**
 * The script of each page type; other types have none. The scripts are in ECMAScript 5 for HtmlUnit and old versions of
 * Safari and Firefox. A browser runs nothing of a script that it cannot parse.
 */
export const SCRIPTS = {
  login: { file: 'form.js', text: FORM },
  form: { file: 'form.js', text: FORM },
  consent: { file: 'sent-once.js', text: NO_RESUBMISSION },
  'page-expired': { file: 'sent-once.js', text: NO_RESUBMISSION },
  'form-post': { file: 'form-post.js', text: FORM_POST },
  'frontchannel-logout': { file: 'frontchannel-logout.js', text: FRONTCHANNEL_LOGOUT },
} as const;
