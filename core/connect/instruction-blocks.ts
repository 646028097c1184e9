/** A part of instructions. Texts may contain `code` and <https://links>, and nothing else of Markdown. */
export type InstructionBlock =
  | { readonly kind: 'heading' | 'text' | 'note' | 'item'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

const FENCE = /^```(\w*)\n([\s\S]*?)\n```$/;

/** Instructions in parts: a program that shows them needs no Markdown. */
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

/** Paragraphs and blocks of code. An empty line within a block is part of it. */
function parts(text: string): string[] {
  const found: string[] = [];
  for (const part of text.split(/(^```[\s\S]*?^```$)/m)) {
    if (part.startsWith('```')) found.push(part);
    else found.push(...part.split(/\n{2,}/).map((one) => one.trim()));
  }
  return found.filter((part) => part !== '');
}

/** One line; a link to a page of the web keeps its address. */
function plain(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '$1 (<$2>)')
    .replaceAll('**', '');
}
