import type { PageFrame } from '@keyhost/spi';
import { type Html, html } from './html.js';
import type { Texts } from './messages/texts.js';

/** ID of the alert, to which the `aria-describedby` of fields in error refers. */
export const ALERT_ID = 'input-error';

/** Renders the frame's message. Its role makes screen readers announce errors and warnings immediately. */
export function renderAlert(texts: Texts, message: NonNullable<PageFrame['message']>): Html {
  const { severity } = message;
  const role = severity === 'error' || severity === 'warning' ? 'alert' : 'status';
  return html`<div class="alert alert-${severity}" id="${ALERT_ID}" role="${role}">
${ICONS[severity]}<span class="alert-text">${texts.text(message)}</span>
</div>`;
}

const icon = (glyph: Html) =>
  html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="8.25"/>${glyph}</svg>`;
const EXCLAMATION = icon(html`<path d="M10 5.5v5.5M10 13.9v.1"/>`);
const ICONS = {
  error: EXCLAMATION,
  warning: EXCLAMATION,
  info: icon(html`<path d="M10 9v5.5M10 6v.1"/>`),
  success: icon(html`<path d="m6.5 10.3 2.4 2.4 4.6-5"/>`),
};
