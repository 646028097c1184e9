import { instructionBlocks } from '../../connect/instruction-blocks.js';

const WIDTH = 100;
/**
 * The line above and below code. The code itself is not indented, since a copy of indented code does not run in some
 * languages.
 */
const RULE = '─'.repeat(40);

/**
 * Formats instructions for a terminal: without Markdown, and with code that can be copied.
 * @param markdown the text of `nextSteps`
 */
export function instructionsText(markdown: string): string {
  const parts = instructionBlocks(markdown).map((block) => {
    if (block.kind === 'code') return `${RULE}\n${block.text}\n${RULE}`;
    const text = withoutMarkdown(block.text);
    if (block.kind === 'heading') return `${text}\n${'='.repeat(text.length)}`;
    if (block.kind === 'note') return wrapText(`Note: ${text}`);
    return block.kind === 'item' ? wrapText(text, '- ') : wrapText(text);
  });
  return `${parts.join('\n\n')}\n`;
}

function withoutMarkdown(text: string): string {
  const code = (_: string, codeText: string) => (codeText.includes(' ') ? `"${codeText}"` : codeText);
  return text.replaceAll(/<(https?:[^>\s]+)>/g, '$1').replaceAll(/`([^`]*)`/g, code);
}

/** @param indent the prefix of the first line */
function wrapText(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = ' '.repeat(indent.length);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}
