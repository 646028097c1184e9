/** A block of instructions. Texts may contain `code` and <https://links>, and no other Markdown. */
export type InstructionBlock =
  | { readonly kind: 'heading' | 'text' | 'note' | 'item'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

const FENCE = /^```(\w*)\n([\s\S]*?)\n```$/;

/** Splits instructions into blocks, so that programs can show them without a Markdown parser. */
export function instructionBlocks(text: string): InstructionBlock[] {
  return splitParts(text).flatMap((part): InstructionBlock[] => {
    const [, language, code] = FENCE.exec(part) ?? [];
    if (code !== undefined) return [{ kind: 'code', language: language ?? '', text: code }];
    if (part.startsWith('#')) return [{ kind: 'heading', text: toPlainText(part.replace(/^#+ /, '')) }];
    if (part.startsWith('> ')) return [{ kind: 'note', text: toPlainText(part.replaceAll(/^> ?/gm, '')) }];
    if (/^(- |\d+\. )/.test(part)) {
      return part
        .split(/\n(?=- |\d+\. )/)
        .map((item) => ({ kind: 'item', text: toPlainText(item.replace(/^(- |\d+\. )/, '')) }));
    }
    return [{ kind: 'text', text: toPlainText(part) }];
  });
}

/** Splits Markdown into paragraphs and code blocks, which may contain empty lines. */
function splitParts(text: string): string[] {
  const blocks: string[] = [];
  for (const part of text.split(/(^```[\s\S]*?^```$)/m)) {
    if (part.startsWith('```')) blocks.push(part);
    else blocks.push(...part.split(/\n{2,}/).map((paragraph) => paragraph.trim()));
  }
  return blocks.filter((part) => part !== '');
}

/** Converts Markdown to one line without bold type and line breaks. Web links retain their URL. */
function toPlainText(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '$1 (<$2>)')
    .replaceAll('**', '');
}
