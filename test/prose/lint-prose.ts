import { extname } from 'node:path';
import { TextlintKernel, type TextlintKernelRule, type TextlintMessage } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { messageFile } from './message-file.js';
import { fullStop } from './rules/full-stop.js';
import { sentenceCase } from './rules/sentence-case.js';
import { sentenceLength } from './rules/sentence-length.js';
import { unwantedWords } from './rules/unwanted-words.js';

const PLUGINS = [
  { pluginId: 'markdown', plugin: markdown.default },
  { pluginId: 'message-file', plugin: messageFile },
];

const WORDS: TextlintKernelRule = { ruleId: 'words', rule: unwantedWords };

const OF_DOCUMENTS: TextlintKernelRule[] = [
  WORDS,
  { ruleId: 'sentence-length', rule: sentenceLength(25) },
  { ruleId: 'sentence-case', rule: sentenceCase('headings') },
];

const OF_MESSAGES: TextlintKernelRule[] = [
  WORDS,
  { ruleId: 'sentence-length', rule: sentenceLength(20) },
  { ruleId: 'sentence-case', rule: sentenceCase('messages') },
  { ruleId: 'full-stop', rule: fullStop },
];

const kernel = new TextlintKernel();

/** Violations of the style sheet in a Markdown page, or in the English texts of a TypeScript file. */
export async function lintProse(text: string, filePath: string): Promise<readonly TextlintMessage[]> {
  const ext = extname(filePath);
  const rules = ext === '.ts' ? OF_MESSAGES : OF_DOCUMENTS;
  const { messages } = await kernel.lintText(text, { ext, filePath, plugins: PLUGINS, rules });
  return messages;
}
