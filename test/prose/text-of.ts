import type { TxtNode } from '@textlint/ast-node-types';

/** A piece of text with its node. */
export interface Piece {
  readonly text: string;
  readonly node: TxtNode;
}

type Node = TxtNode & { readonly value?: unknown; readonly children?: readonly TxtNode[] };

/** The text of a node as a reader sees it: a link without its address. Code, or a placeholder, is one word. */
export function piecesOf(node: TxtNode): readonly Piece[] {
  const { type, value, children } = node as Node;
  if (type === 'Code') return [{ text: 'X', node }];
  // A new line in a cell ends its sentence.
  if (type === 'Html' && value === '<br>') return [{ text: '.\u2029', node }];
  if (children !== undefined) return children.flatMap(piecesOf);
  return [{ text: type === 'Str' && typeof value === 'string' ? value.replaceAll('\n', ' ') : ' ', node }];
}

export function textOf(node: TxtNode): string {
  return piecesOf(node)
    .map(({ text }) => text)
    .join('');
}
