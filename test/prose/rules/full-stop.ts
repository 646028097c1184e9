import type { TextlintRuleModule } from '@textlint/types';
import { textOf } from '../text-of.js';

/** A label has no full stop, and a text of several sentences ends with one. For messages of pages alone. */
export const fullStop: TextlintRuleModule = ({ Syntax, RuleError, report }) => ({
  [Syntax.Paragraph](node) {
    const text = textOf(node).trim();
    const words = text.split(/\s+/).length;
    if (words === 1 && /\p{L}\.$/u.test(text)) report(node, new RuleError('A label has no full stop.'));
    if (/\p{Ll}[.!?] \p{Lu}/u.test(text) && !/[.!?:…”]$/.test(text)) {
      report(node, new RuleError('The last sentence ends without a full stop.'));
    }
  },
});
