import type {
  AccountPageAction,
  AccountPageBlock,
  AccountPageContent,
  AccountPageRow,
  AccountPageValue,
  Message,
  PageField,
  PageFrame,
} from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { hiddenField } from '../../pages/field.js';
import { pageField } from '../../pages/forms/page-field.js';
import { type Html, html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { Texts } from '../../pages/messages/texts.js';
import { type AccountRequest, addressOf, definitionList, timeText, tokenField } from '../account-request.js';
import type { Offer } from './offers.js';

/** The names of the host's own fields in plugins' forms. */
export const ACTION = 'kc.action';
export const BLOCK = 'kc.block';
export const ROW = 'kc.row';

/** The rejected input of one of the page's forms. */
export interface FormState {
  readonly typed: {
    readonly offer: Offer;
    readonly form: Readonly<Record<string, string | undefined>>;
    readonly errors?: Readonly<Record<string, Message>>;
  };
}

interface Drawing extends Partial<FormState> {
  readonly visit: AccountRequest;
  readonly texts: Texts;
  readonly frame: PageFrame;
  readonly path: string;
  /** False if the user may only view the page. */
  readonly mayAct: boolean;
  /** The message, with the plugin's own texts if it has them. */
  words(message: Message): Message;
  action(name: string): AccountPageAction | undefined;
  label(text: string): string;
}

/** The plugin's content of the page. */
export function drawBlocks({ blocks }: AccountPageContent, drawing: Drawing): Html {
  return html`${blocks.map((block) => ofBlock(block, drawing))}`;
}

function ofBlock(block: AccountPageBlock, drawing: Drawing): Html {
  const say = (message: Message) => said(message, drawing);
  switch (block.kind) {
    case 'text':
      return html`<p>${say(block.text)}</p>`;
    case 'facts': {
      const shown = block.facts.map(({ label, value }) => [say(label), shownValue(value, drawing)] as const);
      return html`<section>${heading(block, drawing)}${definitionList(shown)}</section>`;
    }
    case 'table':
      return html`<section>${heading(block, drawing)}${
        block.rows.length === 0
          ? html`<p class="none">${say(block.empty)}</p>`
          : html`<ul class="items">${block.rows.map((row) => rowOf(row, block.columns, drawing))}</ul>`
      }</section>`;
    case 'form':
      return html`<section>${heading(block, drawing)}${formOf(block, drawing)}</section>`;
    case 'action':
      return html`<section><div class="section-head"><div>${heading(block, drawing)}</div>${button(block.action, ofIt(block), '', drawing)}</div></section>`;
  }
}

function heading({ title, text }: { title?: Message; text?: Message }, drawing: Drawing): Html {
  return html`${title && html`<h2>${said(title, drawing)}</h2>`}${text && html`<p>${said(text, drawing)}</p>`}`;
}

function said(message: Message, { texts, words }: Drawing): string {
  return texts.text(words(message));
}

function shownValue(value: AccountPageValue | undefined, drawing: Drawing): Html | string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return 'time' in value ? timeText(drawing.texts, drawing.frame, value.time) : said(value, drawing);
}

function rowOf(
  { id, cells, actions = [] }: AccountPageRow,
  columns: readonly { readonly name: string; readonly label: Message }[],
  drawing: Drawing,
): Html {
  const cell = (name: string) => (Object.hasOwn(cells, name) ? shownValue(cells[name], drawing) : undefined);
  const [first, ...others] = columns;
  const name = first && cell(first.name);
  const buttons = actions.map((action) => button(action, { [ROW]: id }, typeof name === 'string' ? name : '', drawing));
  return html`<li data-row="${id}"><div class="item"><p class="item-title">${name ?? id}</p>
${definitionList(others.map((column) => [said(column.label, drawing), cell(column.name)] as const))}</div>
${drawing.mayAct && buttons.length > 0 && html`<div class="item-actions">${buttons}</div>`}</li>`;
}

function formOf(block: Extract<AccountPageBlock, { kind: 'form' }>, drawing: Drawing): Html | undefined {
  const { visit, path, typed, mayAct, texts } = drawing;
  const action = drawing.action(block.action);
  if (action === undefined) return undefined;
  const isOwn = typed?.offer.action === block.action && typed.offer.block === block.id && typed.offer.row === undefined;
  const own = isOwn ? typed : undefined;
  const fields = block.fields.map((field) => withInput(field, own, drawing));
  const blamed = fields.find(({ error }) => error !== undefined)?.name;
  const shown = fields.map((field) =>
    pageField(texts, mayAct ? field : { ...field, readOnly: true }, field.name === blamed),
  );
  return html`<form action="${linkAddress(addressOf(visit, path))}" method="post">${tokenField(visit)}${hiddenField(ACTION, block.action)}${hiddenFields(ofIt(block))}
${shown}
${mayAct && html`<div class="buttons"><button type="submit" class="button${action.danger === true && ' danger'}">${drawing.label(action.label)}</button></div>`}</form>`;
}

/** The hidden field that names the form's block. */
function ofIt({ id }: { readonly id?: string }): Readonly<Record<string, string>> {
  return id === undefined ? {} : { [BLOCK]: id };
}

function hiddenFields(fields: Readonly<Record<string, string>>): readonly Html[] {
  return Object.entries(fields).map(([name, value]) => hiddenField(name, value));
}

/** The field with the typed value and its error. */
function withInput(field: PageField, typed: FormState['typed'] | undefined, { words }: Drawing): PageField {
  const { label, help, heading: above, placeholder, options, error, ...rest } = field;
  const found = typed?.errors?.[field.name] ?? error;
  const value = typed === undefined || field.type === 'password' ? rest.value : (typed.form[field.name] ?? rest.value);
  return {
    ...rest,
    label: words(label),
    ...defined({
      value,
      help: help && words(help),
      heading: above && words(above),
      placeholder: placeholder && words(placeholder),
      options: options?.map((one) => ({ ...one, label: words(one.label) })),
      error: found && words(found),
    }),
  };
}

/** A form with one button. A confirmation unfolds without a script. */
function button(
  name: string,
  fields: Readonly<Record<string, string>>,
  about: string,
  drawing: Drawing,
): Html | undefined {
  const { visit, path, label, mayAct } = drawing;
  const action = drawing.action(name);
  if (action === undefined || !mayAct) return undefined;
  const text = label(action.label);
  const spoken = about !== '' && html` aria-label="${text}: ${about}"`;
  const form = html`<form action="${linkAddress(addressOf(visit, path))}" method="post">${tokenField(visit)}${hiddenField(ACTION, name)}${hiddenFields(fields)}
<div class="buttons"><button type="submit" class="button secondary small${action.danger === true && ' danger'}"${spoken}>${text}</button></div></form>`;
  if (action.confirm === undefined) return form;
  return html`<details><summary${spoken}>${text}</summary><p>${label(action.confirm)}</p>${form}</details>`;
}
