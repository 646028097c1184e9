/** Begins a page with its title and a note that it is generated. */
export function page(title: string, ...parts: readonly string[]): string {
  const GENERATED_NOTE = '<!-- Written by `npm run reference` from the source code. Do not edit this page. -->';
  return `${[`# ${title}`, GENERATED_NOTE, ...parts].join('\n\n')}\n`;
}

/** A table; cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A literal name. */
export function code(text: string | number | boolean): string {
  return `\`${text}\``;
}

export function codes(texts: readonly (string | number | boolean)[]): string {
  return texts.map(code).join(', ');
}

/** A text of the source: a sentence that begins with a capital letter and has no tags. */
export function sentence(text: string): string {
  return plain(text.charAt(0).toUpperCase() + text.slice(1));
}

/** A text of the source with its first letter unchanged: a label, or part of a sentence. */
export function plain(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');
}
