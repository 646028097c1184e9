import { parseAst } from 'rolldown/parseAst';

/** A comment, or several `//` lines that follow each other. */
export interface Comment {
  /** Its words, as long as its source: marks, code, tags and links are blanked out. */
  readonly prose: string;
  /** Offset of `prose` in the file. */
  readonly start: number;
  readonly end: number;
}

type Syntax = {
  readonly [member: string]: unknown;
  readonly type: string;
  readonly start: number;
  readonly end: number;
};

/** Replaces the characters of a tag, such as `@returns`. */
export const TAG = '¶';

/** Nodes whose text may look like a comment and is none. */
const TEXTS = new Set(['Literal', 'TemplateElement', 'JSXText']);
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g;
/** Directives are for programs: `biome-ignore` has its reason behind the colon, which is prose. */
const DIRECTIVE = /^\/\/\/|^\/\/ ?(#|@ts-)|^\/\*[#@]/;
/** A text begins after a tag, so it ends the sentence before it. */
const TAGS = [/@param [\w.$]+/g, /@\w+/g];
const NO_PROSE = [
  /^[ \t]*\*?[ \t]*@example[\s\S]*?(?=\n[ \t]*\*?[ \t]*@|$)/gm,
  /```[\s\S]*?```/g,
  /`[^`]*`/g,
  /\{@link[^}]*\}/g,
  /biome-ignore [\w/]+:/g,
  /https?:\/\/\S+/g,
  /“[^”]*”|"[^"\n]*"/g,
];

/** @param file its name; the ending decides how it is parsed */
export function commentsIn(source: string, file: string): readonly Comment[] {
  const lang = file.endsWith('x') ? 'tsx' : /\.[mc]?js$/.test(file) ? 'js' : 'ts';
  const program = parseAst(source, { lang }) as unknown as Syntax;
  const texts: Syntax[] = [];
  collectTexts(program, texts);
  const code = blank(source, texts);
  return [...code.matchAll(COMMENT)]
    .filter(([text]) => !DIRECTIVE.test(text))
    .map(({ 0: text, index }) => {
      const start = index;
      return { prose: proseOf(source.slice(start, start + text.length)), start, end: start + text.length };
    });
}

/** Adds the nodes below `node` whose text may look like a comment. No generator: there are millions of nodes. */
function collectTexts(node: Syntax, texts: Syntax[]): void {
  if (TEXTS.has(node.type)) {
    texts.push(node);
    return;
  }
  for (const key in node) {
    const member = node[key];
    if (typeof member !== 'object' || member === null) continue;
    if (!Array.isArray(member)) {
      if ('type' in member) collectTexts(member as Syntax, texts);
      continue;
    }
    for (const child of member) if (typeof child === 'object' && child !== null) collectTexts(child as Syntax, texts);
  }
}

function proseOf(comment: string): string {
  // A piece of code is a word: what precedes and follows it is not one phrase.
  const words = blank(comment, spansOf(NO_PROSE, comment), '_');
  // An item of a list ends the sentence before it, as a tag does.
  const text = blank(words, spansOf(TAGS, words), TAG).replace(/^([ \t]*\*?[ \t]*)- /gm, `$1${TAG} `);
  return text.replace(/^[ \t]*(\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, (mark) => ' '.repeat(mark.length));
}

function spansOf(expressions: readonly RegExp[], text: string) {
  return expressions.flatMap((expression) =>
    [...text.matchAll(expression)].map(({ 0: found, index }) => ({ start: index, end: index + found.length })),
  );
}

/** Replaces the spans by a character, and leaves the ends of lines. */
function blank(text: string, spans: readonly { start: number; end: number }[], by = ' '): string {
  let result = '';
  let done = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (end <= done) continue;
    const from = Math.max(start, done);
    result += text.slice(done, from) + text.slice(from, end).replace(/[^\n]/g, by);
    done = end;
  }
  return result + text.slice(done);
}
