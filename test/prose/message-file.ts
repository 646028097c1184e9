import type { TxtDocumentNode, TxtNode } from '@textlint/ast-node-types';
import type { TextlintPluginCreator } from '@textlint/types';
import { parseAst } from 'rolldown/parseAst';

type Syntax = {
  readonly [member: string]: unknown;
  readonly type: string;
  readonly start: number;
  readonly end: number;
};
type Place = (start: number, end: number) => Pick<TxtNode, 'raw' | 'range' | 'loc'>;

/** Tables of English texts: `en` of the admin console, `ENGLISH` and its kind of the pages. */
const TABLE = /^en$|ENGLISH/;

/** textlint reads the English texts of a TypeScript file: each is a paragraph, and what a text names is inline code. */
export const messageFile: TextlintPluginCreator = {
  Processor: class {
    availableExtensions(): string[] {
      return ['.ts'];
    }
    processor() {
      return {
        preProcess: (text: string) => document(text),
        postProcess: (messages: never[], filePath = '') => ({ messages, filePath }),
      };
    }
  },
};

function document(text: string): TxtDocumentNode {
  const place = placesIn(text);
  const program = parseAst(text, { lang: 'ts' }) as unknown as Syntax;
  const children = [...tablesIn(program)].flatMap((table) => [...textsIn(table)]).map((node) => paragraph(node, place));
  return { type: 'Document', children, ...place(0, text.length) } as unknown as TxtDocumentNode;
}

function* tablesIn(node: Syntax): Generator<Syntax> {
  if (node.type === 'VariableDeclarator') {
    const { id, init } = node as unknown as { id: { name?: string }; init: Syntax | null };
    if (init !== null && TABLE.test(id.name ?? '')) yield init;
    return;
  }
  for (const child of childrenOf(node)) yield* tablesIn(child);
}

/** Values of members, with what functions answer; no keys, no types, nothing that is compared. */
function* textsIn(node: Syntax): Generator<Syntax> {
  if (node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')) {
    yield node;
    return;
  }
  if (node.type.startsWith('TSType') || node.type === 'BinaryExpression') return;
  for (const child of childrenOf(node, node.type === 'Property' ? ['value'] : undefined)) yield* textsIn(child);
}

function* childrenOf(node: Syntax, members = Object.keys(node)): Generator<Syntax> {
  for (const member of members) {
    for (const child of [node[member]].flat()) if (isSyntax(child)) yield child;
  }
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function paragraph(node: Syntax, place: Place) {
  const { start, end } = node;
  const inner =
    node.type === 'Literal'
      ? [{ type: 'Str', value: node.value, ...place(start + 1, end - 1) }]
      : [...templateParts(node, place)];
  return { type: 'Paragraph', children: inner, ...place(start + 1, end - 1) };
}

function* templateParts(node: Syntax, place: Place) {
  const { quasis, expressions } = node as unknown as { quasis: Syntax[]; expressions: Syntax[] };
  for (const [index, quasi] of quasis.entries()) {
    const { cooked } = quasi.value as { cooked: string };
    if (cooked !== '') yield { type: 'Str', value: cooked, ...place(quasi.start, quasi.end) };
    const expression = expressions[index];
    if (expression !== undefined) yield { type: 'Code', value: 'X', ...place(expression.start, expression.end) };
  }
}

/** Lines begin with 1 and columns with 0, as textlint counts. */
function placesIn(text: string): Place {
  const begins = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const at = (offset: number) => {
    const line = begins.findLastIndex((begin) => begin <= offset);
    return { line: line + 1, column: offset - (begins[line] ?? 0) };
  };
  return (start, end) => ({
    raw: text.slice(start, end),
    range: [start, end],
    loc: { start: at(start), end: at(end) },
  });
}
