import { findNonJson } from '../response-check.js';
import type { AdminPageDeclaration, PageColumn, PagePointer } from './declaration.js';
import { LINK } from './declaration-schema.js';

const ROWS_LIMIT = 100;
const ERRORS_LIMIT = 100;
const LINK_PATTERN = new RegExp(LINK.pattern);

type Members = Readonly<Record<string, unknown>>;

/**
 * Describes the mistake in the result of an operation by its position, never by its value, because a value may be shown
 * only once.
 */
export function wrongPageAnswer(operation: string, answer: unknown, page: AdminPageDeclaration): string | undefined {
  const part = findNonJson(answer, 'answer');
  if (part !== undefined) return `${part}: not allowed in JSON`;
  if (isObject(answer) && answer.error !== undefined) return wrongRefusal(answer);
  const tables = page.blocks.filter((block) => block.kind === 'table');
  const ofRows = tables.filter(({ rows }) => rows.operation === operation);
  if (ofRows.length > 0) {
    return (
      wrongRows(answer) ??
      first((answer as { rows: readonly unknown[] }).rows, (row, index) =>
        wrongLink(
          row,
          `rows[${index}]`,
          ofRows.flatMap(({ columns }) => columns),
        ),
      )
    );
  }
  if (answer === undefined && page.operations[operation]?.method !== 'GET') return undefined;
  if (!isObject(answer)) return 'no object';
  const shown = page.blocks.flatMap((block) =>
    block.kind === 'form' && block.submit.operation === operation ? (block.result?.show ?? []) : [],
  );
  return wrongLink(answer, 'answer', shown);
}

function wrongRows(answer: unknown): string | undefined {
  if (!isObject(answer)) return 'no rows: { rows, more, total }';
  const { rows, more, total, ...others } = answer;
  const other = firstName(others);
  if (other !== undefined) return `the unknown member ${other}`;
  if (!Array.isArray(rows) || !rows.every(isObject)) return 'rows that are not a list of objects';
  if (rows.length > ROWS_LIMIT) return `${rows.length} rows: at most ${ROWS_LIMIT} are allowed`;
  if (more !== undefined && typeof more !== 'boolean') return 'a "more" that is neither true nor false';
  if (total !== undefined && !(Number.isInteger(total) && Number(total) >= 0)) return 'a "total" that is not a count';
  return undefined;
}

function wrongRefusal({ error, error_description: description, errors = [], ...others }: Members): string | undefined {
  const other = firstName(others);
  if (other !== undefined) return `a refusal with the unknown member ${other}`;
  if (typeof error !== 'string' || typeof description !== 'string')
    return 'a refusal without error and error_description';
  if (!Array.isArray(errors) || errors.length > ERRORS_LIMIT)
    return `errors that are not a list of at most ${ERRORS_LIMIT}`;
  return first(errors, (one, index) => {
    const { pointer, message } = isObject(one) ? one : ({} as Members);
    const isText = typeof message === 'string' || (isObject(message) && Object.values(message).every(isString));
    return typeof pointer === 'string' && isText ? undefined : `errors[${index}] without pointer and message`;
  });
}

function wrongLink(value: unknown, place: string, columns: readonly PageColumn[]): string | undefined {
  return first(
    columns.filter(({ as }) => as === 'link'),
    (column) => {
      const link = at(value, column.at);
      if (link === undefined || link === null || (isString(link) && LINK_PATTERN.test(link))) return undefined;
      return `a link at ${place} ${column.at} that is neither a path of the admin console nor an https: address`;
    },
  );
}

function at(value: unknown, pointer: PagePointer): unknown {
  const names = pointer.split('/').slice(1);
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (found, name) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, name)
          ? (found as Members)[name]
          : undefined,
      value,
    );
}

function first<T>(items: readonly T[], wrong: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = wrong(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the first member that JSON would contain. */
function firstName(members: Members): string | undefined {
  return Object.keys(members).find((name) => members[name] !== undefined);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
