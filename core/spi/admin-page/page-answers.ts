import { findNonJson } from '../response-check.js';
import type { AdminPageDeclaration, PageColumn, PagePointer } from './declaration.js';
import { LINK } from './declaration-schema.js';

const MAX_ROWS = 100;
const MAX_ERRORS = 100;
const LINK_PATTERN = new RegExp(LINK.pattern);

type Members = Readonly<Record<string, unknown>>;

/**
 * Describes the mistake in the result of an operation. The sentence contains the position and never the value, because
 * some values may be shown only once.
 */
export function wrongPageAnswer(operation: string, answer: unknown, page: AdminPageDeclaration): string | undefined {
  const nonJson = findNonJson(answer, 'answer');
  if (nonJson !== undefined) return `${nonJson}: not allowed in JSON`;
  if (isObject(answer) && answer.error !== undefined) return refusalProblem(answer);
  const tables = page.blocks.filter((block) => block.kind === 'table');
  const tablesOfOperation = tables.filter(({ rows }) => rows.operation === operation);
  if (tablesOfOperation.length > 0) {
    return (
      rowsProblem(answer) ??
      firstProblem((answer as { rows: readonly unknown[] }).rows, (row, index) =>
        linkProblem(
          row,
          `rows[${index}]`,
          tablesOfOperation.flatMap(({ columns }) => columns),
        ),
      )
    );
  }
  if (answer === undefined && page.operations[operation]?.method !== 'GET') return undefined;
  if (!isObject(answer)) return 'no object';
  const shownColumns = page.blocks.flatMap((block) =>
    block.kind === 'form' && block.submit.operation === operation ? (block.result?.show ?? []) : [],
  );
  return linkProblem(answer, 'answer', shownColumns);
}

function rowsProblem(answer: unknown): string | undefined {
  if (!isObject(answer)) return 'no rows: { rows, more, total }';
  const { rows, more, total, ...others } = answer;
  const unknownMember = firstName(others);
  if (unknownMember !== undefined) return `the unknown member ${unknownMember}`;
  if (!Array.isArray(rows) || !rows.every(isObject)) return 'rows that are not a list of objects';
  if (rows.length > MAX_ROWS) return `${rows.length} rows: at most ${MAX_ROWS} are allowed`;
  if (more !== undefined && typeof more !== 'boolean') return 'a "more" that is neither true nor false';
  if (total !== undefined && !(Number.isInteger(total) && Number(total) >= 0)) return 'a "total" that is not a count';
  return undefined;
}

function refusalProblem({
  error,
  error_description: description,
  errors = [],
  ...others
}: Members): string | undefined {
  const unknownMember = firstName(others);
  if (unknownMember !== undefined) return `a refusal with the unknown member ${unknownMember}`;
  if (typeof error !== 'string' || typeof description !== 'string')
    return 'a refusal without error and error_description';
  if (!Array.isArray(errors) || errors.length > MAX_ERRORS)
    return `errors that are not a list of at most ${MAX_ERRORS}`;
  return firstProblem(errors, (item, index) => {
    const { pointer, message } = isObject(item) ? item : ({} as Members);
    const isText = typeof message === 'string' || (isObject(message) && Object.values(message).every(isString));
    return typeof pointer === 'string' && isText ? undefined : `errors[${index}] without pointer and message`;
  });
}

function linkProblem(value: unknown, location: string, columns: readonly PageColumn[]): string | undefined {
  return firstProblem(
    columns.filter(({ as }) => as === 'link'),
    (column) => {
      const link = valueAt(value, column.at);
      if (link === undefined || link === null || (isString(link) && LINK_PATTERN.test(link))) return undefined;
      return `a link at ${location} ${column.at} that is neither a path of the admin console nor an https: address`;
    },
  );
}

function valueAt(value: unknown, pointer: PagePointer): unknown {
  const names = pointer.split('/').slice(1);
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (current, name) =>
        typeof current === 'object' && current !== null && Object.hasOwn(current, name)
          ? (current as Members)[name]
          : undefined,
      value,
    );
}

function firstProblem<T>(
  items: readonly T[],
  check: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns the name of the first member that is not undefined, since JSON contains only these. */
function firstName(members: Members): string | undefined {
  return Object.keys(members).find((name) => members[name] !== undefined);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
