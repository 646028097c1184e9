import type { Page } from '@keyhost/spi';
import { ALERT_ID } from '../alert.js';
import { renderField } from '../field.js';
import { type Html, html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { providerIcon } from '../provider-icon.js';
import { safeLinkUrl } from '../safe-link-url.js';
import { renderOtherWays } from './other-ways-form.js';
import { renderPasskeyForm } from './webauthn-form.js';

type LoginPage = Extract<Page, { page: 'login' }>;
type FieldName = 'username' | 'password';

/** The fields that each error message refers to. */
const FIELDS_IN_ERROR: Readonly<Record<string, readonly FieldName[]>> = {
  invalidUserMessage: ['username', 'password'],
  invalidUsernameMessage: ['username'],
  invalidUsernameOrEmailMessage: ['username'],
  invalidEmailMessage: ['username'],
  missingUsernameMessage: ['username'],
  invalidPasswordMessage: ['password'],
  missingPasswordMessage: ['password'],
};

/**
 * Keycloak's login form, with the same IDs and names, and its attributes in the same order: scripts that sign in with
 * it search for something between `id` and `action`, followed by `method`.
 */
export function loginPage(page: LoginPage, texts: Texts): PageBody {
  const { username, usernameEditable, password, rememberMe, client, webauthn, identityProviders = [] } = page;
  const { resetUrl, restartUrl, registrationUrl } = page;
  const autocomplete = webauthn === undefined ? 'username' : 'username webauthn';
  const fieldsInError = findFieldsInError(page);
  const focusedName = fieldToFocus(page, fieldsInError);
  const fieldMembers = (name: FieldName) => ({
    name,
    autofocus: focusedName === name,
    describedBy: fieldsInError.includes(name) ? ALERT_ID : undefined,
  });
  return {
    title: texts.of('loginTitle', page.realm.displayName),
    heading: texts.of('loginAccountTitle'),
    logo: client?.logoUri,
    subtitle: client && texts.of('continueToApplication', client.name),
    content: html`<form id="kc-form-login" class="login" action="${safeLinkUrl(page.action)}" method="post">
${renderField(texts, { ...fieldMembers('username'), type: 'text', label: texts.text(page.usernameLabel), value: username, autocomplete, readOnly: !usernameEditable, beside: renderLink('reset-login', restartUrl, texts.of('restartLoginTooltip')) })}
${password !== false && renderField(texts, { ...fieldMembers('password'), type: 'password', label: texts.of('password'), autocomplete: 'current-password', beside: renderLink('kc-forgot-password', resetUrl, texts.of('doForgotPassword')) })}
${rememberMe !== undefined && renderField(texts, { name: 'rememberMe', type: 'checkbox', label: texts.of('rememberMe'), checked: rememberMe })}
<input type="hidden" id="id-hidden-input" name="credentialId">
<div class="buttons"><button class="button" name="login" id="kc-login" type="submit">${texts.of('doLogIn')}</button></div>
</form>
${webauthn !== undefined && renderPasskeyForm(page.action, webauthn, texts)}
${renderOtherWays(page, texts)}
${identityProviders.length > 0 && html`<section id="kc-social-providers" aria-labelledby="kc-social-label"><h2 id="kc-social-label">${texts.of('identity-provider-login-label')}</h2><ul>${identityProviders.map(({ alias, displayName, url }) => html`<li><a class="button secondary" id="social-${alias}" href="${safeLinkUrl(url)}">${providerIcon(alias)}<span>${texts.name(displayName)}</span></a></li>`)}</ul></section>`}
${registrationUrl !== undefined && html`<p class="links" id="kc-registration">${texts.of('noAccount')} <a href="${safeLinkUrl(registrationUrl)}">${texts.of('doRegister')}</a></p>`}`,
  };
}

function renderLink(id: string, url: string | undefined, text: string): Html | undefined {
  return url === undefined ? undefined : html`<a id="${id}" href="${safeLinkUrl(url)}">${text}</a>`;
}

function findFieldsInError({ message, usernameEditable, password }: LoginPage): readonly FieldName[] {
  if (message?.severity !== 'error') return [];
  const fields = Object.hasOwn(FIELDS_IN_ERROR, message.key) ? (FIELDS_IN_ERROR[message.key] ?? []) : [];
  return fields.filter((name) => (name === 'username' ? usernameEditable : password !== false));
}

/** Returns the first field in error, or else the first empty field. */
function fieldToFocus(
  { username, usernameEditable, password }: LoginPage,
  [firstInError]: readonly FieldName[],
): FieldName {
  return firstInError ?? (password === false || (usernameEditable && username === '') ? 'username' : 'password');
}
