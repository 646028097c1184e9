import { CODES_SCRIPT } from './codes-script.js';
import { WEBAUTHN_SCRIPT } from './webauthn-script.js';

/**
 * Lets users reload a page after a form, or navigate back to it, without sending that form and its password again.
 * Within a login, the URL of a page becomes that of its form.
 */
const NO_RESUBMISSION = `{
  const form = location.pathname.includes('/login-actions/') && document.querySelector('main form[method=post]');
  history.replaceState(history.state, '', form ? form.getAttribute('action') : location.href);
}
`;

/**
 * Shows or hides a password by a button, which stays hidden without this script. On submit, the field becomes a
 * password field again.
 */
const SHOW_PASSWORD = `for (const button of document.querySelectorAll('.show-password')) {
  const input = document.getElementById(button.getAttribute('aria-controls'));
  const labels = [button.getAttribute('aria-label'), button.dataset.otherLabel];
  const show = (shown) => {
    input.type = shown ? 'text' : 'password';
    button.setAttribute('aria-label', labels[shown ? 1 : 0]);
    button.toggleAttribute('data-shown', shown);
  };
  button.hidden = false;
  button.addEventListener('click', () => show(input.type === 'password'));
  input.form.addEventListener('submit', () => show(false));
}
`;

/** Sends the form at once. It calls the prototype's method, because a field named `submit` hides the form's own. */
const FORM_POST = `HTMLFormElement.prototype.submit.call(document.getElementById('kc-form-post'));
`;

/** Continues once every application's frame has loaded, or after five seconds. */
const FRONTCHANNEL_LOGOUT = `const next = document.getElementById('kc-continue');
const goOn = () => next && location.replace(next.href);
addEventListener('load', goOn);
setTimeout(goOn, 5000);
`;

/**
 * Polls whether a form can be sent, and sends it. It also sends the form if the host refuses to answer, for example
 * because the login has ended: the response then shows the result.
 */
const POLL = `const polling = document.querySelector('form[data-poll]');
if (polling) {
  const send = () => HTMLFormElement.prototype.submit.call(polling);
  const wait = () => setTimeout(ask, 1000 * Number(polling.dataset.interval));
  const ask = async () => {
    const response = await fetch(polling.dataset.poll, { cache: 'no-store' }).catch(() => undefined);
    if (response?.ok) {
      const answer = await response.json();
      document.dispatchEvent(new CustomEvent('keyhost:poll', { detail: answer.data }));
      if (answer.ready) return send();
    } else if (response !== undefined && response.status !== 429 && response.status < 500) return send();
    wait();
  };
  wait();
}
`;

/** The script of pages with forms. Each part works only on elements that exist. */
const FORM = NO_RESUBMISSION + SHOW_PASSWORD + WEBAUTHN_SCRIPT + CODES_SCRIPT + POLL;

/** The script of each page type; other types have none. */
export const SCRIPTS = {
  login: { file: 'form.js', text: FORM },
  form: { file: 'form.js', text: FORM },
  consent: { file: 'sent-once.js', text: NO_RESUBMISSION },
  'page-expired': { file: 'sent-once.js', text: NO_RESUBMISSION },
  'form-post': { file: 'form-post.js', text: FORM_POST },
  'frontchannel-logout': { file: 'frontchannel-logout.js', text: FRONTCHANNEL_LOGOUT },
} as const;
