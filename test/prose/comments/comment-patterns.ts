import { expressionOf } from '../rules/unwanted-words.js';
import { UNWANTED } from '../words.js';
import { TAG } from './comments-in.js';

/** A phrase that reads like a translation. */
export interface CommentPattern {
  readonly name: string;
  readonly expression: RegExp;
  /** The advice to the author. */
  readonly advice: string;
}

/** The start of a comment, of a sentence, or of the text of a tag. */
const START = `(?<=^|[.!?] |${TAG} )`;

/** A space stands for any white space. The first letter may be a capital one. */
function pattern(name: string, phrase: string, advice: string): CommentPattern {
  return { name, expression: new RegExp(phrase.replaceAll(' ', '\\s+'), 'g'), advice };
}

/** Matches whole words, in upper case too. */
function words(name: string, phrase: string, advice: string): CommentPattern {
  return { name, expression: new RegExp(`(?<![\\w-])(?:${phrase.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'), advice };
}

/** No comment has one of these. */
export const REFUSED: readonly CommentPattern[] = [
  pattern('What …', `${START}What\\b`, 'Begin with the noun: “The result of …”.'),
  pattern('Who …', `${START}Who\\b`, 'Begin with the noun: “A user who …”, “Callers that …”.'),
  pattern('Of …', `(?<=^|[.!?:;] |${TAG} )Of\\b`, 'Begin with the noun: “Usernames, in lower case.”'),
  words('told', 'told', 'Write “logged”, “reported”, “notified” or “returned”.'),
  words('nobody', "(no|some|any|every)body(’s|'s)?", 'Name the caller, the user or the request.'),
  words(
    'anew',
    'anew|dear(er|est)?|hears?|heard|gone through|of late|to and fro|in vain',
    'Write “again”, “expensive”, “receives”, “recently”.',
  ),
  words('so many', 'so (many|much)', 'Name the number: “The maximum number of …”.'),
  ...UNWANTED.map(([phrase, advice]) => ({
    name: phrase,
    expression: new RegExp(`(?<![\\w-])(?:${expressionOf(phrase)})(?![\\w-])`, 'g'),
    advice,
  })),
];

/** These are ordinary words too: their number may not grow. */
export const COUNTED: readonly CommentPattern[] = [
  words('tells', 'tells?|telling', 'Write “log”, “report”, “notify” or “return”.'),
  words('says', 'says?|said|saying', 'Write “declares”, “contains”, “sets” or “returns”.'),
  words(
    'where',
    'where (it|its|there|the|a|an|this|that|these|those|one|no|not|they|you|nothing|all)',
    'Write “if” or “when”, unless it is a place.',
  ),
  words('stands', 'stands?|stood|standing', 'Write “is”, “is stored”, “exists” or “represents”.'),
  words('goes', 'goes|comes|went|came|gone', 'Write “is deleted”, “is added”, “continues” or “is sent”.'),
  words('away', 'away|elsewhere', 'Write “unreachable”, “on another node” or “at the provider”.'),
  words('knows', 'knows|wants|judge[sd]?|minds|believes', 'Write “contains”, “requires” or “checks”.'),
  words('keeps', 'kept|keeps|keeping', 'Write “stores”, “caches”, “holds” or “preserves”.'),
  words('so long', 'so (long|often|far|few|little)', 'Name the number and its unit.'),
  words('is to', '(is|are|was|were) to (be|have|go|say|do|come)', 'Name who must do it: “The caller must …”.'),
  words('beside', 'beside', 'Write “next to”, “in addition to” or “at the same time as”.'),
  words('another one', 'another one|the other one|other ones?', 'Repeat the noun.'),
  words('good', '(still|no longer|not) good', 'Write “valid”, “enabled” or “fresh”.'),
  words('one that is', '(is|does|one) that (is|has)', 'Put the relative clause next to its noun.'),
  pattern('Has …', '(?<=^)(Has|Have|Let)\\b', 'Begin with a verb that names the effect: “Registers …”, “Makes …”.'),
];
