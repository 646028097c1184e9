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
import { renderPageField } from '../../pages/forms/page-field.js';
import { type Html, html } from '../../pages/html.js';
import type { Texts } from '../../pages/messages/texts.js';
import { safeLinkUrl } from '../../pages/safe-link-url.js';
import { type AccountRequest, addressOf, definitionList, timeText, tokenField } from '../account-request.js';
import type { PageAction } from './page-actions.js';

/** The names of the host's own fields in plugins' forms. */
export const ACTION_FIELD = 'kc.action';
export const BLOCK_FIELD = 'kc.block';
export const ROW_FIELD = 'kc.row';

/** The rejected input of one of the page's forms. */
export interface FormState {
  readonly rejectedInput: {
    readonly pageAction: PageAction;
    readonly form: Readonly<Record<string, string | undefined>>;
    readonly errors?: Readonly<Record<string, Message>>;
  };
}

interface RenderContext extends Partial<FormState> {
  readonly request: AccountRequest;
  readonly texts: Texts;
  readonly frame: PageFrame;
  readonly path: string;
  /** False if the user may only view the page. */
  readonly mayAct: boolean;
  /** Adds the plugin's own texts to a message, if it has some. */
  withTexts(message: Message): Message;
  action(name: string): AccountPageAction | undefined;
  label(text: string): string;
}

/** Renders the content that a plugin returned for its page. */
export function renderBlocks({ blocks }: AccountPageContent, context: RenderContext): Html {
  return html`${blocks.map((block) => renderBlock(block, context))}`;
}

function renderBlock(block: AccountPageBlock, context: RenderContext): Html {
  const textOf = (message: Message) => formatMessage(message, context);
  switch (block.kind) {
    case 'text':
      return html`<p>${textOf(block.text)}</p>`;
    case 'facts': {
      const entries = block.facts.map(({ label, value }) => [textOf(label), renderValue(value, context)] as const);
      return html`<section>${renderHeading(block, context)}${definitionList(entries)}</section>`;
    }
    case 'table':
      return html`<section>${renderHeading(block, context)}${
        block.rows.length === 0
          ? html`<p class="none">${textOf(block.empty)}</p>`
          : html`<ul class="items">${block.rows.map((row) => renderRow(row, block.columns, context))}</ul>`
      }</section>`;
    case 'form':
      return html`<section>${renderHeading(block, context)}${renderForm(block, context)}</section>`;
    case 'action':
      return html`<section><div class="section-head"><div>${renderHeading(block, context)}</div>${renderButton(block.action, blockField(block), '', context)}</div></section>`;
  }
}

function renderHeading({ title, text }: { title?: Message; text?: Message }, context: RenderContext): Html {
  return html`${title && html`<h2>${formatMessage(title, context)}</h2>`}${text && html`<p>${formatMessage(text, context)}</p>`}`;
}

function formatMessage(message: Message, { texts, withTexts }: RenderContext): string {
  return texts.text(withTexts(message));
}

function renderValue(value: AccountPageValue | undefined, context: RenderContext): Html | string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return 'time' in value ? timeText(context.texts, context.frame, value.time) : formatMessage(value, context);
}

function renderRow(
  { id, cells, actions = [] }: AccountPageRow,
  columns: readonly { readonly name: string; readonly label: Message }[],
  context: RenderContext,
): Html {
  const renderCell = (name: string) => (Object.hasOwn(cells, name) ? renderValue(cells[name], context) : undefined);
  const [first, ...remaining] = columns;
  const name = first && renderCell(first.name);
  const buttons = actions.map((action) =>
    renderButton(action, { [ROW_FIELD]: id }, typeof name === 'string' ? name : '', context),
  );
  return html`<li data-row="${id}"><div class="item"><p class="item-title">${name ?? id}</p>
${definitionList(remaining.map((column) => [formatMessage(column.label, context), renderCell(column.name)] as const))}</div>
${context.mayAct && buttons.length > 0 && html`<div class="item-actions">${buttons}</div>`}</li>`;
}

function renderForm(block: Extract<AccountPageBlock, { kind: 'form' }>, context: RenderContext): Html | undefined {
  const { request, path, rejectedInput, mayAct, texts } = context;
  const action = context.action(block.action);
  if (action === undefined) return undefined;
  const isOfForm =
    rejectedInput?.pageAction.action === block.action &&
    rejectedInput.pageAction.block === block.id &&
    rejectedInput.pageAction.row === undefined;
  const rejected = isOfForm ? rejectedInput : undefined;
  const fields = block.fields.map((field) => withInput(field, rejected, context));
  const firstInvalid = fields.find(({ error }) => error !== undefined)?.name;
  const inputs = fields.map((field) =>
    renderPageField(texts, mayAct ? field : { ...field, readOnly: true }, field.name === firstInvalid),
  );
  return html`<form action="${safeLinkUrl(addressOf(request, path))}" method="post">${tokenField(request)}${hiddenField(ACTION_FIELD, block.action)}${hiddenFields(blockField(block))}
${inputs}
${mayAct && html`<div class="buttons"><button type="submit" class="button${action.danger === true && ' danger'}">${context.label(action.label)}</button></div>`}</form>`;
}

/** The hidden field that identifies the form's block. */
function blockField({ id }: { readonly id?: string }): Readonly<Record<string, string>> {
  return id === undefined ? {} : { [BLOCK_FIELD]: id };
}

function hiddenFields(fields: Readonly<Record<string, string>>): readonly Html[] {
  return Object.entries(fields).map(([name, value]) => hiddenField(name, value));
}

/** Adds the rejected input and its error to a field, and the plugin's texts to its messages. */
function withInput(
  field: PageField,
  rejectedInput: FormState['rejectedInput'] | undefined,
  { withTexts }: RenderContext,
): PageField {
  const { label, help, heading: fieldHeading, placeholder, options, error, ...rest } = field;
  const fieldError = rejectedInput?.errors?.[field.name] ?? error;
  const value =
    rejectedInput === undefined || field.type === 'password'
      ? rest.value
      : (rejectedInput.form[field.name] ?? rest.value);
  return {
    ...rest,
    label: withTexts(label),
    ...defined({
      value,
      help: help && withTexts(help),
      heading: fieldHeading && withTexts(fieldHeading),
      placeholder: placeholder && withTexts(placeholder),
      options: options?.map((option) => ({ ...option, label: withTexts(option.label) })),
      error: fieldError && withTexts(fieldError),
    }),
  };
}

/** Renders a form with one button. A confirmation is a `<details>` element, so it needs no script. */
function renderButton(
  name: string,
  fields: Readonly<Record<string, string>>,
  subject: string,
  context: RenderContext,
): Html | undefined {
  const { request, path, label, mayAct } = context;
  const action = context.action(name);
  if (action === undefined || !mayAct) return undefined;
  const text = label(action.label);
  const ariaLabel = subject !== '' && html` aria-label="${text}: ${subject}"`;
  const form = html`<form action="${safeLinkUrl(addressOf(request, path))}" method="post">${tokenField(request)}${hiddenField(ACTION_FIELD, name)}${hiddenFields(fields)}
<div class="buttons"><button type="submit" class="button secondary small${action.danger === true && ' danger'}"${ariaLabel}>${text}</button></div></form>`;
  if (action.confirm === undefined) return form;
  return html`<details><summary${ariaLabel}>${text}</summary><p>${label(action.confirm)}</p>${form}</details>`;
}
