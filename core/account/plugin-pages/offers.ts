import type { AccountPageContent, PageField } from '@keyhost/spi';

/** Something that a page offers to its user. */
export interface Offer {
  readonly action: string;
  readonly row?: string;
  readonly fields: readonly PageField[];
}

/** What the page offers by this name, and with this row if one is named; undefined: nothing of the kind. */
export function offerOf({ blocks }: AccountPageContent, action: string, row: string | undefined): Offer | undefined {
  for (const block of blocks) {
    if (block.kind === 'table' && row !== undefined) {
      const found = block.rows.find(({ id, actions = [] }) => id === row && actions.includes(action));
      if (found !== undefined) return { action, row, fields: [] };
    }
    if (row !== undefined || !('action' in block) || block.action !== action) continue;
    return { action, fields: block.kind === 'form' ? block.fields.filter(({ readOnly }) => readOnly !== true) : [] };
  }
  return undefined;
}

/**
 * @param reserved names of the host's own fields: a plugin that had one of that name would get its value
 * @throws Error naming a field that two forms have, or whose name is the host's
 */
export function requireOwnNames({ blocks }: AccountPageContent, reserved: readonly string[]): void {
  const seen = new Set(reserved);
  for (const { name } of blocks.flatMap((block) => (block.kind === 'form' ? block.fields : []))) {
    if (seen.has(name)) throw new Error(`the field "${name}" is the host's, or there are two of that name`);
    seen.add(name);
  }
}
