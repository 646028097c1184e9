import type { AccountPageContent, PageField } from '@keyhost/spi';

/** An action that a page offers to its user. */
export interface Offer {
  readonly action: string;
  /** The ID of the block that offers it, if it has one. */
  readonly block?: string | undefined;
  readonly row?: string | undefined;
  readonly fields: readonly PageField[];
}

type Named = Pick<Offer, 'action' | 'block' | 'row'>;

/** The page's action with these names; undefined if the page does not offer it. */
export function offerOf(content: AccountPageContent, named: Named): Offer | undefined {
  return offersOf(content).find((offer) => nameOf(offer) === nameOf(named));
}

/**
 * @param reserved names of the host's own fields, whose values a plugin must not receive
 * @throws Error for a field name that is reserved or used by two forms, and for an action whose place on the page a
 * form would not identify
 */
export function requireOwnNames(content: AccountPageContent, reserved: readonly string[]): void {
  const seen = new Set(reserved);
  for (const { name } of content.blocks.flatMap((block) => (block.kind === 'form' ? block.fields : []))) {
    if (seen.has(name)) throw new Error(`the field "${name}" is the host's, or there are two of that name`);
    seen.add(name);
  }
  const offers = new Set<string>();
  for (const offer of offersOf(content)) {
    if (offers.has(nameOf(offer))) throw new Error(twice(offer));
    offers.add(nameOf(offer));
  }
}

function offersOf({ blocks }: AccountPageContent): Offer[] {
  return blocks.flatMap((block): Offer[] => {
    switch (block.kind) {
      case 'table':
        return block.rows.flatMap(({ id, actions = [] }) =>
          [...new Set(actions)].map((action) => ({ action, row: id, fields: [] })),
        );
      case 'form': {
        const fields = block.fields.filter(({ readOnly }) => readOnly !== true);
        return [{ action: block.action, block: block.id, fields }];
      }
      case 'action':
        return [{ action: block.action, block: block.id, fields: [] }];
      default:
        return [];
    }
  });
}

function nameOf({ action, block = '', row = '' }: Named): string {
  return JSON.stringify([action, block, row]);
}

function twice({ action, block, row }: Offer): string {
  if (row !== undefined) return `two rows with the id "${row}" have the action "${action}"`;
  if (block === undefined) return `two blocks have the action "${action}": give each an id`;
  return `two blocks with the action "${action}" have the id "${block}"`;
}
