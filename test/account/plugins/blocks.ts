import { AccountPage, type AccountPageBlock, type Message, provide } from '@keyhost/spi';

const field = (name: string) => ({ name, type: 'text' as const, label: { key: name } });
const form = (name: string, more = {}): AccountPageBlock => ({
  kind: 'form',
  action: 'save',
  fields: [field(name)],
  ...more,
});
const button = (more = {}): AccountPageBlock => ({ kind: 'action', action: 'clear', ...more });
const table = (id: string): AccountPageBlock => ({
  kind: 'table',
  columns: [],
  empty: { key: 'None' },
  rows: [{ id, cells: {}, actions: ['clear', 'clear'] }],
});
/** The blocks of the page, by username. */
const blocksOfUser: Readonly<Record<string, readonly AccountPageBlock[]>> = {
  erin: [
    form('mail', { id: 'mail' }),
    form('phone', { id: 'phone' }),
    form('other'),
    button({ id: 'all' }),
    button({ id: 'old' }),
    table('one'),
    table('two'),
  ],
  forms: [form('mail'), form('phone')],
  buttons: [button({ id: 'all' }), button({ id: 'all' })],
  rows: [table('one'), table('one')],
};
const umlauts = 'ü'.repeat(800);
const longMessages: Readonly<Record<string, Message>> = {
  long: { key: `Long ${'x'.repeat(5000)}.` },
  'long in bytes': { key: `Long ${umlauts}.` },
  'long in parameters': { key: 'Long {0}.', params: ['x'.repeat(5000)] },
  'long in languages': { key: 'own', texts: { en: `Long ${'x'.repeat(500)}.`, de: umlauts, fr: umlauts, nl: umlauts } },
};
export default {
  name: 'blocks',
  api: 1,
  providers: [
    provide(AccountPage, {
      id: 'blocks',
      title: 'Blocks',
      actions: { save: { label: 'Save' }, clear: { label: 'Clear' } },
      open: () => ({
        create: () => ({
          show: async ({ user }) => ({ blocks: blocksOfUser[user.username ?? ''] ?? [] }),
          async act({ action, block, row, form }) {
            if (form.other?.startsWith('long'))
              return {
                outcome: 'done',
                message: { severity: 'warning', ...(longMessages[form.other] ?? { key: 'none' }) },
              };
            const message = { key: JSON.stringify({ action, block, row, form }) };
            return Object.values(form).includes('refuse')
              ? { outcome: 'refused', message }
              : { outcome: 'done', message: { ...message, severity: 'success' } };
          },
        }),
      }),
    }),
  ],
};
