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
