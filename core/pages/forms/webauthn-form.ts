import type { WebAuthnCall } from '@keyhost/spi';
import { hiddenFields } from '../field.js';
import { type Html, html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import { safeLinkUrl } from '../safe-link-url.js';

/** Fields that the script fills in, for a form with `renderWebAuthnAttributes`. */
export const WEBAUTHN_FIELDS: Html = hiddenFields([
  ['credential', ''],
  ['error', ''],
]);

/** Renders the attributes of a form whose button calls WebAuthn before the form is sent. */
export function renderWebAuthnAttributes(webauthn: WebAuthnCall | undefined): Html | undefined {
  return webauthn && html` data-webauthn="${webauthn.call}" data-options="${webauthn.options}"`;
}

/** Notes for browsers without scripts or WebAuthn. */
export function renderWebAuthnNotes(texts: Texts): Html {
  return html`<noscript><p class="needed">${texts.of('webauthn-needs-script')}</p></noscript>
<p class="needed" id="kc-webauthn-unsupported" role="alert" hidden>${texts.of('webauthn-unsupported-browser-text')}</p>`;
}

/**
 * Renders a form to sign in by passkey instead of by password. Browsers also offer the passkey when they fill in
 * usernames. The form stays hidden without the script.
 */
export function renderPasskeyForm(action: string, webauthn: WebAuthnCall, texts: Texts): Html {
  return html`<form id="kc-form-passkey" action="${safeLinkUrl(action)}" method="post"${renderWebAuthnAttributes(webauthn)} data-conditional hidden>
${WEBAUTHN_FIELDS}
<div class="buttons"><button type="submit" class="button secondary" id="kc-passkey">${texts.of('webauthn-doAuthenticate')}</button></div>
</form>`;
}
