/** An edit that a guide describes: a new file, or changes of an existing one. */
export type GuideEdit =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly hunks: readonly Hunk[] };

/** Lines before and after the change. */
export interface Hunk {
  readonly before: string;
  readonly after: string;
}

const BLOCK = /^```(ts|diff)\n([\s\S]*?)^```$/gm;
const NEW_FILE = /^\/\/ (\S+)\n/;
const CHANGED_FILE = /^\+\+\+ (\S+)\n/;

/** The blocks of a guide whose first line names a file: `// path` for a new one, `+++ path` for a changed one. */
export function guideEdits(guide: string): GuideEdit[] {
  const edits: GuideEdit[] = [];
  for (const [, kind, block = ''] of guide.matchAll(BLOCK)) {
    const file = (kind === 'ts' ? NEW_FILE : CHANGED_FILE).exec(block)?.[1];
    if (file === undefined) continue;
    const text = block.slice(block.indexOf('\n') + 1);
    edits.push(kind === 'ts' ? { file, text } : { file, hunks: text.split(/^@@\n/m).map(hunkOf) });
  }
  return edits;
}

function hunkOf(text: string): Hunk {
  const lines = text.split('\n').slice(0, -1);
  const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
  return { before: without('+').join('\n'), after: without('-').join('\n') };
}

/** @throws Error unless the text before the change occurs exactly once in the file */
export function changed(text: string, { file, hunks }: Extract<GuideEdit, { hunks: readonly Hunk[] }>): string {
  return hunks.reduce((result, { before, after }) => {
    const [head = '', ...tails] = `\n${result}`.split(`\n${before}\n`);
    if (tails.length !== 1) throw new Error(`${file} has ${tails.length} places that read:\n${before}`);
    return `${head}\n${after}\n${tails[0]}`.slice(1);
  }, text);
}
