import { type Html, html } from './html.js';
import type { Texts } from './messages/texts.js';

/** Renders codes in their order, with buttons that need the page's script. */
export function renderCodeList(codes: readonly string[], texts: Texts): Html {
  return html`<div class="codes">
<ol id="kc-recovery-codes-list">${codes.map((code) => html`<li>${code}</li>`)}</ol>
<div class="buttons">
<button type="button" class="button secondary" data-codes="print" hidden>${texts.of('recovery-codes-print')}</button>
<button type="button" class="button secondary" data-codes="download" hidden>${texts.of('recovery-codes-download')}</button>
<button type="button" class="button secondary" data-codes="copy" data-done="${texts.of('recovery-codes-copied')}" hidden>${texts.of('recovery-codes-copy')}</button>
</div>
</div>`;
}
