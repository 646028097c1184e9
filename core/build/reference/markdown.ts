const GENERATED_NOTE = '<!-- Written by `npm run reference` from the source code. Do not edit this page. -->';

/** Begins a page with its title and a note that it is generated. */
export function page(title: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, GENERATED_NOTE, ...parts].join('\n\n')}\n`;
}

/** Formats a table, whose cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Formats a text as code. */
export function code(text: string | number | boolean): string {
  return `\`${text}\``;
}

export function codes(texts: readonly (string | number | boolean)[]): string {
  return texts.map(code).join(', ');
}

/**
 * Formats a text of the source as a sentence: it begins with a capital letter, and Markdown and HTML in it are escaped.
 */
export function sentence(text: string): string {
  return plain(text.charAt(0).toUpperCase() + text.slice(1));
}

/** Formats a text of the source that is a label or part of a sentence, with Markdown and HTML escaped. */
export function plain(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');
}
