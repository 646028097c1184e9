import { AdminPage, type Plugin, provide } from '@keyhost/spi';

const NOTICE = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'Text', minLength: 1, maxLength: 200 },
    urgent: { type: 'boolean', title: 'Urgent', default: false },
  },
  required: ['text'],
  additionalProperties: false,
} as const;

/** A page of the admin console: a table of notices, a form that adds one, and a button that removes one. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(AdminPage, {
      id: '__id__',
      title: { en: 'Notices', de: 'Aushänge' },
      at: 'realm',
      view: ['view-realm'],
      manage: ['manage-realm'],
      operations: {
        list: { method: 'GET' },
        add: { method: 'POST', body: NOTICE },
        remove: { method: 'DELETE' },
      },
      blocks: [
        {
          kind: 'table',
          id: 'notices',
          title: { en: 'What hangs out', de: 'Was aushängt' },
          rows: { operation: 'list' },
          key: '/key',
          columns: [
            { title: 'Text', at: '/text' },
            { title: { en: 'Urgent', de: 'Dringend' }, at: '/urgent', as: 'yesno' },
            { title: { en: 'By', de: 'Von' }, at: '/by' },
            { title: { en: 'Since', de: 'Seit' }, at: '/since', as: 'time' },
          ],
          empty: { en: 'No notices yet.', de: 'Es gibt keine Aushänge.' },
          rowActions: [
            {
              title: { en: 'Remove', de: 'Abnehmen' },
              does: { operation: 'remove', with: { key: { row: '/key' } } },
              confirm: { en: 'Remove this notice?', de: 'Diesen Aushang abnehmen?' },
              danger: true,
            },
          ],
        },
        {
          kind: 'form',
          id: 'add',
          title: { en: 'Add a notice', de: 'Aushang hinzufügen' },
          schema: NOTICE,
          fields: { '/urgent': { title: { en: 'Urgent', de: 'Dringend' } } },
          submit: { operation: 'add' },
          submitTitle: { en: 'Add', de: 'Hinzufügen' },
          result: { show: [], reload: ['notices'] },
        },
      ],
      open: () => ({
        create: ({ clock, store }) => ({
          async list({ first, max }) {
            const entries = await store.list('notice/', { first, max: max + 1 });
            const rows = entries.slice(0, max).map(({ key, value }) => ({ key, ...(value as object) }));
            return { rows, more: entries.length > max };
          },

          async add({ body: { text, urgent }, admin }) {
            const since = clock.now();
            if (!(await store.replace(`notice/${text}`, undefined, { text, urgent, by: admin.username, since }))) {
              const message = { en: 'hangs out already', de: 'hängt schon aus' };
              const errors = [{ pointer: '/text', message }];
              return { error: 'exists', error_description: 'The notice already exists', errors };
            }
            return undefined;
          },

          async remove({ query }) {
            if (query.key?.startsWith('notice/')) await store.delete(query.key);
            return undefined;
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
