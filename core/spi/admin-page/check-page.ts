import type { AdminPageDeclaration, PageCall, PageForm, PageTable } from './declaration.js';

/** The maximum length of a page in characters of JSON, since the whole page is sent to every browser that shows it. */
const MAX_PAGE_LENGTH = 128 * 1024;
const MAX_DEPTH = 40;
/** The query parameters that the host defines. */
const HOST_PARAMETERS = ['first', 'max', 'search', 'subject'];
/**
 * Names that cannot be operations, since they have another meaning in a provider: lifecycle methods, `then` of
 * promises, and members of every object.
 */
const RESERVED_NAMES = ['close', 'background', 'scheduled', 'then', ...Object.getOwnPropertyNames(Object.prototype)];

/**
 * Checks that the parts of a page match each other. The schema of the page has been checked before.
 * @throws Error with the position and the mistake
 */
export function checkPage(page: AdminPageDeclaration): void {
  checkData(page, '', 0);
  if (JSON.stringify(page).length > MAX_PAGE_LENGTH)
    throw new Error(`the page has more than ${MAX_PAGE_LENGTH} characters of JSON`);
  checkOperations(page);
  checkIds(page);
  const calls = [...callsOf(page)];
  for (const call of calls) checkCall(page, call);
  const lists = new Set(calls.filter(({ purpose }) => purpose === 'rows').map(({ call }) => call.operation));
  const ambiguous = calls.find(({ call, purpose }) => purpose !== 'rows' && lists.has(call.operation));
  if (ambiguous !== undefined)
    throw new Error(`${ambiguous.place}.operation ${ambiguous.call.operation} answers the rows of a table`);
}

/** Checks that a value is JSON, because the page is sent to browsers. */
function checkData(value: unknown, path: string, depth: number): void {
  const kind = typeof value;
  if (value === undefined || value === null || kind === 'string' || kind === 'boolean') return;
  if (kind === 'number' && Number.isFinite(value)) return;
  const prototype: unknown = kind === 'object' ? Object.getPrototypeOf(value) : undefined;
  const isPlain = Array.isArray(value) || prototype === Object.prototype || prototype === null;
  if (kind !== 'object' || !isPlain) throw new Error(`${path} must be JSON`);
  if (depth === MAX_DEPTH) throw new Error(`${path} is more than ${MAX_DEPTH} members deep`);
  for (const [name, member] of Object.entries(value as object)) {
    checkData(member, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`.replace(/^\./, ''), depth + 1);
  }
}

function checkOperations({ operations, manage }: AdminPageDeclaration): void {
  for (const [name, { method, body }] of Object.entries(operations)) {
    const path = `operations.${name}`;
    if (RESERVED_NAMES.includes(name)) throw new Error(`${path}: an operation cannot have that name`);
    if (method === 'GET' && body !== undefined) throw new Error(`${path}.body: a GET has no body`);
    if (body !== undefined && body.type !== 'object') throw new Error(`${path}.body must be of type object`);
    if (method !== 'GET' && manage.length === 0) throw new Error(`manage is empty: no admin can call ${path}`);
  }
}

function checkIds(page: AdminPageDeclaration): void {
  const ids = new Set<string>();
  for (const [index, block] of page.blocks.entries()) {
    const path = `blocks[${index}]`;
    if (block.kind === 'text') continue;
    if (ids.has(block.id)) throw new Error(`${path}.id ${block.id} is the ID of another block`);
    ids.add(block.id);
    if (block.kind !== 'form') continue;
    if (block.schema.type !== 'object') throw new Error(`${path}.schema must be of type object`);
    const missingTable = block.result?.reload?.find((id) => !tablesOf(page).some((table) => table.id === id));
    if (missingTable !== undefined) throw new Error(`${path}.result.reload: the page has no table ${missingTable}`);
  }
  for (const { place, form } of formActionsOf(page)) {
    if (!formsOf(page).some(({ id }) => id === form)) throw new Error(`${place}: the page has no form ${form}`);
  }
}

interface CallWithPlace {
  readonly place: string;
  readonly call: PageCall;
  readonly purpose: 'rows' | 'initial' | 'submit' | 'action';
  /** True if the call is made for a row. */
  readonly hasRow: boolean;
}

function* callsOf(page: AdminPageDeclaration): Iterable<CallWithPlace> {
  const rowForms = new Set([...formActionsOf(page)].filter(({ hasRow }) => hasRow).map(({ form }) => form));
  for (const [index, block] of page.blocks.entries()) {
    const place = `blocks[${index}]`;
    if (block.kind === 'table') {
      yield { place: `${place}.rows`, call: block.rows, purpose: 'rows', hasRow: false };
      for (const { place, does, hasRow } of actionsOf(block, index)) {
        if (!('form' in does)) yield { place, call: does, purpose: 'action', hasRow };
      }
    } else if (block.kind === 'form') {
      const hasRow = block.opens === 'by-action' && rowForms.has(block.id);
      if (block.initial !== undefined)
        yield { place: `${place}.initial`, call: block.initial, purpose: 'initial', hasRow };
      yield { place: `${place}.submit`, call: block.submit, purpose: 'submit', hasRow };
    }
  }
}

function checkCall({ operations, at }: AdminPageDeclaration, { place, call, purpose, hasRow }: CallWithPlace): void {
  const { operation: name, with: additions = {} } = call;
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) throw new Error(`${place}.operation: the page has no operation ${name}`);
  const isRead = purpose === 'rows' || purpose === 'initial';
  if (isRead !== (operation.method === 'GET')) {
    throw new Error(`${place}.operation ${name} must be ${isRead ? 'a GET' : 'an operation other than GET'}`);
  }
  if (purpose === 'submit' && operation.body === undefined)
    throw new Error(`${place}.operation ${name} requires a body`);
  for (const [member, value] of Object.entries(additions)) {
    const path = `${place}.with.${member}`;
    if (operation.body === undefined && HOST_PARAMETERS.includes(member)) {
      throw new Error(`${path}: ${HOST_PARAMETERS.join(', ')} are the host's own`);
    }
    if ('row' in value && !hasRow) throw new Error(`${path}: only row actions have a row`);
    if ('subject' in value && at !== 'user' && at !== 'client') {
      throw new Error(`${path}: the page is not about a user or a client`);
    }
  }
}

function* formActionsOf(page: AdminPageDeclaration) {
  for (const [index, block] of page.blocks.entries()) {
    if (block.kind !== 'table') continue;
    for (const { place, does, hasRow } of actionsOf(block, index)) {
      if ('form' in does) yield { place, form: does.form, hasRow };
    }
  }
}

function* actionsOf({ actions = [], rowActions = [] }: PageTable, index: number) {
  for (const [name, actionList] of Object.entries({ actions, rowActions })) {
    for (const [number, { does }] of actionList.entries()) {
      yield { place: `blocks[${index}].${name}[${number}].does`, does, hasRow: name === 'rowActions' };
    }
  }
}

function tablesOf({ blocks }: AdminPageDeclaration): readonly PageTable[] {
  return blocks.filter((block) => block.kind === 'table');
}

function formsOf({ blocks }: AdminPageDeclaration): readonly PageForm[] {
  return blocks.filter((block) => block.kind === 'form');
}
