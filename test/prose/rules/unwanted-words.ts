import type { TextlintRuleModule } from '@textlint/types';
import { UNWANTED } from '../words.js';

/** All phrases in one expression: the name of the matching group identifies the phrase. */
const ANY = new RegExp(
  `(?<![\\w-])(?:${UNWANTED.map(([phrase], index) => `(?<p${index}>${expressionOf(phrase)})`).join('|')})(?![\\w-])`,
  'g',
);

/** Reports words and phrases of `words.ts` in text. Code is not text. */
export const unwantedWords: TextlintRuleModule = ({ Syntax, RuleError, getSource, locator, report }) => ({
  [Syntax.Str](node) {
    for (const { 0: text, index, groups = {} } of getSource(node).matchAll(ANY)) {
      const said = UNWANTED.findIndex((_, place) => groups[`p${place}`] !== undefined);
      const padding = locator.range([index, index + text.length]);
      report(node, new RuleError(`“${text.replace(/\s+/g, ' ')}”: ${UNWANTED[said]?.[1]}`, { padding }));
    }
  },
});

/** A phrase may begin with a capital letter, and go over the end of a line. */
export function expressionOf(phrase: string): string {
  const anyCase = phrase.replace(/^\(?[a-z|]+\)?/, (start) =>
    start.replace(/[a-z]+/g, (word) => `[${word[0]?.toUpperCase()}${word[0]}]${word.slice(1)}`),
  );
  return anyCase.replaceAll(' ', '\\s+');
}
