/** A block of instructions. Texts may contain `code` and <https://links>, but no other Markdown. */
export type InstructionBlock =
  | { readonly kind: 'heading' | 'text' | 'note' | 'item'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

const FENCE = /^```(\w*)\n([\s\S]*?)\n```$/;

/** Splits instructions into blocks, so that programs can show them without a Markdown parser. */
export function instructionBlocks(text: string): InstructionBlock[] {
  return parts(text).flatMap((part): InstructionBlock[] => {
    const [, language, code] = FENCE.exec(part) ?? [];
    if (code !== undefined) return [{ kind: 'code', language: language ?? '', text: code }];
    if (part.startsWith('#')) return [{ kind: 'heading', text: plain(part.replace(/^#+ /, '')) }];
    if (part.startsWith('> ')) return [{ kind: 'note', text: plain(part.replaceAll(/^> ?/gm, '')) }];
    if (/^(- |\d+\. )/.test(part)) {
      return part
        .split(/\n(?=- |\d+\. )/)
        .map((item) => ({ kind: 'item', text: plain(item.replace(/^(- |\d+\. )/, '')) }));
    }
    return [{ kind: 'text', text: plain(part) }];
  });
}

/** Paragraphs and code blocks, which may contain empty lines. */
function parts(text: string): string[] {
  const found: string[] = [];
  for (const part of text.split(/(^```[\s\S]*?^```$)/m)) {
    if (part.startsWith('```')) found.push(part);
    else found.push(...part.split(/\n{2,}/).map((one) => one.trim()));
  }
  return found.filter((part) => part !== '');
}

/** The text as one line; web links retain their URL. */
function plain(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '$1 (<$2>)')
    .replaceAll('**', '');
}
