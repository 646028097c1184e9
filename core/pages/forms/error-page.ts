import type { Message, Page } from '@keyhost/spi';
import { html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { safeLinkUrl } from '../safe-link-url.js';

/**
 * Messages for users about errors of the application. Users cannot correct a parameter, so they do not see which one is
 * wrong. The event has the actual error.
 */
const USER_MESSAGES: Readonly<Record<string, string>> = {
  missingParameterMessage: 'applicationFaultMessage',
  invalidParameterMessage: 'applicationFaultMessage',
  invalidRedirectUriMessage: 'applicationFaultMessage',
  invalidRequestMessage: 'applicationFaultMessage',
  clientNotFoundMessage: 'applicationFaultMessage',
  unknownLoginRequesterMessage: 'applicationFaultMessage',
  bearerOnlyMessage: 'applicationFaultMessage',
  standardFlowDisabledMessage: 'applicationFaultMessage',
  implicitFlowDisabledMessage: 'applicationFaultMessage',
  oauth2DeviceAuthorizationGrantDisabledMessage: 'applicationFaultMessage',
  'Wrong client protocol.': 'applicationFaultMessage',
  clientDisabledMessage: 'applicationDisabledMessage',
  loginRequesterNotEnabledMessage: 'applicationDisabledMessage',
};

/** The index of the message parameter that holds the application's input. Only developers see it. */
const INPUT_PARAMETER: Readonly<Record<string, number>> = { invalidParameterMessage: 1, invalidRedirectUriMessage: 0 };
/**
 * How many characters of a long value are shown from its beginning and its end. Redirect URIs often differ at the end.
 */
const SHOWN_LENGTHS = { beginning: 200, end: 80 };

/** @param showsFaults true: also show the actual error, for developers of the application */
export function errorPage(page: Extract<Page, { page: 'error' }>, texts: Texts, showsFaults: boolean): PageBody {
  const heading = texts.of('errorTitle');
  const { backUrl, message = { key: 'internalServerError' } } = page;
  const displayed = userMessage(message);
  const input = applicationInput(message);
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    showsMessage: true,
    content: html`<p id="kc-error-message">${texts.text(displayed)}</p>
${showsFaults && displayed !== message && html`<p id="kc-error-fault" class="fault">${texts.of('faultForDevelopers', texts.text(message))}${input !== undefined && html`<br><code>${input}</code>`}</p>`}
${backUrl !== undefined && html`<div class="buttons"><a class="button" id="backToApplication" href="${safeLinkUrl(backUrl)}">${texts.of('backToApplication')}</a></div>`}`,
  };
}

function applicationInput({ key, params = [] }: Message): string | undefined {
  const index = Object.hasOwn(INPUT_PARAMETER, key) ? INPUT_PARAMETER[key] : undefined;
  const input = index === undefined ? undefined : params[index];
  if (input === undefined || input.length <= SHOWN_LENGTHS.beginning + SHOWN_LENGTHS.end) return input;
  return `${input.slice(0, SHOWN_LENGTHS.beginning)}…${input.slice(-SHOWN_LENGTHS.end)}`;
}

function userMessage(message: Message): Message {
  const key = Object.hasOwn(USER_MESSAGES, message.key) ? USER_MESSAGES[message.key] : undefined;
  return key === undefined ? message : { key };
}
