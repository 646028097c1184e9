import type { TxtNode } from '@textlint/ast-node-types';
import type { TextlintRuleModule } from '@textlint/types';
import { type Piece, piecesOf } from '../text-of.js';

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A sentence has at most `max` words. */
export const sentenceLength =
  (max: number): TextlintRuleModule =>
  ({ Syntax, RuleError, locator, report }) => {
    function check(block: TxtNode): void {
      const pieces = piecesOf(block);
      const text = pieces.map((piece) => piece.text).join('');
      for (const { segment, index } of sentences.segment(text)) {
        const count = wordsIn(segment);
        if (count <= max) continue;
        const [node, offset] = placeOf(pieces, index);
        const message = `${count} words. A sentence has at most ${max}: split it.`;
        report(node, new RuleError(message, { padding: locator.at(offset) }));
      }
    }
    return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check };
  };

/** A list of code reads as one word. */
function wordsIn(text: string): number {
  const read = text.replace(/\bX(?:,? (?:and |or )?X\b)+/g, 'X');
  return read.split(/[\s/–—…·]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function placeOf(pieces: readonly Piece[], index: number): [node: TxtNode, offset: number] {
  let begin = 0;
  for (const { node, text } of pieces) {
    if (index < begin + text.length) return [node, node.type === 'Str' ? index - begin : 0];
    begin += text.length;
  }
  throw new RangeError(`the text ends before ${index}`);
}
