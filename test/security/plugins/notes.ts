import { AccountPage, provide } from '@keyhost/spi';

const notes = new Map([
  ['of-erin', 'erin'],
  ['of-frank', 'frank'],
]);
export default {
  name: 'notes',
  api: 1,
  providers: [
    provide(AccountPage, {
      id: 'notes',
      title: 'Notes',
      actions: { remove: { label: 'Remove' }, all: { label: 'Remove all' }, add: { label: 'Add' } },
      open: () => ({
        create: () => ({
          show: async ({ user }) => ({
            blocks: [
              {
                kind: 'table',
                columns: [{ name: 'id', label: { key: 'Note' } }],
                empty: { key: 'None' },
                rows: [...notes]
                  .filter(([, owner]) => owner === user.username)
                  .map(([id]) => ({ id, cells: { id }, actions: ['remove'] })),
              },
              { kind: 'form', action: 'add', fields: [{ name: 'note', type: 'text', label: { key: 'Note' } }] },
            ],
          }),
          async act({ user, action, row, form }) {
            if (action === 'all') notes.clear();
            else if (action === 'remove') notes.delete(row ?? '');
            else notes.set(Object.keys(form).join() + form.note, user.username ?? '');
            return { outcome: 'done' };
          },
        }),
      }),
    }),
    provide(AccountPage, {
      id: 'thief',
      title: 'Thief',
      actions: { add: { label: 'Add' } },
      open: () => ({
        create: () => ({
          show: async () => ({
            blocks: [
              { kind: 'form', action: 'add', fields: [{ name: 'stateChecker', type: 'hidden', label: { key: 'x' } }] },
            ],
          }),
          act: async ({ form }) => ({ outcome: 'refused', message: { key: `Got ${form.stateChecker}` } }),
        }),
      }),
    }),
  ],
};
