/** Formats rows as a table with aligned columns, one for each key in any of the rows. Empty without rows. */
export function table(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return '';
  const cells = rows.map((row) => columns.map((column) => printable(row[column])));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((line) => width(line[index] ?? ''))),
  );
  const isNumber = columns.map((column) => rows.every((row) => ['number', 'undefined'].includes(typeof row[column])));
  const line = (values: readonly string[]) =>
    values
      .map((value, index) => {
        const gap = ' '.repeat(Math.max(0, (widths[index] ?? 0) - width(value)));
        return isNumber[index] ? gap + value : value + gap;
      })
      .join('  ')
      .trimEnd();
  return `${[columns, widths.map((size) => '-'.repeat(size)), ...cells].map(line).join('\n')}\n`;
}

/** Control characters of a server's text must not reach the terminal. */
function printable(value: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return value === undefined ? '' : String(value).replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
}

function width(text: string): number {
  return [...text].length;
}
