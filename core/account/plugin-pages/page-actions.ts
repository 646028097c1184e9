import type { AccountPageContent, PageField } from '@keyhost/spi';

/** An action that a plugin's page lets its user start. */
export interface PageAction {
  readonly action: string;
  /** The ID of its block, if the block has one. */
  readonly block?: string | undefined;
  readonly row?: string | undefined;
  readonly fields: readonly PageField[];
}

type PageActionId = Pick<PageAction, 'action' | 'block' | 'row'>;

/** The action of the page that these names identify; undefined if the page has none. */
export function findPageAction(content: AccountPageContent, id: PageActionId): PageAction | undefined {
  return listPageActions(content).find((action) => actionKey(action) === actionKey(id));
}

/**
 * Checks that a form can identify each field and action of the page.
 * @param reserved names of the host's own fields, whose values a plugin must not receive
 * @throws Error if a field name is reserved or repeated, or two actions have the same name, block and row
 */
export function requireUniqueNames(content: AccountPageContent, reserved: readonly string[]): void {
  const names = new Set(reserved);
  for (const { name } of content.blocks.flatMap((block) => (block.kind === 'form' ? block.fields : []))) {
    if (names.has(name)) throw new Error(`the field "${name}" is the host's, or there are two of that name`);
    names.add(name);
  }
  const keys = new Set<string>();
  for (const action of listPageActions(content)) {
    if (keys.has(actionKey(action))) throw new Error(duplicateMessage(action));
    keys.add(actionKey(action));
  }
}

function listPageActions({ blocks }: AccountPageContent): PageAction[] {
  return blocks.flatMap((block): PageAction[] => {
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

function actionKey({ action, block = '', row = '' }: PageActionId): string {
  return JSON.stringify([action, block, row]);
}

function duplicateMessage({ action, block, row }: PageAction): string {
  if (row !== undefined) return `two rows with the id "${row}" have the action "${action}"`;
  if (block === undefined) return `two blocks have the action "${action}": give each an id`;
  return `two blocks with the action "${action}" have the id "${block}"`;
}
