import type { Message, Page } from '@keyhost/spi';
import { html } from '../html.js';
import { linkAddress } from '../link-address.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';

/**
 * Messages for users if the application is at fault, because they cannot correct a parameter. The event has the actual
 * error.
 */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
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

/** The index of the message parameter with the application's input, which is shown to developers only. */
const INPUT_PARAMETER: Readonly<Record<string, number>> = { invalidParameterMessage: 1, invalidRedirectUriMessage: 0 };
/** Number of characters shown from the beginning and the end of a long value: redirect URIs often differ at the end. */
const SHOWN = { beginning: 200, end: 80 };

/** @param showsFaults true: also show the actual error, for developers of the application */
export function errorPage(page: Extract<Page, { page: 'error' }>, texts: Texts, showsFaults: boolean): PageBody {
  const heading = texts.of('errorTitle');
  const { backUrl, message = { key: 'internalServerError' } } = page;
  const told = userMessage(message);
  const sent = sentOf(message);
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    showsMessage: true,
    content: html`<p id="kc-error-message">${texts.text(told)}</p>
${showsFaults && told !== message && html`<p id="kc-error-fault" class="fault">${texts.of('faultForDevelopers', texts.text(message))}${sent !== undefined && html`<br><code>${sent}</code>`}</p>`}
${backUrl !== undefined && html`<div class="buttons"><a class="button" id="backToApplication" href="${linkAddress(backUrl)}">${texts.of('backToApplication')}</a></div>`}`,
  };
}

function sentOf({ key, params = [] }: Message): string | undefined {
  const at = Object.hasOwn(INPUT_PARAMETER, key) ? INPUT_PARAMETER[key] : undefined;
  const sent = at === undefined ? undefined : params[at];
  if (sent === undefined || sent.length <= SHOWN.beginning + SHOWN.end) return sent;
  return `${sent.slice(0, SHOWN.beginning)}…${sent.slice(-SHOWN.end)}`;
}

function userMessage(message: Message): Message {
  const key = Object.hasOwn(FOR_PEOPLE, message.key) ? FOR_PEOPLE[message.key] : undefined;
  return key === undefined ? message : { key };
}
